models/x
{
	{
		map models/x.tga
	}
	{
		map models/x.tga
	}
	{
		map models/x.tga
	}
	{
		map models/x.tga
	}
	{
		map models/x.tga
	}
	{
		map models/x.tga
	}
	{
		map models/x.tga
	}
	{
		map models/x.tga
	}
}
