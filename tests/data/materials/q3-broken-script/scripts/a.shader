stray words before
good
{
	{
		map x.tga
	}
}
open
{
	{
		map x.tga
