//! What a script says of textures: in come $texrendermode and $texturegroup, out come the looks and the variants of a model.

use hashbrown::{HashMap, HashSet};

use crate::bundle;
use crate::format::qc::Script;
use crate::format::smd;
use crate::material::Material;
use crate::model::{Model, Variant};
use crate::report::{At, Diagnostic, Report};

/// What two names of a texture have in common: Half-Life compares them without case, Source also without extension.
fn key(name: &str) -> String {
    let name = bundle::lower(&name.replace('\\', "/"));
    let end = name.rfind('.').filter(|&dot| !name[dot..].contains('/')).unwrap_or(name.len());
    name[..end].to_string()
}

/// $texrendermode, for the textures of the meshes. Alternates come by theirs in [`add_variants`].
pub fn set_render_modes(model: &mut Model, script: &Script, qc_path: &str, report: &mut Report) {
    let mut materials: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, material) in model.materials.iter().enumerate() {
        materials.entry(key(&material.name)).or_default().push(index);
    }
    let alternates: HashSet<String> = script.texture_groups.iter().flatten().flatten().map(|name| key(name)).collect();
    for (name, mode) in &script.render_modes {
        let key = key(name);
        for &index in materials.get(&key).into_iter().flatten() {
            model.materials[index].set_render_mode(*mode);
        }
        if !materials.contains_key(&key) && !alternates.contains(&key) {
            let finding = Diagnostic::warning(At::File, "a texture of the meshes", format!("`{name}`"));
            report.push(finding.in_file(qc_path).inside("$texrendermode"));
        }
    }
}

/// More rows than either game has room for (Half-Life: MAXSTUDIOSKINS, 100).
const MOST_ROWS: usize = 100;

/// Variants by rows of the first $texturegroup: each texture of the first row is replaced by the one below it. `is_source` says
/// whose rules make a material of a name.
pub fn add_variants(model: &mut Model, script: &Script, is_source: bool, qc_path: &str, report: &mut Report) {
    if script.texture_groups.len() > 1 {
        let found = format!("{} of them", script.texture_groups.len());
        let finding = Diagnostic::warning(At::File, "one $texturegroup", found).in_file(qc_path);
        report.push(finding.engine("studiomdl uses the first."));
    }
    let Some(rows) = script.texture_groups.first().filter(|rows| rows.len() > 1) else { return };
    if rows.len() > MOST_ROWS {
        let finding = Diagnostic::warning(At::File, "at most 100 rows", format!("{}", rows.len())).in_file(qc_path);
        report.push(finding.inside("$texturegroup").engine("Half-Life's studiomdl has room for 100, Source's for 32."));
    }
    let mut materials: HashMap<String, usize> = HashMap::new();
    for (index, material) in model.materials.iter().enumerate() {
        materials.entry(key(&material.name)).or_insert(index);
    }
    let mut columns: HashMap<String, usize> = HashMap::new();
    for (column, texture) in rows[0].iter().enumerate() {
        let key = key(texture);
        if !materials.contains_key(&key) {
            let finding = Diagnostic::warning(At::File, "textures of the meshes", format!("`{texture}`"));
            report.push(finding.in_file(qc_path).inside("$texturegroup"));
        }
        columns.entry(key).or_insert(column);
    }
    let keys: Vec<String> = model.meshes.iter().map(|mesh| key(&model.materials[mesh.material].name)).collect();
    for (index, row) in rows.iter().take(MOST_ROWS).enumerate() {
        let mut worn = Vec::with_capacity(model.meshes.len());
        for (mesh, own) in model.meshes.iter().zip(&keys) {
            let texture = columns.get(own).and_then(|&column| row.get(column)).filter(|texture| key(texture) != *own);
            let material = match texture {
                None => mesh.material,
                Some(texture) => *materials.entry(key(texture)).or_insert_with(|| {
                    model.materials.push(alternate(texture, script, is_source));
                    model.materials.len() - 1
                }),
            };
            worn.push(Some(material));
        }
        model.variants.push(Variant { name: format!("skin {index}"), materials: worn });
    }
}

/// The material of a texture that no mesh names.
fn alternate(texture: &str, script: &Script, is_source: bool) -> Material {
    let mut material = smd::material(texture, is_source);
    let key = key(texture);
    for (_, mode) in script.render_modes.iter().filter(|(name, _)| self::key(name) == key) {
        material.set_render_mode(*mode);
    }
    material
}
