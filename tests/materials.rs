//! Materials. Each folder tests/data/materials/<case> is a bundle; its materials.txt names a game and materials, and expected.txt
//! says what they look like and what is reported. `UPDATE_EXPECTED=1 cargo test --test materials` writes those anew; read the
//! difference before committing it. Then the shared cases, and every model of the shared collection dressed.

mod support;

use std::fmt::Write;
use std::fs;
use std::path::Path;

use rigview::bundle::{self, Bundle};
use rigview::figure::Figure;
use rigview::material::{ColorGen, Dialect, Layer, Library, Material, Search};
use rigview::open::{self, dress::dress};
use rigview::report::Report;
use support::{file_name, files_below, folders_in, repository};

#[test]
fn scripts_give_the_materials_that_games_make_of_them() {
    let cases = folders_in(&repository("tests/data/materials"));
    assert!(!cases.is_empty());
    let mut wrong = Vec::new();
    for case in &cases {
        let found = outcome(case);
        let path = case.join("expected.txt");
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            fs::write(&path, &found).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        if found != expected {
            eprintln!("--- {}\n{found}", path.display());
            wrong.push(file_name(case));
        }
    }
    assert!(wrong.is_empty(), "not as expected: {}", wrong.join(", "));
}

/// What the materials of a case look like, and what is reported.
fn outcome(case: &Path) -> String {
    let list = fs::read_to_string(case.join("materials.txt")).unwrap();
    let mut lines = list.lines();
    let dialect = match lines.next() {
        Some("Doom3") => Dialect::Doom3,
        Some("Quake3") => Dialect::Quake3,
        Some("GoldSrc") => Dialect::GoldSrc,
        Some("Source") => Dialect::Source,
        other => panic!("no game: {other:?}"),
    };
    let bundle = bundle_of(case);
    let search = Search { bundle: &bundle, dialect, near: "", folders: &[] };
    let (mut library, mut report) = (Library::new(), Report::default());
    let dress = |name| dump(&library.dress(&Material::plain(name, None), &search, &mut report));
    let text: String = lines.map(dress).collect();
    format!("{text}{report}")
}

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
        if let Some(path) = &image.unread {
            writeln!(out, "    not read: {path}").unwrap();
        }
    }
    let mut line = |differs: bool, text: String| {
        if differs {
            writeln!(out, "    {text}").unwrap();
        }
    };
    line(layer.white, "white".to_string());
    line(layer.image_rate != 0.0, format!("{} images a second", layer.image_rate));
    line(layer.clamp, "clamp".to_string());
    if let Some((source, destination)) = layer.blend {
        line(true, format!("blend {source:?}, {destination:?}"));
    }
    if let Some(test) = layer.alpha_test {
        line(true, format!("alpha test {test:?}"));
    }
    line(!layer.depth_write, "no depth write".to_string());
    let over_time = |color: &ColorGen| match color {
        ColorGen::Expressions(channels) => {
            let at = |seconds: f32| channels.each_ref().map(|channel| channel.at(seconds));
            format!("{:?} at 0, 0.5, 1 and 1.5 seconds", [0.0, 0.5, 1.0, 1.5].map(at))
        }
        other => format!("{other:?}"),
    };
    line(layer.rgb != plain.rgb, format!("rgb {}", over_time(&layer.rgb)));
    line(layer.alpha != plain.alpha, format!("alpha {}", over_time(&layer.alpha)));
    line(layer.tex_coords != plain.tex_coords, format!("coordinates {:?}", layer.tex_coords));
    for tex_mod in &layer.tex_mods {
        line(true, format!("{tex_mod:?}"));
    }
    if let Some(index) = layer.masked_index {
        line(true, format!("hole at index {index}"));
    }
    out
}

/// The folder's files by their paths in it.
fn bundle_of(folder: &Path) -> Bundle {
    let mut bundle = Bundle::default();
    for path in files_below(folder) {
        if !matches!(file_name(&path).as_str(), "expected.txt" | "materials.txt") {
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_string();
            bundle.add(&name, fs::read(&path).unwrap());
        }
    }
    bundle
}

fn materials(figure: &Figure) -> Vec<&Material> {
    figure.parts.iter().flat_map(|part| &part.model().materials).collect()
}

fn case(name: &str) -> Option<Bundle> {
    let cases = fs::read_dir(repository("../shared/cases")).ok()?.flatten().map(|entry| entry.path());
    let found = cases.into_iter().find(|path| file_name(path).starts_with(&format!("{name}-")))?;
    Some(bundle_of(&found))
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
            "warning: bob.md5mesh: material `no_such_material`: expected the diffuse image `no_such_material`, found none of 4 \
             paths, first `no_such_material.tga`",
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
    let warnings: Vec<_> = text.lines().filter(|line| line.contains("big.md3: materials: expected images")).collect();
    assert_eq!(warnings.len(), 1, "{text}");
    assert!(warnings[0].contains("for 40 materials, found none for `textures/m00.tga`, "), "{}", warnings[0]);
}

#[test]
fn no_name_is_the_default_material_and_no_file() {
    let Some(text) = dressed("E25") else { return };
    let expected = "material \"\" from no name: the game's default\n  layer 0: Lit\n\
        warning: empty-name.md3: materials: expected the name of a material for each mesh, found none for `a`, `b`\n  \
        Quake III draws its default shader.\n";
    assert_eq!(text, expected);
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

#[test]
fn skins_of_a_qc_show_their_own_bitmaps() {
    let Some(bundle) = case("E47") else { return println!("skipped: no ../shared/cases/E47") };
    let mut report = Report::default();
    let mut model = open::qc::assemble("crate.qc", &bundle, &mut report).unwrap();
    dress(&mut model, Dialect::GoldSrc, "crate.qc", &bundle, &mut Library::new(), &mut report);
    let shown = |variant: usize| {
        let material = model.variants[variant].materials[0].unwrap();
        model.materials[material].layers[0].images[0].paths.clone()
    };
    assert_eq!(shown(0), [Some("crate_a.bmp".to_string())]);
    assert_eq!(shown(1), [Some("crate_b.bmp".to_string())]);
    assert_eq!(report.to_string(), "");
}

/// A texture's folder is the one that the .qc names, not the first that holds a file of the name.
#[test]
fn folders_of_a_qc_come_first() {
    let mut bundle = Bundle::default();
    for path in ["models/x.smd", "other/face.bmp", "maps_8bit/face.bmp", "arms.bmp"] {
        bundle.add(path, Vec::new());
    }
    let folders = ["./maps_8bit".to_string(), "empty".to_string()];
    let search = Search { bundle: &bundle, dialect: Dialect::GoldSrc, near: "models/", folders: &folders };
    let path = |name: &str| {
        let material = Library::new().dress(&Material::plain(name, None), &search, &mut Report::default());
        material.layers[0].images[0].paths[0].clone()
    };
    assert_eq!(path("face.bmp").as_deref(), Some("maps_8bit/face.bmp"));
    assert_eq!(path("arms.bmp").as_deref(), Some("arms.bmp"));
    assert_eq!(path("legs.bmp"), None);
}

/// Cut anywhere and with any byte changed, a script gives some material and no panic, and reports without end are cut off.
#[test]
fn broken_scripts_are_survived() {
    let mut count = 0;
    let cases = folders_in(&repository("tests/data/materials"));
    for case in &cases {
        let list = fs::read_to_string(case.join("materials.txt")).unwrap();
        let names: Vec<&str> = list.lines().skip(1).collect();
        let whole = bundle_of(case);
        for path in files_below(case) {
            let dialect = match support::extension(&path).as_str() {
                "shader" => Dialect::Quake3,
                "mtr" => Dialect::Doom3,
                "vmt" => Dialect::Source,
                _ => continue,
            };
            let name = path.strip_prefix(case).unwrap().to_str().unwrap();
            let bytes = whole.read(name).unwrap().into_owned();
            let mut try_dressing = |bytes: Vec<u8>| {
                let size = bytes.len();
                let mut bundle = Bundle::default();
                bundle.add(name, bytes);
                let search = Search { bundle: &bundle, dialect, near: "", folders: &[] };
                let (mut library, mut report) = (Library::new(), Report::default());
                for name in &names {
                    let material = library.dress(&Material::plain(*name, None), &search, &mut report);
                    assert!(material.layers.len() <= size + 1);
                }
                count += 1;
            };
            for cut in 0..bytes.len() {
                try_dressing(bytes[..cut].to_vec());
            }
            for at in 0..bytes.len() {
                let mut changed = bytes.clone();
                changed[at] = [bytes[at] ^ 0x80, b'{', b'}', b'"', b'\n', 0][at % 6];
                try_dressing(changed);
            }
        }
    }
    println!("{count} times broken");
    assert!(count > 0);
}

/// Cube 2's models name no shader: an md5.cfg does, or nothing but the images beside them.
#[test]
fn models_of_cube_2_are_dressed() {
    let open = |folder: &str, file: &str| {
        let folder = support::shared(&format!("models/md5/redeclipse/{folder}"))?;
        let figure = open::open(&bundle_of(&folder), Some(file));
        let figure = figure.unwrap_or_else(|failure| panic!("{}: {}", folder.display(), failure.report));
        Some(materials(&figure).into_iter().map(dump).collect::<String>())
    };
    let Some(drone) = open("actors/drone", "mesh.md5mesh") else { return };
    let expected = "material \"\" from md5.cfg\n  layer 0: Lit\n    diffuse: skin.jpg = skin.jpg\n    \
                    bump: normals.png = normals.png\n    specular: makeIntensity(mask.jpg) = mask.jpg\n";
    assert_eq!(drone, expected);
    let pistol = open("weapons/pistol", "pistol.md5mesh").unwrap();
    let expected = "material \"\" from a guess: the image in the model's folder\n  layer 0: Lit\n    diffuse: skin = skin.png\n    \
                    bump: norm = norm.png\n";
    assert_eq!(pistol, expected);
    let banner = open("luckystrike/banner01", "banner.md5mesh").unwrap();
    has_lines(&banner, &["diffuse: skin.png = skin.png", "specular: makeIntensity(spec.png) = spec.png"]);
}

/// Every .md3 of OpenArena beside its scripts, loose and in an archive: how many materials come from a script, how many from an image,
/// and which have neither.
#[test]
fn openarenas_models_are_dressed() {
    let Some(loose) = support::shared("models/md3/openarena") else { return };
    let mut archived = bundle_of(&loose.join("scripts"));
    let archive = support::shared("models/md3/archives/pak5-TA.pk3").unwrap();
    archived.add("pak5-TA.pk3", fs::read(archive).unwrap());
    let (mut scripted, mut by_image, mut missing) = (0, 0, Vec::new());
    for bundle in [bundle_of(&loose), archived] {
        let paths: Vec<String> = bundle.paths().filter(|path| path.ends_with(".md3")).map(str::to_string).collect();
        assert!(paths.len() > 10);
        for path in paths {
            let figure =
                open::open(&bundle, Some(&path)).unwrap_or_else(|failure| panic!("{path}: {}", failure.report));
            for material in materials(&figure).into_iter().filter(|material| !material.name.is_empty()) {
                let lacks = |image: &&rigview::material::ImageRef| image.is_missing();
                match material.layers.iter().flat_map(Layer::all_images).find(lacks) {
                    Some(image) => {
                        // No file of this name is there, in whatever folder but another model's.
                        let stem = |path: &str| bundle::stem(path).to_lowercase();
                        let wanted = stem(&image.program.to_string());
                        let same: Vec<_> = bundle.paths().filter(|path| stem(path) == wanted).collect();
                        assert!(same.iter().all(|path| path.starts_with("models/")), "{path}: {wanted} is {same:?}");
                        missing.push(format!("{path}: {}: {}", material.name, image.program));
                    }
                    None if material.source.contains(".shader:") => scripted += 1,
                    None => by_image += 1,
                }
            }
        }
    }
    missing.sort();
    missing.dedup();
    println!("{scripted} from scripts, {by_image} from images, {} missing:", missing.len());
    missing.iter().for_each(|line| println!("  {line}"));
    assert!(scripted > 0 && by_image > 0);
}
