models/x
{
	glow 1
	{
		map models/x.tga
		rgbGen lightingDiffuse
	}
}
