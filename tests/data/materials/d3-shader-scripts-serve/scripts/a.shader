models/rifle { cull none { map models/rifle.tga rgbGen lightingDiffuse } }
