none     { cull none     { map x.tga } }
disable  { cull disable  { map x.tga } }
twosided { cull twoSided { map x.tga } }
back     { cull back     { map x.tga } }
front    { cull front    { map x.tga } }
nodraw   { surfaceparm nodraw surfaceparm trans { map x.tga } }
// For the map compiler alone: the game draws no stage.
hint     { qer_trans 0.5 q3map_globaltexture }
