//! Half-Life's materials: there are no scripts, a texture's flags come from its name and from the .qc. In comes a material named by
//! an .smd, out comes how it is drawn.

use super::{AlphaTest, BlendFactor, Layer, Material, Shading, TexCoordGen};

/// A texture's render mode: what a .qc's `$texrendermode` gives, and what names stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenderMode {
    /// Palette index 255 is a hole (STUDIO_NF_MASKED).
    Masked,
    /// STUDIO_NF_ADDITIVE
    Additive,
    // These came to the .qc with later compilers of the community.
    /// STUDIO_NF_FULLBRIGHT
    FullBright,
    /// STUDIO_NF_FLATSHADE
    FlatShade,
    /// Mirrors by the view, its own coordinates unused (STUDIO_NF_CHROME, which brings FLATSHADE).
    Chrome,
}

impl RenderMode {
    /// What studiomdl takes from a texture's name, which is chrome alone, and what names stand for by custom (the editors of
    /// later compilers know them).
    pub fn of_name(name: &str) -> Vec<RenderMode> {
        let stem = crate::bundle::stem(name).to_ascii_lowercase();
        let mut modes = Vec::new();
        let mut has = |word: &str, mode| {
            if stem.contains(word) {
                modes.push(mode);
            }
        };
        has("chrome", RenderMode::Chrome);
        has("fullbright", RenderMode::FullBright);
        has("flatshade", RenderMode::FlatShade);
        has("additive", RenderMode::Additive);
        has("masked", RenderMode::Masked);
        if stem.starts_with('{') {
            modes.push(RenderMode::Masked);
        }
        modes
    }
}

impl Material {
    /// Sets one of Half-Life's render modes.
    pub fn set_render_mode(&mut self, mode: RenderMode) {
        if self.layers.is_empty() {
            self.layers.push(Layer::lit());
        }
        for layer in &mut self.layers {
            match mode {
                RenderMode::Chrome => {
                    layer.tex_coords = TexCoordGen::Chrome;
                    layer.shading = Shading::Flat;
                }
                RenderMode::FullBright => layer.shading = Shading::Unlit,
                RenderMode::FlatShade => layer.shading = Shading::Flat,
                RenderMode::Additive => {
                    layer.blend = Some((BlendFactor::One, BlendFactor::One));
                    layer.depth_write = false;
                }
                RenderMode::Masked => {
                    layer.masked_index = Some(255);
                    layer.alpha_test = Some(AlphaTest::GreaterOrEqual(0.5));
                }
            }
        }
        self.translucent |= mode == RenderMode::Additive;
    }
}
