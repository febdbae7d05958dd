models/x
{
	cull none
}
