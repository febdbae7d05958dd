//! Dresses a model: in come its materials by name and the bundle, out come their looks, and a word on every image that is missing.

use std::collections::BTreeSet;

use crate::bundle::{self, Bundle};
use crate::figure::Figure;
use crate::material::{Dialect, Layer, Library, Material, Search, by_folder, cube2_materials};
use crate::model::{Info, Model};
use crate::report::{At, Diagnostic, Report};

/// `Model::info` under these names lists folders in which a script says that textures lie, first come first.
const FOLDERS: &[&str] = &["cdtexture", "cdmaterials"];

/// More materials without an image than this are reported in one sentence.
const MOST_WARNINGS: usize = 8;

/// Dresses every model of a figure by the rules of the game that its file is for.
pub fn dress_figure(figure: &mut Figure, bundle: &Bundle, report: &mut Report) {
    let mut library = Library::new();
    for part in &mut figure.parts {
        for (level, model) in part.levels_mut().iter_mut().enumerate() {
            let path = std::mem::take(&mut model.path);
            let dialect = dialect(model, &path, bundle);
            // Coarser levels wear what the finest does; once is enough to be told.
            let mut repeated = Report::default();
            let report = if level == 0 { &mut *report } else { &mut repeated };
            dress(model, dialect, &path, bundle, &mut library, report);
            model.path = path;
        }
    }
}

fn dialect(model: &Model, path: &str, bundle: &Bundle) -> Dialect {
    let is_source = || {
        let compiler = model.info.iter().find(|(name, _)| name == "compiler");
        compiler.is_some_and(|(_, info)| *info == Info::Text("Source".to_string()))
            || bundle.paths().any(|path| bundle::extension(path) == "vmt")
    };
    match bundle::extension(path).as_str() {
        "md5mesh" => Dialect::Doom3,
        "smd" | "qc" if is_source() => Dialect::Source,
        "smd" | "qc" => Dialect::GoldSrc,
        _ => Dialect::Quake3,
    }
}

/// Replaces each material of the model by what the scripts of the bundle, or else its images, say of it. The name stays, and for
/// Half-Life what the reader and the .qc set. An image that is missing is no failure: the renderer has a pattern for it.
pub fn dress(
    model: &mut Model,
    dialect: Dialect,
    path: &str,
    bundle: &Bundle,
    library: &mut Library,
    report: &mut Report,
) {
    let near = bundle::folder(path);
    let folders = folders(model);
    let search = Search { bundle, dialect, near, folders: &folders };
    if dialect == Dialect::Doom3 && wear_config(model, path, &search) {
        return warn(model, dialect, path, report);
    }
    for material in &mut model.materials {
        *material = library.dress(material, &search, report);
    }
    // Only where nothing at all was found: with one image in place, the others are known by their names, too.
    let is_bare = |material: &Material| !material.hidden && !has_image(material) && material.layers.len() < 2;
    if model.materials.iter().all(is_bare) {
        for material in &mut model.materials {
            if let Some(guess) = by_folder(&material.name, path, &search) {
                *material = guess;
            }
        }
    }
    warn_of_nameless(model, dialect, path, report);
    warn(model, dialect, path, report);
}

/// A mesh may name no material. Quake III's players are made so, and their skins dress them; that is none here.
fn warn_of_nameless(model: &Model, dialect: Dialect, path: &str, report: &mut Report) {
    let worn: Vec<usize> = model.worn_materials().collect();
    let is_nameless = |index: usize| worn.contains(&index) && model.materials[index].name.trim().is_empty();
    let dressed = |index: usize| match model.variants.first() {
        Some(variant) => variant.materials.get(index).copied().flatten(),
        None => Some(model.meshes[index].material),
    };
    let meshes: Vec<String> = (0..model.meshes.len())
        .filter(|&index| dressed(index).is_some_and(is_nameless))
        .map(|index| match model.meshes[index].name.as_str() {
            "" => format!("mesh[{index}]"),
            name => format!("`{name}`"),
        })
        .collect();
    if meshes.is_empty() {
        return;
    }
    let found = format!("none for {}", some_of(&meshes, MOST_WARNINGS));
    let warning = Diagnostic::warning(At::File, "the name of a material for each mesh", found);
    let engine = match dialect {
        Dialect::Doom3 => "Doom 3 takes the material `_emptyName` instead, and draws its default image.",
        other => other.without_image(),
    };
    report.push(warning.inside("materials").engine(engine).in_file(path));
}

fn folders(model: &Model) -> Vec<String> {
    let mut folders = Vec::new();
    for name in FOLDERS {
        for (_, info) in model.info.iter().filter(|(known, _)| known == name) {
            match info {
                Info::Text(folder) => folders.push(folder.clone()),
                Info::List(list) => folders.extend(list.iter().filter_map(|info| match info {
                    Info::Text(folder) => Some(folder.clone()),
                    _ => None,
                })),
                _ => {}
            }
        }
    }
    folders
}

fn has_image(material: &Material) -> bool {
    material.layers.iter().any(|layer| layer.white || layer.images.iter().any(|image| !image.is_missing()))
}

/// Cube 2's engine says in an md5.cfg what each mesh wears. False where there is none.
fn wear_config(model: &mut Model, path: &str, search: &Search) -> bool {
    let shaders: Vec<&str> = model.meshes.iter().map(|mesh| model.materials[mesh.material].name.as_str()).collect();
    let Some(materials) = cube2_materials(path, &shaders, search) else { return false };
    let mut worn: Vec<Material> = Vec::new();
    for (mesh, material) in model.meshes.iter_mut().zip(materials) {
        let mut material = material.unwrap_or_else(|| model.materials[mesh.material].clone());
        mesh.material = worn.iter().position(|known| *known == material).unwrap_or_else(|| {
            // Meshes that share a shader's name in the .md5mesh, often an empty one, may wear different things here.
            if worn.iter().any(|known| known.name == material.name) {
                material.name = format!("{} {}", material.name, worn.len()).trim().to_string();
            }
            worn.push(material);
            worn.len() - 1
        });
    }
    model.materials = worn;
    true
}

/// One warning for each material with a missing image, or one for all if they are many.
fn warn(model: &Model, dialect: Dialect, path: &str, report: &mut Report) {
    let materials: Vec<&Material> = model.worn_materials().map(|index| &model.materials[index]).collect();
    let missing: Vec<_> = materials.iter().filter_map(|material| Some((material, missing(material)?))).collect();
    if missing.len() > MOST_WARNINGS {
        let names: Vec<_> = missing.iter().map(|(material, _)| format!("`{}`", material.name)).collect();
        let found = format!("none for {}", some_of(&names, 100));
        let warning = Diagnostic::warning(At::File, format!("images for {} materials", materials.len()), found);
        return report.push(warning.inside("materials").engine(dialect.without_image()).in_file(path));
    }
    for (material, missing) in missing {
        let warning = Diagnostic::warning(At::File, missing.wanted, missing.found)
            .inside(format!("material `{}`", material.name));
        report.push(warning.engine(dialect.without_image()).in_file(path));
    }
}

/// What a material lacks.
struct Missing {
    /// The images in words.
    wanted: String,
    /// What there is instead: how many paths were looked for (each material lists them), or a file that is not read.
    found: String,
}

fn missing(material: &Material) -> Option<Missing> {
    let mut known = BTreeSet::new();
    let mut wanted = Vec::new();
    let mut tried = BTreeSet::new();
    let (mut first, mut unread) = (None, None);
    for image in material.layers.iter().flat_map(Layer::all_images).filter(|image| image.is_missing()) {
        let words = format!("the {} image `{}`", image.slot, image.program);
        if known.insert(words.clone()) {
            wanted.push(words);
        }
        first = first.or(image.tried.iter().flatten().next());
        tried.extend(image.tried.iter().flatten());
        unread = unread.or(image.unread.as_ref());
    }
    let found = match (unread, first) {
        (Some(path), _) => {
            format!("`{path}`, Valve's own format, which Rigview does not read: export it as .tga or .png")
        }
        (_, Some(first)) if tried.len() > 1 => format!("none of {} paths, first `{first}`", tried.len()),
        (_, Some(only)) => format!("no `{only}`"),
        (_, None) => "none".to_string(),
    };
    (!wanted.is_empty()).then(|| Missing { wanted: wanted.join(" and "), found })
}

fn some_of(list: &[String], most: usize) -> String {
    let shown = list.iter().take(most).cloned().collect::<Vec<_>>().join(", ");
    match list.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
