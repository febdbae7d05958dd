add { 
	{
	map x.tga
	blendFunc add
	}
}
filter
{
	{
		map x.tga
		blendfunc FILTER
		depthWrite
	}
}
blend
{
	{
		map x.tga
	}
	{
		map x.tga
		blendFunc blend
		alphaFunc GE128
	}
}
factors
{
	{
		map x.tga
		blendFunc GL_ONE GL_ZERO
		alphaFunc GT0
	}
	{
		map x.tga
		blendFunc GL_SRC_COLOR GL_ONE_MINUS_SRC_COLOR
		alphaFunc lt128
	}
	{
		map x.tga
		blendFunc GL_DST_COLOR GL_ONE_MINUS_DST_COLOR
	}
	{
		map x.tga
		blendFunc gl_src_alpha gl_one_minus_src_alpha
	}
	{
		map x.tga
		blendFunc GL_DST_ALPHA GL_ONE_MINUS_DST_ALPHA
	}
	{
		map x.tga
		blendFunc GL_SRC_ALPHA_SATURATE GL_ONE
	}
}
wrong
{
	{
		map x.tga
		blendFunc GL_ONE GL_TWO
		alphaFunc GE64
	}
}
