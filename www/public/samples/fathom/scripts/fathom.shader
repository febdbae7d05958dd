// Fathom, a sample model of Rigview.

models/players/fathom/glass
{
	{
		map models/players/fathom/helmet.jpg
		rgbGen lightingDiffuse
	}
	{
		map models/players/fathom/reflection.jpg
		blendFunc GL_ONE GL_ONE
		tcGen environment
		rgbGen identity
	}
}

models/weapons2/harpoon/flash
{
	cull disable
	surfaceparm trans
	{
		map models/weapons2/harpoon/flash.jpg
		blendFunc GL_ONE GL_ONE
	}
}
