steps
{
	{
		map x.tga
		tcMod scroll 0.5 -1
		tcMod scale 2 3
		tcMod rotate 45
	}
	{
		map x.tga
		tcMod stretch triangle 1 0.5 0.25 2
		tcMod turb 0 0.1 0.5 1.5
		tcMod transform 1 2 3 4 5 6
		tcmod entityTranslate
	}
	{
		map x.tga
		tcGen environment
	}
	{
		map x.tga
		tcGen base
	}
	{
		map x.tga
		tcGen vector ( 1 0 0 ) ( 0 1 0 )
		tcMod wobble 1
	}
	{
		// A number that is not there counts as 0.
		map x.tga
		tcMod scroll 1
	}
}
