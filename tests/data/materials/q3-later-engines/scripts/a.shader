models/gun
{
	diffuseMap  models/gun_d.tga
	normalMap   models/gun_n.tga
	specularMap models/gun_s.tga
	glowMap     models/gun_g.tga
}
