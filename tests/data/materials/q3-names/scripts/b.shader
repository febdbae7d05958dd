both { { map b.tga } }
