//! Materials: scripts by folders of data, the shared cases, and every model of the shared collection dressed.

use std::fmt::Write;
use std::path::Path;

use rigview::bundle::Bundle;
use rigview::figure::Figure;
use rigview::material::{Layer, Material};
use rigview::open;

/// A material as plain text: what differs from a plain opaque layer.
fn dump(material: &Material) -> String {
    let mut out = format!("material {:?} from {}\n", material.name, material.source);
    let mut flags = Vec::new();
    if material.sides != Default::default() {
        flags.push(format!("sides {:?}", material.sides));
    }
    if material.hidden {
        flags.push("hidden".to_string());
    }
    if material.translucent {
        flags.push("translucent".to_string());
    }
    flags.extend(material.deforms.iter().map(|deform| format!("{deform:?}")));
    for flag in flags {
        writeln!(out, "  {flag}").unwrap();
    }
    for (index, layer) in material.layers.iter().enumerate() {
        writeln!(out, "  layer {index}: {:?}", layer.shading).unwrap();
        out += &dump_layer(layer);
    }
    out
}

fn dump_layer(layer: &Layer) -> String {
    let mut out = String::new();
    let plain = Layer::lit();
    for image in layer.all_images() {
        let paths: Vec<_> = image.paths.iter().map(|path| path.as_deref().unwrap_or("nothing")).collect();
        writeln!(out, "    {}: {} = {}", image.slot, image.program, paths.join(", ")).unwrap();
    }
    let mut line = |differs: bool, text: String| {
        if differs {
            writeln!(out, "    {text}").unwrap();
        }
    };
    line(layer.white, "white".to_string());
    line(layer.image_rate != 0.0, format!("{} images a second", layer.image_rate));
    line(layer.clamp, "clamp".to_string());
    line(layer.blend.is_some(), format!("blend {:?}", layer.blend.iter().next()));
    line(layer.alpha_test.is_some(), format!("alpha test {:?}", layer.alpha_test.iter().next()));
    line(!layer.depth_write, "no depth write".to_string());
    line(layer.rgb != plain.rgb, format!("rgb {:?}", layer.rgb));
    line(layer.alpha != plain.alpha, format!("alpha {:?}", layer.alpha));
    line(layer.tex_coords != plain.tex_coords, format!("coordinates {:?}", layer.tex_coords));
    for tex_mod in &layer.tex_mods {
        line(true, format!("{tex_mod:?}"));
    }
    line(layer.masked_index.is_some(), format!("hole at index {:?}", layer.masked_index));
    out
}

fn add_folder(bundle: &mut Bundle, root: &Path, folder: &Path) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            add_folder(bundle, root, &path);
        } else {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap();
            bundle.add(name, std::fs::read(&path).unwrap());
        }
    }
}

fn bundle(folder: &str) -> Bundle {
    let mut bundle = Bundle::default();
    add_folder(&mut bundle, Path::new(folder), Path::new(folder));
    bundle
}

fn materials(figure: &Figure) -> Vec<&Material> {
    figure.parts.iter().flat_map(|part| &part.model().materials).collect()
}

fn case(name: &str) -> Option<Bundle> {
    let folder = std::fs::read_dir("../shared/cases").ok()?.flatten().map(|entry| entry.path());
    let mut found = folder.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(&format!("{name}-")));
    Some(bundle(found.next()?.to_str().unwrap()))
}

/// Opens a shared case and dumps its materials, then the warnings; `None`, with a line, where the cases are not there.
fn dressed(name: &str) -> Option<String> {
    let Some(bundle) = case(name) else {
        println!("skipped: no ../shared/cases/{name}");
        return None;
    };
    let figure = open::open(&bundle, None).unwrap_or_else(|failure| panic!("{name}: {}", failure.report));
    Some(materials(&figure).into_iter().map(dump).collect::<String>() + &figure.report.to_string())
}

#[track_caller]
fn has_lines(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.lines().any(|candidate| candidate.trim() == *line), "no line `{line}` in:\n{text}");
    }
}

#[test]
fn md5_shaders_without_extension_find_their_images() {
    let Some(text) = dressed("E13") else { return };
    has_lines(
        &text,
        &[
            "diffuse: bob_body = bob_body.tga",
            "diffuse: bob_head = bob_head.png",
            "diffuse: no_such_material = nothing",
            "warning: bob.md5mesh: material `no_such_material`: expected the diffuse image `no_such_material`, found none of \
             no_such_material.tga, no_such_material.jpg, no_such_material.png, no_such_material.dds",
        ],
    );
    assert_eq!(text.matches("warning").count(), 1, "{text}");
}

#[test]
fn doom_3_materials_are_found_by_canonical_name() {
    let Some(text) = dressed("E16") else { return };
    has_lines(&text, &["sides Both", "diffuse: models/flag_d.tga = models/flag_d.tga"]);
    let Some(text) = dressed("E17") else { return };
    has_lines(
        &text,
        &[
            r#"material "Models\\Monsters\\GUARD\\Skin" from materials/guards.mtr:4"#,
            "diffuse: Models/Monsters/Guard/Skin_D = models/monsters/guard/skin_d.tga",
            "bump: addnormals(Models/Monsters/Guard/skin_local.tga, heightmap(models/monsters/guard/skin_h.tga, 4)) \
             = nothing, nothing",
            "specular: models/monsters/guard/skin_s.tga = nothing",
        ],
    );
}

#[test]
fn many_missing_images_make_one_message() {
    let Some(text) = dressed("E23") else { return };
    let warnings: Vec<_> = text.lines().filter(|line| line.contains("big.md3: expected images")).collect();
    assert_eq!(warnings.len(), 1, "{text}");
    assert!(warnings[0].contains("for 40 materials, found none for `textures/m00.tga`, "), "{}", warnings[0]);
}

#[test]
fn no_name_is_the_default_material_and_no_file() {
    let Some(text) = dressed("E25") else { return };
    assert_eq!(text, "material \"\" from no name: the game's default\n  layer 0: Lit\n");
}

#[test]
fn md3_shaders_are_found_beside_the_model() {
    let Some(text) = dressed("E26") else { return };
    has_lines(
        &text,
        &[
            "diffuse: brick = brick.tga",
            r"diffuse: C:\work\q3\baseq3\models\wall\Moss.TGA = moss.tga",
            "diffuse: models/mapobjects/wall/brick.tga = brick.tga",
        ],
    );
    assert!(!text.contains("warning"), "{text}");
    let Some(text) = dressed("E34") else { return };
    has_lines(&text, &["diffuse: MODELS/players/bar/skin.tga = models/players/bar/skin.tga"]);
}

#[test]
fn smd_names_find_bitmaps() {
    let Some(text) = dressed("E37") else { return };
    has_lines(
        &text,
        &[
            "diffuse: SKIN.BMP = skin.bmp",
            "diffuse: skin = skin.bmp",
            r"diffuse: textures\skin.tga = skin.bmp",
            "diffuse: \"my body skin.bmp\" = nothing",
        ],
    );
    let Some(text) = dressed("E59") else { return };
    has_lines(
        &text,
        &["diffuse: Gun_Chrome1.BMP = gun_chrome1.bmp", "coordinates Chrome", "diffuse: gun.bmp = gun.bmp"],
    );
}
