rgb
{
	{
		map x.tga
		rgbGen identity
	}
	{
		map x.tga
		rgbGen identityLighting
	}
	{
		map x.tga
		rgbGen lightingDiffuse
	}
	{
		map x.tga
		rgbGen vertex
	}
	{
		map x.tga
		rgbGen entity
	}
	{
		map x.tga
		rgbGen oneMinusEntity
	}
	{
		map x.tga
		rgbGen const ( 1 0.5 .25 )
	}
	{
		map x.tga
		rgbGen const (0.1 0.2 0.3) alphaGen const 0.5
	}
	{
		map x.tga
		rgbGen wave sin 0.5 0.25 0 2
	}
	{
		map x.tga
		rgbGen wave inversesawtooth 0 1 .5 4
	}
	{
		map x.tga
		rgbGen wave wobble 0 1 0 1
	}
}
alpha
{
	{
		map x.tga
		blendFunc blend
		alphaGen entity
	}
	{
		map x.tga
		alphaGen oneMinusEntity
	}
	{
		map x.tga
		alphaGen lightingSpecular
	}
	{
		map x.tga
		alphaGen wave noise 0.5 0.5 0 1
	}
	{
		map x.tga
		alphaGen portal 256
	}
	{
		map x.tga
		alphaGen vertex
	}
}
