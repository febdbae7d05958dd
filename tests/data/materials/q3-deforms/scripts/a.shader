wave
{
	deformVertexes wave 100 sin 3 1 0.5 2
	deformVertexes wave 0 square 3 0 0 0
	deformVertexes bulge 64 1.5 3
	{
		map x.tga
	}
}
move
{
	deformVertexes move 0 0 4 sawtooth 0 1 0 0.5
	{
		map x.tga
	}
}
sprites
{
	deformVertexes autoSprite
	deformVertexes autosprite2
	deformVertexes text0
	deformVertexes projectionShadow
	{
		map x.tga
	}
}
