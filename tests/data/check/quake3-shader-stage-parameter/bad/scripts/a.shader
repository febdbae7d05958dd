models/x
{
	cull none
	{
		map models/x.tga
		rgbMod lightingDiffuse
	}
}
