textures/Foo/Bar
{
	{
		map a.tga
	}
}
twice
{
	{
		map a.tga
	}
}
twice
{
	{
		map b.tga
	}
}
both { { map a.tga } }
