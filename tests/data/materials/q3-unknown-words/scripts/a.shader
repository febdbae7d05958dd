a
{
	cull none
	sparkle 1 2 3
	nopicmip
	q3map_surfacelight 300
	fogparms ( 0 0 0 ) 200
	{
		map x.tga
		glitter 4
		depthFunc equal
		detail
	}
}
b
{
	Sparkle
	{
		map x.tga
		rgbGen disco
		GLITTER
	}
}
