//! Rigview: models of Doom 3, Quake III, Half-Life and Source, from the bytes of dropped files to pixels.
