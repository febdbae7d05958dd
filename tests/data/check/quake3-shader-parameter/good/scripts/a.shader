models/x
{
	cull none
	{
		map models/x.tga
		rgbGen lightingDiffuse
	}
}
