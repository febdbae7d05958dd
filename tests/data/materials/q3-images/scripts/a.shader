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
