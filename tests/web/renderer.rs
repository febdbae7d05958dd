//! In: small figures made here. Out: proof by pixels that the renderer draws them as the games do: which way up, which side,
//! which colour.

use glam::Vec3;
use rigview::figure::{Figure, Part};
use rigview::material::{
    AlphaTest, BlendFactor, ImageRef, Layer, Material, Program, Shading, Sides, TexCoordGen, TexMod,
};
use rigview::model::{Keys, Mesh, Model, Shape};
use rigview::render::gl::Pixels;
use rigview::render::{GpuFigure, Picture, Renderer, Theme};
use rigview::report::Report;
use rigview::stage::{Orbit, Show, Stage};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

const SIZE: u32 = 64;

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const WHITE: [u8; 4] = [255; 4];
const BLACK: [u8; 4] = [0, 0, 0, 255];
const NOTHING: [u8; 4] = [0; 4];

/// A square that fills the view, seen from +X: its front, with the image's top left corner at the top left.
struct Scene {
    renderer: Renderer,
    figure: Figure,
    gpu: GpuFigure,
    stage: Stage,
    seconds: f32,
}

impl Scene {
    fn new(material: Material) -> Self {
        Self::of(vec![(0.0, material)])
    }

    /// Squares one behind the other, each at its x.
    fn of(squares: Vec<(f32, Material)>) -> Self {
        let document = web_sys::window().unwrap().document().unwrap();
        let canvas: web_sys::HtmlCanvasElement = document.create_element("canvas").unwrap().unchecked_into();
        canvas.set_width(SIZE);
        canvas.set_height(SIZE);
        let context = canvas.get_context("webgl2").unwrap().expect("WebGL 2 is on");
        let renderer = Renderer::new(context.unchecked_into()).expect("the shaders compile");

        let (meshes, materials) =
            squares.into_iter().enumerate().map(|(index, (x, material))| (square(x, index), material)).unzip();
        let model = Model { meshes, materials, ..Model::default() };
        rigview::model::check::check(&model).expect("a sound model");
        let mut figure = Figure::new("square", "test", vec![Part::new("", vec![model], None)], Report::default());
        figure.update();
        let mut gpu = GpuFigure::default();
        gpu.attach(&figure);
        let mut stage = Stage::new();
        stage.show = Show { grid: false, ..Show::default() };
        // From 10 away the square of ±1 fills a view whose half height is 1.
        stage.orbit = Orbit { target: Vec3::ZERO, yaw: 0.0, pitch: 0.0, distance: 10.0, fov_y: 2.0 * 0.1f32.atan() };
        Self { renderer, figure, gpu, stage, seconds: 0.0 }
    }

    /// Hands over the images that are wanted, in order.
    fn set_images(&mut self, images: &[(u32, u32, &[[u8; 4]])]) {
        let ids: Vec<u32> = self.gpu.images.wanted().map(|(id, _)| id).collect();
        assert_eq!(ids.len(), images.len(), "as many images as are wanted");
        for (id, &(width, height, pixels)) in ids.into_iter().zip(images) {
            let pixels = Pixels::Rgba(pixels.as_flattened());
            assert!(self.gpu.images.set(self.renderer.gl(), id, width, height, pixels));
        }
    }

    fn draw(&mut self) -> Vec<u8> {
        let picture = Picture {
            width: SIZE,
            height: SIZE,
            pixel_ratio: 1.0,
            seconds: self.seconds,
            theme: Theme { background: [0.0; 4], ..Theme::default() },
        };
        self.figure.update();
        self.renderer.draw(&mut self.gpu, &self.figure, &self.stage, &picture);
        self.renderer.gl().read_pixels(SIZE, SIZE)
    }

    /// The pixel at fractions of the canvas, from the top left.
    fn pixel(&mut self, x: f32, y: f32) -> [u8; 4] {
        let pixels = self.draw();
        let (column, row) = ((x * SIZE as f32) as usize, ((1.0 - y) * SIZE as f32) as usize);
        let at = (row * SIZE as usize + column) * 4;
        pixels[at..at + 4].try_into().unwrap()
    }

    /// The colours in the middle of the quarters, each channel fully on or off: smoothing lets the neighbours in a little.
    fn quarters(&mut self) -> [[u8; 4]; 4] {
        [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)]
            .map(|(x, y)| self.pixel(x, y).map(|channel| if channel > 127 { 255 } else { 0 }))
    }
}

fn square(x: f32, material: usize) -> Mesh {
    let unit = 64.0;
    let corner = |y: f32, z: f32| [(x * unit) as i16, (y * unit) as i16, (z * unit) as i16, 0];
    let keys = Keys {
        frames: 1,
        // Seen from +X, +Y is to the right.
        positions: vec![corner(-1.0, 1.0), corner(1.0, 1.0), corner(-1.0, -1.0), corner(1.0, -1.0)],
        normals: vec![[32767, 0, 0, 0]; 4],
    };
    Mesh {
        name: "square".into(),
        material,
        uvs: vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]],
        triangles: vec![[0, 2, 1], [1, 2, 3]],
        shape: Shape::Keyed(keys),
        morphs: Vec::new(),
    }
}

fn image(name: &str) -> ImageRef {
    ImageRef {
        slot: "diffuse".into(),
        program: Program::Image(name.into()),
        paths: vec![Some(name.into())],
        tried: Vec::new(),
        unread: None,
    }
}

/// The image as it is, without light.
fn unlit(name: &str) -> Layer {
    Layer { shading: Shading::Unlit, images: vec![image(name)], ..Layer::lit() }
}

fn material(layers: Vec<Layer>) -> Material {
    Material { layers, ..Material::plain("square", None) }
}

/// Whether each channel is within one step.
fn near(a: [u8; 4], b: [u8; 4]) -> bool {
    a.iter().zip(b).all(|(&a, b)| a.abs_diff(b) <= 1)
}

/// Each colour fills a quarter, wide enough that no driver's smoothing brings a neighbour into its middle.
const fn quarters_of(colours: [[u8; 4]; 4]) -> [[u8; 4]; 256] {
    let mut pixels = [NOTHING; 256];
    let mut index = 0;
    while index < 256 {
        pixels[index] = colours[index / 128 * 2 + index % 16 / 8];
        index += 1;
    }
    pixels
}

const FOUR: (u32, u32, &[[u8; 4]]) = (16, 16, &quarters_of([RED, GREEN, BLUE, WHITE]));

#[wasm_bindgen_test]
fn the_images_first_row_is_at_v_0() {
    let mut scene = Scene::new(material(vec![unlit("four")]));
    scene.set_images(&[FOUR]);
    assert_eq!(scene.quarters(), [RED, GREEN, BLUE, WHITE]);
}

#[wasm_bindgen_test]
fn backs_are_culled_unless_the_material_has_two_sides() {
    let mut scene = Scene::new(material(vec![unlit("four")]));
    scene.set_images(&[FOUR]);
    scene.stage.orbit.yaw = std::f32::consts::PI;
    assert_eq!(scene.quarters(), [NOTHING; 4]);

    let mut both = Scene::new(Material { sides: Sides::Both, ..material(vec![unlit("four")]) });
    both.set_images(&[FOUR]);
    both.stage.orbit.yaw = std::f32::consts::PI;
    assert_eq!(both.quarters(), [GREEN, RED, WHITE, BLUE], "mirrored, as seen from behind");

    let mut back = Scene::new(Material { sides: Sides::Back, ..material(vec![unlit("four")]) });
    back.set_images(&[FOUR]);
    assert_eq!(back.quarters(), [NOTHING; 4]);
}

#[wasm_bindgen_test]
fn the_back_of_a_two_sided_surface_is_lit_like_its_front() {
    let mut scene = Scene::new(Material {
        sides: Sides::Both,
        ..material(vec![Layer { images: vec![image("grey")], ..Layer::lit() }])
    });
    scene.set_images(&[(1, 1, &[[128, 128, 128, 255]])]);
    let front = scene.pixel(0.5, 0.5);
    scene.stage.orbit.yaw = std::f32::consts::PI;
    assert!(near(scene.pixel(0.5, 0.5), front), "{front:?} in front");
    assert!(front[0] > 90 && front[0] < 170, "{front:?}: about as bright as the image");
}

#[wasm_bindgen_test]
fn colours_come_out_as_they_went_in_and_blend_as_light() {
    let mut grey = Scene::new(material(vec![unlit("grey")]));
    grey.set_images(&[(1, 1, &[[128, 64, 10, 255]])]);
    let pixel = grey.pixel(0.5, 0.5);
    assert!(near(pixel, [128, 64, 10, 255]), "{pixel:?}");

    // Half way between black and white there is half the light, which sRGB writes as 188.
    let mut edge = Scene::new(material(vec![Layer { clamp: true, ..unlit("edge") }]));
    edge.set_images(&[(2, 1, &[BLACK, WHITE])]);
    let pixel = edge.pixel(0.5, 0.5);
    assert!(pixel[0].abs_diff(188) <= 6, "{pixel:?}");
}

#[wasm_bindgen_test]
fn an_opaque_layer_ignores_alpha_and_a_test_cuts_holes() {
    let pixels = &quarters_of([[255, 0, 0, 0], GREEN, BLUE, [255, 255, 255, 100]]);
    let mut opaque = Scene::new(material(vec![unlit("holes")]));
    opaque.set_images(&[(16, 16, pixels)]);
    assert_eq!(opaque.quarters(), [RED, GREEN, BLUE, WHITE]);

    let mut tested =
        Scene::new(material(vec![Layer { alpha_test: Some(AlphaTest::GreaterOrEqual(0.5)), ..unlit("holes") }]));
    tested.set_images(&[(16, 16, pixels)]);
    assert_eq!(tested.quarters(), [NOTHING, GREEN, BLUE, NOTHING]);
}

#[wasm_bindgen_test]
fn layers_blend_on_what_is_below() {
    let add = Layer { blend: Some((BlendFactor::One, BlendFactor::One)), depth_write: false, ..unlit("glow") };
    let mut scene = Scene::new(material(vec![unlit("base"), add]));
    scene.set_images(&[(1, 1, &[[100, 0, 50, 255]]), (1, 1, &[[100, 60, 0, 255]])]);
    let pixel = scene.pixel(0.5, 0.5);
    assert!(near(pixel, [200, 60, 50, 255]), "{pixel:?}: added as the games do, on stored values");
}

#[wasm_bindgen_test]
fn a_translucent_surface_shows_what_is_behind_it_in_whatever_order_they_come() {
    let glass = Layer {
        blend: Some((BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha)),
        depth_write: false,
        ..unlit("glass")
    };
    let glass = Material { translucent: true, ..material(vec![glass]) };
    // The glass comes first in the file and is in front.
    let mut scene = Scene::of(vec![(0.5, glass), (-0.5, material(vec![unlit("wall")]))]);
    scene.set_images(&[(1, 1, &[[255, 0, 0, 128]]), (1, 1, &[[0, 0, 200, 255]])]);
    let pixel = scene.pixel(0.5, 0.5);
    assert!(near(pixel, [128, 0, 100, 255]), "{pixel:?}");
}

#[wasm_bindgen_test]
fn texture_coordinates_scroll_and_images_take_turns() {
    let mut scene = Scene::new(material(vec![Layer {
        tex_mods: vec![TexMod::Scroll(glam::Vec2::new(0.5, 0.0))],
        ..unlit("four")
    }]));
    scene.set_images(&[FOUR]);
    scene.seconds = 1.0;
    assert_eq!(scene.quarters(), [GREEN, RED, WHITE, BLUE]);

    let mut turns =
        Scene::new(material(vec![Layer { images: vec![image("a"), image("b")], image_rate: 2.0, ..unlit("a") }]));
    turns.set_images(&[(1, 1, &[RED]), (1, 1, &[BLUE])]);
    assert_eq!(turns.pixel(0.5, 0.5), RED);
    turns.seconds = 0.75;
    assert_eq!(turns.pixel(0.5, 0.5), BLUE);
}

#[wasm_bindgen_test]
fn chrome_moves_with_the_view() {
    let mut scene =
        Scene::new(material(vec![Layer { tex_coords: TexCoordGen::Chrome, clamp: true, ..unlit("chrome") }]));
    scene.set_images(&[(2, 1, &[BLACK, WHITE])]);
    // A mirror that faces the viewer shows the middle of the chrome.
    let middle = scene.pixel(0.5, 0.5)[0];
    scene.stage.orbit.yaw = 0.6;
    let left = scene.pixel(0.5, 0.5)[0];
    scene.stage.orbit.yaw = -0.6;
    let right = scene.pixel(0.5, 0.5)[0];
    assert!(left.abs_diff(middle) > 30 && right.abs_diff(middle) > 30, "{left} {middle} {right}");
    assert!((left > middle) != (right > middle), "{left} {middle} {right}: turning to either side");
}

#[wasm_bindgen_test]
fn what_lacks_its_image_is_lit_clay_even_where_the_game_would_not_light_it() {
    let mut scene = Scene::new(material(vec![unlit("gone")]));
    scene.stage.orbit.yaw = 1.2;
    let [one, ..] = scene.pixel(0.5, 0.5);
    scene.stage.orbit.yaw = -1.2;
    let [other, ..] = scene.pixel(0.5, 0.5);
    assert!(one.abs_diff(other) > 20, "{one} {other}: brighter towards the key light, so that form reads");

    // What lets the background through stays away until its image comes.
    let glass = Layer { blend: Some((BlendFactor::One, BlendFactor::One)), ..unlit("late") };
    let mut glass = Scene::new(Material { translucent: true, ..material(vec![glass]) });
    assert_eq!(glass.pixel(0.5, 0.5), NOTHING);
}

#[wasm_bindgen_test]
fn a_surface_waits_for_its_image_in_neutral_clay() {
    let mut scene = Scene::new(material(vec![Layer { images: vec![image("late")], ..Layer::lit() }]));
    let [r, g, b, a] = scene.pixel(0.5, 0.5);
    assert_eq!(a, 255);
    assert!(r > 120 && r.abs_diff(g) < 12 && g.abs_diff(b) < 12, "{r} {g} {b}: bright and without colour");
    scene.set_images(&[(1, 1, &[[255, 0, 0, 255]])]);
    let [r, g, _, _] = scene.pixel(0.5, 0.5);
    assert!(r > 200 && g < 60);
}

#[wasm_bindgen_test]
fn an_image_that_comes_too_late_is_not_taken_for_another() {
    let dressed = |name: &str| Scene::new(material(vec![Layer { images: vec![image(name)], ..Layer::lit() }]));
    let mut scene = dressed("first");
    let asked: Vec<u32> = scene.gpu.images.wanted().map(|(id, _)| id).collect();
    scene.figure = dressed("second").figure;
    scene.gpu.clear();
    scene.gpu.attach(&scene.figure);
    for id in asked {
        let pixels = Pixels::Rgba(&[255, 0, 0, 255]);
        assert!(!scene.gpu.images.set(scene.renderer.gl(), id, 1, 1, pixels), "nobody asks for it any more");
    }
    scene.set_images(&[(1, 1, &[[0, 255, 0, 255]])]);
    let [r, g, _, _] = scene.pixel(0.5, 0.5);
    assert!(g > 200 && r < 60, "{r} {g}");
}
