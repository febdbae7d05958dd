models/one
{
	{
		map models/one.tga
	}
}
models/clamped
{
	{
		clampmap models/One.JPG
	}
}
models/animated
{
	{
		animMap 10 models/one.tga models/two.tga models/three.tga
	}
}
models/white
{
	{
		map $whiteimage
		rgbGen lightingDiffuse
	}
	{
		map $lightmap
		blendFunc filter
	}
	{
		map *white
	}
}
models/nothing
{
	{
		rgbGen identity
	}
	{
		map
	}
}

// Nine images where the game has room for eight.
models/long
{
	{
		animMap 1 models/1.tga models/2.tga models/3.tga models/4.tga models/5.tga models/6.tga models/7.tga models/8.tga models/9.tga
	}
}
