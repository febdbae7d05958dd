//! RAII over glow: in come slices and plain values, out come GL objects that free themselves.
//! The only `unsafe` of the crate. glow marks every call unsafe because desktop GL trusts its caller; WebGL checks every
//! argument itself. What is left to uphold is that an object is used with the context that made it, so each object carries
//! its context, and the functions that take two objects compare theirs.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::rc::Rc;

use glow::HasContext;
use web_sys::WebGl2RenderingContext as Web;

use crate::image::{BlockFormat, Compressed};

/// A WebGL 2 context, with the state that was set last, so that nothing is set twice.
#[derive(Clone)]
pub struct Gl(Rc<Context>);

struct Context {
    raw: glow::Context,
    /// The same context for the calls that glow does not offer.
    web: Web,
    state: Cell<Option<State>>,
    anisotropy: f32,
    blocks: BlockSupport,
}

/// Which compressed images the graphics card takes.
#[derive(Clone, Copy, Debug)]
struct BlockSupport {
    s3tc: bool,
    s3tc_srgb: bool,
    rgtc: bool,
    bptc: bool,
}

/// How fragments meet what is already drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    pub cull: Option<Face>,
    /// Nearer or equal passes.
    pub depth_test: bool,
    pub depth_write: bool,
    /// Source and destination factor of the colour; alpha always accumulates coverage.
    pub blend: Option<(u32, u32)>,
    /// Pushes filled triangles back by a hair, so that lines on them win.
    pub push_back: bool,
}

impl State {
    pub const OPAQUE: Self =
        Self { cull: Some(Face::Back), depth_test: true, depth_write: true, blend: None, push_back: false };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    Front,
    Back,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Primitive {
    Triangles,
    Lines,
}

impl Gl {
    /// `web` must not be lost.
    pub fn new(web: Web) -> Self {
        let raw = glow::Context::from_webgl2_context(web.clone());
        let anisotropic = raw.supported_extensions().contains("EXT_texture_filter_anisotropic");
        // SAFETY: a query of a known parameter, which exists where the extension does.
        let anisotropy =
            if anisotropic { unsafe { raw.get_parameter_f32(glow::MAX_TEXTURE_MAX_ANISOTROPY_EXT) } } else { 1.0 };
        // Asking for an extension turns it on.
        let has = |name: &str| matches!(web.get_extension(name), Ok(Some(_)));
        let blocks = BlockSupport {
            s3tc: has("WEBGL_compressed_texture_s3tc"),
            s3tc_srgb: has("WEBGL_compressed_texture_s3tc_srgb"),
            rgtc: has("EXT_texture_compression_rgtc"),
            bptc: has("EXT_texture_compression_bptc"),
        };
        let gl = Self(Rc::new(Context { raw, web, state: Cell::new(None), anisotropy, blocks }));
        // SAFETY: plain state. Rows of images are packed without padding; colours and alpha are taken as they are.
        unsafe {
            gl.raw().pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
            gl.raw().pixel_store_bool(Web::UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
            gl.raw().pixel_store_i32(Web::UNPACK_COLORSPACE_CONVERSION_WEBGL, glow::NONE as i32);
            gl.raw().depth_func(glow::LEQUAL);
            gl.raw().polygon_offset(1.0, 1.0);
        }
        gl
    }

    fn raw(&self) -> &glow::Context {
        &self.0.raw
    }

    fn is(&self, other: &Gl) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// The longest side an image may have.
    pub fn max_texture_size(&self) -> u32 {
        // SAFETY: a query of a known parameter.
        unsafe { self.raw().get_parameter_i32(glow::MAX_TEXTURE_SIZE) as u32 }
    }

    /// OpenGL's number for such blocks, if the graphics card takes them. One and two channels serve as data only.
    pub fn block_format(&self, format: BlockFormat, meaning: Meaning) -> Option<u32> {
        let BlockSupport { s3tc, s3tc_srgb, rgtc, bptc } = self.0.blocks;
        let (has, number) = match (meaning, format) {
            (Meaning::Data, BlockFormat::Bc1) => (s3tc, glow::COMPRESSED_RGBA_S3TC_DXT1_EXT),
            (Meaning::Data, BlockFormat::Bc2) => (s3tc, glow::COMPRESSED_RGBA_S3TC_DXT3_EXT),
            (Meaning::Data, BlockFormat::Bc3) => (s3tc, glow::COMPRESSED_RGBA_S3TC_DXT5_EXT),
            (Meaning::Data, BlockFormat::Bc5) => (rgtc, glow::COMPRESSED_RG_RGTC2),
            (Meaning::Data, BlockFormat::Bc7) => (bptc, glow::COMPRESSED_RGBA_BPTC_UNORM),
            (Meaning::Color, BlockFormat::Bc1) => (s3tc_srgb, glow::COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT),
            (Meaning::Color, BlockFormat::Bc2) => (s3tc_srgb, glow::COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT),
            (Meaning::Color, BlockFormat::Bc3) => (s3tc_srgb, glow::COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT),
            (Meaning::Color, BlockFormat::Bc7) => (bptc, glow::COMPRESSED_SRGB_ALPHA_BPTC_UNORM),
            (_, BlockFormat::Bc4) | (Meaning::Color, BlockFormat::Bc5) => return None,
        };
        has.then_some(number)
    }

    pub fn viewport(&self, width: u32, height: u32) {
        // SAFETY: plain state.
        unsafe { self.raw().viewport(0, 0, width as i32, height as i32) }
    }

    /// Clears colour (premultiplied by its alpha) and depth.
    pub fn clear(&self, color: [f32; 4]) {
        self.set(State::OPAQUE);
        let [r, g, b, a] = color;
        // SAFETY: plain state and a draw to the canvas.
        unsafe {
            self.raw().clear_color(r, g, b, a);
            self.raw().clear(glow::COLOR_BUFFER_BIT | glow::DEPTH_BUFFER_BIT);
        }
    }

    pub fn set(&self, state: State) {
        let before = self.0.state.replace(Some(state));
        if before == Some(state) {
            return;
        }
        let gl = self.raw();
        let switch = |capability, on| {
            // SAFETY: plain state.
            unsafe { if on { gl.enable(capability) } else { gl.disable(capability) } }
        };
        switch(glow::CULL_FACE, state.cull.is_some());
        switch(glow::DEPTH_TEST, state.depth_test);
        switch(glow::BLEND, state.blend.is_some());
        switch(glow::POLYGON_OFFSET_FILL, state.push_back);
        // SAFETY: plain state; the blend factors come from `BlendFactor`s or are checked by WebGL.
        unsafe {
            gl.depth_mask(state.depth_write);
            if let Some(face) = state.cull {
                gl.cull_face(if face == Face::Back { glow::BACK } else { glow::FRONT });
            }
            if let Some((source, destination)) = state.blend {
                // Over a see-through canvas only what covers may add to the coverage: light that is added must not.
                let covers = destination == glow::ONE_MINUS_SRC_ALPHA;
                let alpha = if covers { (glow::ONE, glow::ONE_MINUS_SRC_ALPHA) } else { (glow::ZERO, glow::ONE) };
                gl.blend_func_separate(source, destination, alpha.0, alpha.1);
            }
        }
    }

    /// Draws `count` indices of the bound vertex array.
    pub fn draw_elements(&self, primitive: Primitive, count: usize, width: IndexWidth) {
        let mode = match primitive {
            Primitive::Triangles => glow::TRIANGLES,
            Primitive::Lines => glow::LINES,
        };
        let kind = match width {
            IndexWidth::Short => glow::UNSIGNED_SHORT,
            IndexWidth::Long => glow::UNSIGNED_INT,
        };
        // SAFETY: WebGL refuses indices outside the bound buffers.
        unsafe { self.raw().draw_elements(mode, count as i32, kind, 0) }
    }

    /// Draws `instances` strips of `vertices` vertices of the bound vertex array.
    pub fn draw_strips(&self, vertices: usize, instances: usize) {
        // SAFETY: WebGL refuses reads outside the bound buffers.
        unsafe { self.raw().draw_arrays_instanced(glow::TRIANGLE_STRIP, 0, vertices as i32, instances as i32) }
    }

    /// The drawn pixels, RGBA, bottom row first.
    pub fn read_pixels(&self, width: u32, height: u32) -> Vec<u8> {
        let mut pixels = vec![0; width as usize * height as usize * 4];
        let out = glow::PixelPackData::Slice(Some(&mut pixels));
        // SAFETY: `pixels` holds the width × height × RGBA bytes asked for.
        unsafe { self.raw().read_pixels(0, 0, width as i32, height as i32, glow::RGBA, glow::UNSIGNED_BYTE, out) };
        pixels
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexWidth {
    Short,
    Long,
}

/// A linked shader program.
pub struct Program {
    gl: Gl,
    raw: glow::Program,
}

/// Where a program takes a value; absent where the shader does not use it.
pub struct Uniform(Option<glow::UniformLocation>);

impl Program {
    /// Both sources are GLSL ES 3.00 without the `#version` line; `defines` go before each.
    /// The compiler works in the background until the program is first used.
    pub fn new(gl: &Gl, vertex: &str, fragment: &str) -> Self {
        let raw = gl.raw();
        // SAFETY: every object is of this context and is attached or deleted right here. A lost context hands out dead
        // objects, on which calls do nothing.
        let program = unsafe {
            let program = raw.create_program().expect("WebGL always hands out a program");
            for (kind, source) in [(glow::VERTEX_SHADER, vertex), (glow::FRAGMENT_SHADER, fragment)] {
                let shader = raw.create_shader(kind).expect("WebGL always hands out a shader");
                raw.shader_source(shader, source);
                raw.compile_shader(shader);
                raw.attach_shader(program, shader);
                raw.delete_shader(shader);
            }
            raw.link_program(program);
            program
        };
        Self { gl: gl.clone(), raw: program }
    }

    /// What the compiler says, if the program does not work. Waits for the compiler.
    pub fn error(&self) -> Option<String> {
        let raw = self.gl.raw();
        // SAFETY: the program is of this context.
        unsafe {
            if raw.get_program_link_status(self.raw) || self.gl.0.web.is_context_lost() {
                return None;
            }
            Some(raw.get_program_info_log(self.raw))
        }
    }

    pub fn uniform(&self, name: &str) -> Uniform {
        // SAFETY: the program is of this context.
        Uniform(unsafe { self.gl.raw().get_uniform_location(self.raw, name) })
    }

    pub fn bind(&self) {
        // SAFETY: the program is of this context.
        unsafe { self.gl.raw().use_program(Some(self.raw)) }
    }

    // The setters below are for the bound program. WebGL refuses the location of another one.

    pub fn set_int(&self, to: &Uniform, value: i32) {
        // SAFETY: see above.
        unsafe { self.gl.raw().uniform_1_i32(to.0.as_ref(), value) }
    }

    pub fn set_float(&self, to: &Uniform, value: f32) {
        // SAFETY: see above.
        unsafe { self.gl.raw().uniform_1_f32(to.0.as_ref(), value) }
    }

    pub fn set_vec2(&self, to: &Uniform, value: [f32; 2]) {
        // SAFETY: see above.
        unsafe { self.gl.raw().uniform_2_f32(to.0.as_ref(), value[0], value[1]) }
    }

    pub fn set_vec3(&self, to: &Uniform, value: [f32; 3]) {
        // SAFETY: see above.
        unsafe { self.gl.raw().uniform_3_f32(to.0.as_ref(), value[0], value[1], value[2]) }
    }

    pub fn set_vec4(&self, to: &Uniform, value: [f32; 4]) {
        // SAFETY: see above.
        unsafe { self.gl.raw().uniform_4_f32(to.0.as_ref(), value[0], value[1], value[2], value[3]) }
    }

    /// An array of vec4.
    pub fn set_vec4s(&self, to: &Uniform, values: &[[f32; 4]]) {
        // SAFETY: see above; WebGL reads the slice before it returns.
        unsafe { self.gl.raw().uniform_4_f32_slice(to.0.as_ref(), bytemuck::cast_slice(values)) }
    }

    /// Column by column.
    pub fn set_mat4(&self, to: &Uniform, value: &[f32; 16]) {
        // SAFETY: see above; WebGL reads the slice before it returns.
        unsafe { self.gl.raw().uniform_matrix_4_f32_slice(to.0.as_ref(), false, value) }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: the program is of this context and is not used after this.
        unsafe { self.gl.raw().delete_program(self.raw) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Vertices,
    Indices,
}

/// Bytes on the GPU.
pub struct Buffer {
    gl: Gl,
    raw: glow::Buffer,
    target: Target,
    bytes: usize,
}

impl Buffer {
    fn create(gl: &Gl, target: Target, bytes: usize, fill: impl FnOnce(&glow::Context, u32)) -> Self {
        // WebGL keeps a vertex array's indices as its own state: they must not be bound while another array is.
        // SAFETY: the buffer is of this context.
        let raw = unsafe {
            gl.raw().bind_vertex_array(None);
            let raw = gl.raw().create_buffer().expect("WebGL always hands out a buffer");
            gl.raw().bind_buffer(target.name(), Some(raw));
            raw
        };
        fill(gl.raw(), target.name());
        Self { gl: gl.clone(), raw, target, bytes }
    }

    /// Vertex data that stays.
    pub fn vertices(gl: &Gl, data: &[u8]) -> Self {
        Self::create(gl, Target::Vertices, data.len(), |raw, target| {
            // SAFETY: WebGL copies the slice before it returns.
            unsafe { raw.buffer_data_u8_slice(target, data, glow::STATIC_DRAW) }
        })
    }

    /// Room for vertex data that is written again and again.
    pub fn dynamic(gl: &Gl, bytes: usize) -> Self {
        Self::create(gl, Target::Vertices, bytes, |raw, target| {
            // SAFETY: reserves memory; WebGL fills it with zeros.
            unsafe { raw.buffer_data_size(target, bytes as i32, glow::DYNAMIC_DRAW) }
        })
    }

    pub fn indices(gl: &Gl, data: &[u8]) -> Self {
        Self::create(gl, Target::Indices, data.len(), |raw, target| {
            // SAFETY: WebGL copies the slice before it returns.
            unsafe { raw.buffer_data_u8_slice(target, data, glow::STATIC_DRAW) }
        })
    }

    pub fn byte_count(&self) -> usize {
        self.bytes
    }

    /// Overwrites the buffer's start, straight from wasm memory.
    pub fn write(&self, data: &[u8]) {
        // SAFETY: the buffer is of this context; WebGL copies the slice before it returns and refuses one that is too long.
        unsafe {
            self.gl.raw().bind_buffer(self.target.name(), Some(self.raw));
            self.gl.raw().buffer_sub_data_u8_slice(self.target.name(), 0, data);
        }
    }
}

impl Target {
    fn name(self) -> u32 {
        match self {
            Target::Vertices => glow::ARRAY_BUFFER,
            Target::Indices => glow::ELEMENT_ARRAY_BUFFER,
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the buffer is of this context and is not used after this.
        unsafe { self.gl.raw().delete_buffer(self.raw) }
    }
}

/// One input of a vertex shader.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// The shader's `location`.
    pub location: u32,
    pub components: i32,
    pub kind: AttributeKind,
    /// Bytes from one vertex to the next, and from the buffer's start to the first.
    pub stride: i32,
    pub offset: i32,
    /// One value an instance instead of one a vertex.
    pub per_instance: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeKind {
    Float,
    /// 0..255 arrives as 0..1.
    UnitByte,
}

/// Which buffers feed a shader.
pub struct VertexArray {
    gl: Gl,
    raw: glow::VertexArray,
}

impl VertexArray {
    pub fn new(gl: &Gl, inputs: &[(&Buffer, Attribute)], indices: Option<&Buffer>) -> Self {
        // SAFETY: the array is new, the buffers are checked to be of this context.
        unsafe {
            let raw = gl.raw().create_vertex_array().expect("WebGL always hands out a vertex array");
            gl.raw().bind_vertex_array(Some(raw));
            for (buffer, attribute) in inputs {
                assert!(gl.is(&buffer.gl), "a buffer of another context");
                gl.raw().bind_buffer(glow::ARRAY_BUFFER, Some(buffer.raw));
                gl.raw().enable_vertex_attrib_array(attribute.location);
                let (kind, normalized) = match attribute.kind {
                    AttributeKind::Float => (glow::FLOAT, false),
                    AttributeKind::UnitByte => (glow::UNSIGNED_BYTE, true),
                };
                let Attribute { location, components, stride, offset, .. } = *attribute;
                gl.raw().vertex_attrib_pointer_f32(location, components, kind, normalized, stride, offset);
                gl.raw().vertex_attrib_divisor(location, u32::from(attribute.per_instance));
            }
            if let Some(buffer) = indices {
                assert!(gl.is(&buffer.gl), "a buffer of another context");
                gl.raw().bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(buffer.raw));
            }
            gl.raw().bind_vertex_array(None);
            Self { gl: gl.clone(), raw }
        }
    }

    pub fn bind(&self) {
        // SAFETY: the array is of this context.
        unsafe { self.gl.raw().bind_vertex_array(Some(self.raw)) }
    }
}

impl Drop for VertexArray {
    fn drop(&mut self) {
        // SAFETY: the array is of this context and is not used after this.
        unsafe { self.gl.raw().delete_vertex_array(self.raw) }
    }
}

/// Rows of pixels to upload, top row first, alpha not multiplied in. All of an image, or some.
pub enum Pixels<'a> {
    /// Four bytes a pixel.
    Rgba(&'a [u8]),
    /// The same, still on JavaScript's side: no copy is made on ours.
    RgbaView(&'a js_sys::Uint8Array),
    Bitmap(&'a web_sys::ImageBitmap),
    Element(&'a web_sys::HtmlImageElement),
}

impl Pixels<'_> {
    /// How many rows there are of an image of this width; `None` where the last one is not whole.
    pub fn rows(&self, width: u32) -> Option<u32> {
        let of_bytes = |length: u32| (width > 0 && length.is_multiple_of(4 * width)).then(|| length / (4 * width));
        match self {
            Pixels::Rgba(bytes) => of_bytes(bytes.len() as u32),
            Pixels::RgbaView(bytes) => of_bytes(bytes.length()),
            Pixels::Bitmap(bitmap) => (bitmap.width() == width).then(|| bitmap.height()),
            Pixels::Element(image) => (image.natural_width() == width).then(|| image.natural_height()),
        }
    }
}

/// What the numbers in an image mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// sRGB: the GPU hands out linear light.
    Color,
    /// Numbers as they are: normal maps.
    Data,
}

/// An image on the GPU, with all its mipmaps.
pub struct Texture {
    gl: Gl,
    raw: glow::Texture,
}

impl Texture {
    /// One pixel.
    pub fn pixel(gl: &Gl, rgba: [u8; 4]) -> Self {
        let texture = Self::empty(gl, Meaning::Color, 1, 1);
        texture.write(1, 1, 0, Pixels::Rgba(&rgba));
        texture
    }

    /// Room for an image of this size and its mipmaps, all zero. Neither side may be 0.
    pub fn empty(gl: &Gl, meaning: Meaning, width: u32, height: u32) -> Self {
        let format = match meaning {
            Meaning::Color => glow::SRGB8_ALPHA8,
            Meaning::Data => glow::RGBA8,
        };
        let levels = width.max(height).max(1).ilog2() + 1;
        let raw = gl.raw();
        // SAFETY: the texture is of this context; WebGL refuses a size that it cannot hold.
        unsafe {
            let texture = raw.create_texture().expect("WebGL always hands out a texture");
            raw.active_texture(glow::TEXTURE0);
            raw.bind_texture(glow::TEXTURE_2D, Some(texture));
            raw.tex_storage_2d(glow::TEXTURE_2D, levels as i32, format, width as i32, height as i32);
            Self { gl: gl.clone(), raw: texture }
        }
    }

    /// Fills rows from `top` on: `rows` of them, of the whole width of the image.
    pub fn write(&self, width: u32, rows: u32, top: u32, pixels: Pixels) {
        self.bind(0);
        let gl = self.gl.raw();
        let [width, rows, top] = [width, rows, top].map(|number| number as i32);
        let (target, format, kind) = (glow::TEXTURE_2D, glow::RGBA, glow::UNSIGNED_BYTE);
        // SAFETY: the texture is of this context and bound; WebGL copies the pixels before it returns, and refuses slices that are
        // too short and rows that are outside.
        unsafe {
            match pixels {
                Pixels::Rgba(bytes) => {
                    let bytes = glow::PixelUnpackData::Slice(Some(bytes));
                    gl.tex_sub_image_2d(target, 0, 0, top, width, rows, format, kind, bytes);
                }
                Pixels::RgbaView(bytes) => {
                    let web = &self.gl.0.web;
                    let result = web.tex_sub_image_2d_with_i32_and_i32_and_u32_and_type_and_opt_array_buffer_view(
                        target,
                        0,
                        0,
                        top,
                        width,
                        rows,
                        format,
                        kind,
                        Some(bytes),
                    );
                    debug_assert!(result.is_ok(), "texSubImage2D throws on foreign images only");
                }
                Pixels::Bitmap(bitmap) => {
                    gl.tex_sub_image_2d_with_image_bitmap(target, 0, 0, top, format, kind, bitmap);
                }
                Pixels::Element(image) => {
                    gl.tex_sub_image_2d_with_html_image(target, 0, 0, top, format, kind, image);
                }
            }
        }
    }

    /// Makes the mipmaps of what was written.
    pub fn make_mipmaps(&self) {
        self.bind(0);
        // SAFETY: the texture is of this context and bound.
        unsafe { self.gl.raw().generate_mipmap(glow::TEXTURE_2D) }
    }

    /// Of blocks as they are in `file`, in a format that [`Gl::block_format`] gave.
    pub fn of_blocks(gl: &Gl, number: u32, blocks: &Compressed, file: &[u8]) -> Self {
        let raw = gl.raw();
        // SAFETY: the texture is of this context; WebGL copies the blocks before it returns and refuses a wrong number of them.
        unsafe {
            let texture = raw.create_texture().expect("WebGL always hands out a texture");
            raw.active_texture(glow::TEXTURE0);
            raw.bind_texture(glow::TEXTURE_2D, Some(texture));
            for (level, range) in blocks.levels.iter().enumerate() {
                let side = |whole: u32| (whole >> level).max(1) as i32;
                let (width, height) = (side(blocks.width), side(blocks.height));
                let bytes = &file[range.clone()];
                let (level, number, size) = (level as i32, number as i32, bytes.len() as i32);
                raw.compressed_tex_image_2d(glow::TEXTURE_2D, level, number, width, height, 0, size, bytes);
            }
            let last = blocks.levels.len() as i32 - 1;
            raw.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MAX_LEVEL, last);
            Self { gl: gl.clone(), raw: texture }
        }
    }

    pub fn bind(&self, unit: u32) {
        // SAFETY: the texture is of this context.
        unsafe {
            self.gl.raw().active_texture(glow::TEXTURE0 + unit);
            self.gl.raw().bind_texture(glow::TEXTURE_2D, Some(self.raw));
        }
    }
}

impl Drop for Texture {
    fn drop(&mut self) {
        // SAFETY: the texture is of this context and is not used after this.
        unsafe { self.gl.raw().delete_texture(self.raw) }
    }
}

/// How textures are read: smoothly, repeated or clamped.
pub struct Sampler {
    gl: Gl,
    raw: glow::Sampler,
}

impl Sampler {
    pub fn new(gl: &Gl, clamp: bool) -> Self {
        let raw = gl.raw();
        let wrap = if clamp { glow::CLAMP_TO_EDGE } else { glow::REPEAT } as i32;
        // SAFETY: the sampler is of this context.
        unsafe {
            let sampler = raw.create_sampler().expect("WebGL always hands out a sampler");
            raw.sampler_parameter_i32(sampler, glow::TEXTURE_WRAP_S, wrap);
            raw.sampler_parameter_i32(sampler, glow::TEXTURE_WRAP_T, wrap);
            raw.sampler_parameter_i32(sampler, glow::TEXTURE_MIN_FILTER, glow::LINEAR_MIPMAP_LINEAR as i32);
            raw.sampler_parameter_i32(sampler, glow::TEXTURE_MAG_FILTER, glow::LINEAR as i32);
            if gl.0.anisotropy > 1.0 {
                let taps = gl.0.anisotropy.min(8.0);
                raw.sampler_parameter_f32(sampler, glow::TEXTURE_MAX_ANISOTROPY_EXT, taps);
            }
            Self { gl: gl.clone(), raw: sampler }
        }
    }

    pub fn bind(&self, unit: u32) {
        // SAFETY: the sampler is of this context.
        unsafe { self.gl.raw().bind_sampler(unit, Some(self.raw)) }
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        // SAFETY: the sampler is of this context and is not used after this.
        unsafe { self.gl.raw().delete_sampler(self.raw) }
    }
}
