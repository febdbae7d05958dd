//! The material scripts of a bundle: in comes a material's name as a model has it, out comes its look, every image looked for.

use std::cell::RefCell;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::doom3::{self, Table, Tables};
use super::goldsrc::RenderMode;
use super::words::{Words, locate, number};
use super::{ImageRef, Layer, Material, Notes, Program, cube2, quake3, source};
use crate::bundle::{self, Bundle, Lookup};
use crate::report::{At, Diagnostic, Report};
use crate::sort;

/// Whose rules a model's materials follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Doom3,
    Quake3,
    GoldSrc,
    Source,
}

impl Dialect {
    /// The kinds of image that the game looks for, in order, after the one that is asked for. WAL and DDS stand for engines that
    /// came later; Doom 3 keeps its DDS files below dds/, where they are found as below any other folder.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Dialect::Doom3 => &["tga", "jpg", "png", "dds"],
            Dialect::Quake3 => &["tga", "jpg", "jpeg", "png", "pcx", "bmp", "dds"],
            Dialect::GoldSrc => &["bmp"],
            Dialect::Source => &["tga", "png", "jpg", "bmp", "dds"],
        }
    }

    /// What the game does without an image.
    pub fn without_image(self) -> &'static str {
        match self {
            Dialect::Doom3 => "Doom 3 draws its default image.",
            Dialect::Quake3 => "Quake III draws its default shader.",
            Dialect::GoldSrc => "Half-Life's studiomdl stops.",
            Dialect::Source => "Source draws a checkerboard.",
        }
    }
}

/// Where a model's images are looked for.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    pub bundle: &'a Bundle,
    pub dialect: Dialect,
    /// The model's folder.
    pub near: &'a str,
    /// Folders that the model's script names, in order ($cdtexture, $cdmaterials).
    pub folders: &'a [String],
}

impl Search<'_> {
    fn file(&self, name: &str, extensions: &[&str]) -> Lookup {
        let mut tried = Vec::new();
        let name = name.trim();
        if !name.is_empty() {
            for folder in self.folders {
                let path = format!("{folder}/{name}");
                let lookup = self.bundle.resolve(&path, self.near, extensions);
                let wanted = bundle::key(bundle::folder(&path));
                let is_there = |found: &String| bundle::key(bundle::folder(found)).ends_with(&wanted);
                if lookup.path.as_ref().is_some_and(is_there) {
                    tried.extend(lookup.tried);
                    return Lookup { tried, ..lookup };
                }
                tried.extend(lookup.tried.into_iter().filter(|path| path.starts_with(&wanted)));
            }
        }
        let lookup = self.bundle.resolve(name, self.near, extensions);
        for path in lookup.tried {
            if !tried.contains(&path) {
                tried.push(path);
            }
        }
        Lookup { path: lookup.path, tried }
    }

    /// Looks for every image that `image` is made of.
    pub fn fill(&self, image: &mut ImageRef) {
        let names: Vec<String> = image.program.names().into_iter().map(str::to_string).collect();
        for name in names {
            let lookup = self.file(&name, self.dialect.extensions());
            if lookup.path.is_none() && self.dialect == Dialect::Source {
                image.unread = self.file(&name, &["vtf"]).path.filter(|path| bundle::extension(path) == "vtf");
            }
            image.paths.push(lookup.path);
            image.tried.push(lookup.tried);
        }
    }

    fn fill_all(&self, material: &mut Material) {
        for image in material.layers.iter_mut().flat_map(Layer::all_images_mut) {
            self.fill(image);
        }
    }

    /// An image of this name if there is one. For guesses, so misses are not kept.
    fn guess(&self, slot: &str, name: &str) -> Option<ImageRef> {
        let mut image = ImageRef::new(slot, name);
        self.fill(&mut image);
        (!image.is_missing()).then_some(image)
    }
}

/// The scripts of a bundle. They are read when a material asks for their kind, and a declaration's text when it is asked for.
pub struct Library {
    shaders: Option<Scripts>,
    declarations: Option<Scripts>,
    /// Words that were reported as unknown, and files whose faults were.
    said: HashSet<String>,
}

impl Library {
    /// A library of what the bundle holds.
    pub fn new() -> Self {
        Self { shaders: None, declarations: None, said: HashSet::new() }
    }

    /// How `old`, a model's material with nothing but its name and what the model's own files say, looks in the game: by the
    /// scripts, or else by the image of its name. Missing images leave `None` in `ImageRef::paths`.
    pub fn dress(&mut self, old: &Material, search: &Search, report: &mut Report) -> Material {
        let name = old.name.as_str();
        if name.trim().is_empty() {
            return Material { source: "no name: the game's default".to_string(), ..old.clone() };
        }
        let scripted = match search.dialect {
            Dialect::Doom3 => self.declared(name, search, report).or_else(|| self.shader(name, search, report)),
            Dialect::Quake3 => self.shader(name, search, report).or_else(|| self.declared(name, search, report)),
            Dialect::Source => vmt(name, search, report),
            Dialect::GoldSrc => None,
        };
        match (scripted, search.dialect) {
            (Some(mut material), _) => {
                search.fill_all(&mut material);
                material
            }
            (None, Dialect::Doom3) => by_convention(old, search),
            (None, Dialect::GoldSrc) => by_mode(old, search),
            (None, _) => by_image(old, search),
        }
    }

    fn shader(&mut self, name: &str, search: &Search, report: &mut Report) -> Option<Material> {
        let scripts = self.shaders.get_or_insert_with(|| Scripts::of_shaders(search.bundle, report));
        let place = *scripts.places.get(&shader_key(name))?;
        let mut notes = Notes::default();
        let script = &scripts.scripts[place.script];
        let mut words = Words::new(&script.text, quake3::MARKS);
        words.seek(place.body);
        let material = quake3::parse(name, &mut words, &mut notes);
        let source = scripts.source(place);
        let path = script.path.clone();
        self.report(&path, notes, report);
        Some(Material { source, ..material })
    }

    fn declared(&mut self, name: &str, search: &Search, report: &mut Report) -> Option<Material> {
        let scripts = self.declarations.get_or_insert_with(|| Scripts::of_declarations(search.bundle, report));
        let place = *scripts.places.get(&doom3::canonical(name))?;
        let mut notes = Notes::default();
        let script = &scripts.scripts[place.script];
        let mut words = Words::new(&script.text, doom3::MARKS);
        words.seek(place.body);
        let material = doom3::parse(name, &mut words, scripts, &mut notes);
        let source = scripts.source(place);
        let path = script.path.clone();
        self.report(&path, notes, report);
        Some(Material { source, ..material })
    }

    /// Each unknown word once, however many scripts have it; each problem where it stands, once.
    fn report(&mut self, path: &str, notes: Notes, report: &mut Report) {
        for (word, at) in notes.unknown {
            if self.said.insert(word.to_ascii_lowercase()) {
                let found = format!("`{word}`");
                report.push(Diagnostic::warning(at, "a directive that shows on models", found).in_file(path));
            }
        }
        for problem in notes.problems.diagnostics {
            let problem = Box::new(problem).in_file(path);
            if self.said.insert(problem.to_string()) {
                report.push(problem);
            }
        }
    }
}

impl Default for Library {
    fn default() -> Self {
        Self::new()
    }
}

/// Without the extension, which begins at a dot after the last slash (COM_StripExtension).
fn shader_key(name: &str) -> String {
    let key = bundle::key(name);
    let folder = bundle::folder(&key).len();
    key[folder..].rfind('.').map_or(key.as_str(), |dot| &key[..folder + dot]).to_string()
}

/// Texts, and where in them the declarations stand.
#[derive(Default)]
struct Scripts {
    scripts: Vec<Script>,
    places: HashMap<String, Place>,
    tables: HashMap<String, Place>,
    /// Those of `tables` that were asked for.
    read_tables: RefCell<HashMap<String, Arc<Table>>>,
}

struct Script {
    path: String,
    text: String,
}

#[derive(Clone, Copy)]
struct Place {
    script: usize,
    name: usize,
    /// Behind the opening brace.
    body: usize,
}

/// Doom 3's kinds of declaration (idDeclManagerLocal::Init and the game's own). Without one, a .mtr declares a material.
const KINDS: &[&str] = &[
    "table",
    "material",
    "skin",
    "sound",
    "entitydef",
    "mapdef",
    "fx",
    "particle",
    "articulatedfigure",
    "pda",
    "video",
    "audio",
    "email",
    "modeldef",
    "model",
    "modelexport",
    "export",
    "camera",
];

impl Scripts {
    fn read(&mut self, bundle: &Bundle, path: &str) -> bool {
        let Some(bytes) = bundle.read(path) else { return false };
        let text = bundle::decode(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes));
        self.scripts.push(Script { path: path.to_string(), text });
        true
    }

    fn of_extension<'a>(bundle: &'a Bundle, extension: &str) -> Vec<&'a str> {
        bundle.paths().filter(|path| bundle::extension(path) == extension).collect()
    }

    /// Quake III strings its files together from the last to the first and takes the first shader of a name
    /// (ScanAndLoadShaderFiles, FindShaderInShaderText): the last file wins, in it the first shader.
    fn of_shaders(bundle: &Bundle, report: &mut Report) -> Self {
        let mut all = Self::default();
        for path in Self::of_extension(bundle, "shader").into_iter().rev() {
            if !all.read(bundle, path) {
                continue;
            }
            let script = all.scripts.len() - 1;
            let text = std::mem::take(&mut all.scripts[script].text);
            let mut words = Words::new(&text, quake3::MARKS);
            let mut has_said = false;
            while let Some(name) = words.next_word() {
                let mut ahead = words;
                match ahead.next_word() {
                    Some(brace) if brace.is_mark("{") => words = ahead,
                    found => {
                        // ioquake3 leaves out the file; the word may be a stray one, so the next is tried.
                        let found = found.map_or("end of file".to_string(), |word| format!("`{}`", shorten(word.text)));
                        if !std::mem::replace(&mut has_said, true) {
                            let problem = words.warning(words.at(), "`{` after the name of a shader", found);
                            let problem = problem.inside(format!("shader `{}`", shorten(name.text)));
                            let engine = "ioquake3 ignores the whole file.";
                            report.push(problem.engine(engine).in_file(path));
                        }
                        continue;
                    }
                }
                let place = Place { script, name: name.at, body: words.at() };
                all.places.entry(shader_key(name.text)).or_insert(place);
                if !words.skip_block() {
                    unclosed(&words, name.text, place, path, report);
                }
            }
            all.scripts[script].text = text;
        }
        all
    }

    /// Doom 3 keeps the first declaration of a name and warns of the others (idDeclFile::LoadAndParse).
    fn of_declarations(bundle: &Bundle, report: &mut Report) -> Self {
        let mut all = Self::default();
        for path in Self::of_extension(bundle, "mtr") {
            if !all.read(bundle, path) {
                continue;
            }
            let script = all.scripts.len() - 1;
            let text = std::mem::take(&mut all.scripts[script].text);
            let mut words = Words::new(&text, doom3::MARKS);
            let mut has_said = false;
            while let Some(first) = words.next_word() {
                let kind = KINDS.iter().find(|kind| first.is(kind)).copied();
                let name = if kind.is_some() { words.next_word() } else { Some(first) };
                let Some(name) = name else { break };
                // A declaration without a name has a body all the same.
                let opens = name.is_mark("{") || {
                    let mut ahead = words;
                    let opens = ahead.next_word().is_some_and(|word| word.is_mark("{"));
                    if opens {
                        words = ahead;
                    }
                    opens
                };
                if !opens {
                    if !std::mem::replace(&mut has_said, true) {
                        let found =
                            words.next_word().map_or("end of file".to_string(), |w| format!("`{}`", shorten(w.text)));
                        let problem = words.warning(name.at, "`{` after the name of a declaration", found);
                        report.push(problem.inside(format!("`{}`", shorten(name.text))).in_file(path));
                    }
                    continue;
                }
                let place = Place { script, name: name.at, body: words.at() };
                match kind {
                    None | Some("material") => _ = all.places.entry(doom3::canonical(name.text)).or_insert(place),
                    Some("table") => _ = all.tables.entry(bundle::lower(name.text)).or_insert(place),
                    Some(_) => {}
                }
                if !words.skip_block() {
                    unclosed(&words, name.text, place, path, report);
                }
            }
            all.scripts[script].text = text;
        }
        all
    }

    /// `scripts/x.shader:12`
    fn source(&self, place: Place) -> String {
        let script = &self.scripts[place.script];
        match locate(&script.text, place.name) {
            At::Text { line, .. } => format!("{}:{line}", script.path),
            _ => script.path.clone(),
        }
    }
}

impl Tables for Scripts {
    fn table(&self, name: &str) -> Option<Arc<Table>> {
        let name = bundle::lower(name);
        if let Some(table) = self.read_tables.borrow().get(&name) {
            return Some(table.clone());
        }
        let place = self.tables.get(&name)?;
        let mut words = Words::new(&self.scripts[place.script].text, doom3::MARKS);
        words.seek(place.body);
        let mut table = Table::default();
        let mut depth = 1;
        while let Some(word) = words.next_word() {
            match word.text {
                "{" => depth += 1,
                "}" => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                "," => {}
                word if word.eq_ignore_ascii_case("snap") => table.snaps = true,
                word if word.eq_ignore_ascii_case("clamp") => table.clamps = true,
                word => table.values.push(number(word)),
            }
        }
        let table = Arc::new(table);
        self.read_tables.borrow_mut().insert(name, table.clone());
        Some(table)
    }
}

fn unclosed(words: &Words, name: &str, place: Place, path: &str, report: &mut Report) {
    let problem = words.warning(place.name, "a `}` for every `{`", "end of file");
    report.push(problem.inside(format!("`{}`", shorten(name))).in_file(path));
}

fn shorten(word: &str) -> String {
    word.chars().take(60).collect()
}

/// Source: the .vmt below the folders of $cdmaterials, or wherever it was dropped.
fn vmt(name: &str, search: &Search, report: &mut Report) -> Option<Material> {
    let read = |path: &str| Some(source::Vmt::read(&bundle::decode(&search.bundle.read(path)?)));
    let path = search.file(name, &["vmt"]).path.filter(|path| bundle::extension(path) == "vmt")?;
    let mut vmt = read(&path)?;
    if let Some(include) = vmt.include.take() {
        match search.bundle.resolve(&include, bundle::folder(&path), &["vmt"]).path.filter(|base| *base != path) {
            Some(base) => vmt = vmt.over(read(&base)?),
            None => report.push(
                Diagnostic::warning(At::File, format!("the included `{include}`"), "no such file").in_file(&path),
            ),
        }
    }
    Some(Material { source: path, ..vmt.material(name) })
}

/// What an image without a script looks like: lit and opaque. (Quake III: R_FindShader, for surfaces lit by the entity's light.)
fn by_image(old: &Material, search: &Search) -> Material {
    let mut image = ImageRef::new("diffuse", &old.name);
    search.fill(&mut image);
    let source = if image.is_missing() { "not found" } else { "image of the material's name" };
    Material { source: source.to_string(), ..Material::plain(&old.name, Some(image)) }
}

/// Doom 3 without a .mtr. The game would show the image unlit and blended by its alpha; models are made for a material, so it is
/// drawn lit and opaque. Tools give the images of one material endings: `_d`, `_local`, `_s`.
fn by_convention(old: &Material, search: &Search) -> Material {
    let mut material = by_image(old, search);
    let name = match bundle::extension(&old.name).as_str() {
        "" => old.name.as_str(),
        extension => &old.name[..old.name.len() - extension.len() - 1],
    };
    let base = name.strip_suffix("_d").unwrap_or(name);
    let layer = &mut material.layers[0];
    if layer.images[0].is_missing()
        && let Some(image) = search.guess("diffuse", &format!("{base}_d"))
    {
        layer.images = vec![image];
        material.source = "a guess by name: _d".to_string();
    }
    if !layer.images[0].is_missing() {
        layer.bump = search.guess("bump", &format!("{base}_local"));
        layer.specular = search.guess("specular", &format!("{base}_s"));
        for (image, ending) in [(&layer.bump, "_local"), (&layer.specular, "_s")] {
            if image.is_some() {
                let joint = if material.source.starts_with("a guess") { "," } else { "; a guess by name:" };
                material.source = format!("{}{joint} {ending}", material.source);
            }
        }
    }
    material
}

/// Half-Life: the render mode by name, unless the .qc or the reader set one.
fn by_mode(old: &Material, search: &Search) -> Material {
    let mut material = old.clone();
    let is_untouched =
        matches!(old.layers.as_slice(), [] | [_]) && old.layers.iter().all(|layer| *layer == Layer::lit());
    if is_untouched {
        // Chrome is set where the model is read: Source does not know it by name.
        for mode in RenderMode::of_name(&old.name).into_iter().filter(|mode| *mode != RenderMode::Chrome) {
            material.set_render_mode(mode);
        }
    }
    if material.layers.is_empty() {
        material.layers.push(Layer::lit());
    }
    let mut image = ImageRef::new("diffuse", &old.name);
    search.fill(&mut image);
    material.source = if image.is_missing() { "not found" } else { "image of the material's name" }.to_string();
    for layer in &mut material.layers {
        layer.set_images(vec![image.clone()]);
    }
    material
}

/// What Cube 2's engine says of a .md5mesh in the md5.cfg beside it: what each mesh wears, in the order of the file, under the names
/// in `shaders`. `None` where there is no such file about this .md5mesh.
pub fn cube2_materials(path: &str, shaders: &[&str], search: &Search) -> Option<Vec<Option<Material>>> {
    let text = |path: &str| Some(bundle::decode(&search.bundle.read(path)?));
    let cfg = search.bundle.find(&format!("{}md5.cfg", bundle::folder(path)))?;
    let config = cube2::read(&text(cfg)?);
    if !config.is_for(path) {
        return None;
    }
    let names = cube2::mesh_names(&text(path)?);
    let wear = |(index, shader): (usize, &&str)| {
        let mut material = config.skin(names.get(index).map_or("", String::as_str))?.material(shader);
        search.fill_all(&mut material);
        Some(Material { source: cfg.to_string(), ..material })
    };
    let materials: Vec<_> = shaders.iter().enumerate().map(wear).collect();
    materials.iter().any(Option::is_some).then_some(materials)
}

/// Endings and whole names of images that are no colours: `norm`, `skin_local`.
const HELPER_IMAGES: &[(&str, &str)] = &[
    ("norm", "bump"),
    ("normal", "bump"),
    ("normals", "bump"),
    ("normalmap", "bump"),
    ("nm", "bump"),
    ("nmap", "bump"),
    ("local", "bump"),
    ("bump", "bump"),
    ("n", "bump"),
    ("mask", "mask"),
    ("masks", "mask"),
    ("spec", "specular"),
    ("specular", "specular"),
    ("s", "specular"),
    ("sc", "specular"),
    ("gloss", ""),
    ("glow", ""),
    ("h", ""),
    ("height", ""),
    ("ao", ""),
    ("env", ""),
    ("envmap", ""),
    ("icon", ""),
];

/// What an image's stem says that it is: `bump`, `specular`, `mask`, nothing known to the viewer (empty), or a colour (`None`).
fn helper(stem: &str) -> Option<&'static str> {
    let stem = bundle::lower(stem);
    let word = stem.rsplit(['_', '-', '.', ' ']).next().unwrap_or(&stem);
    HELPER_IMAGES.iter().find(|(name, _)| *name == word).map(|(_, slot)| *slot)
}

/// For a model of which no material was found: the only image in its folder that can be its colours, with the bump and
/// specular image beside it. One of the model's own name, or Cube 2's `skin`, comes before others.
pub fn by_folder(name: &str, path: &str, search: &Search) -> Option<Material> {
    let folder = bundle::key(search.near);
    let is_image = |path: &&str| bundle::IMAGE_EXTENSIONS.contains(&bundle::extension(path).as_str());
    let beside = search.bundle.paths().filter(|path| bundle::key(bundle::folder(path)) == folder).filter(is_image);
    let mut stems: Vec<String> = beside.map(|path| bundle::lower(bundle::stem(path))).collect();
    sort::by(&mut stems, |a, b| a.cmp(b));
    stems.dedup();
    let colors: Vec<&String> = stems.iter().filter(|stem| helper(stem).is_none()).collect();
    let own = bundle::lower(bundle::stem(path));
    let preferred = colors.iter().find(|stem| ***stem == own).or_else(|| colors.iter().find(|stem| **stem == "skin"));
    let stem = match colors.as_slice() {
        [only] => only,
        _ => preferred?,
    };
    let near = |slot: &str, stem: &str| search.guess(slot, &format!("{}{stem}", search.near));
    let mut material = Material::plain(name, Some(near("diffuse", stem)?));
    let layer = &mut material.layers[0];
    let one = |wanted: &str| stems.iter().find(|stem| helper(stem) == Some(wanted));
    layer.bump = one("bump").and_then(|stem| near("bump", stem));
    layer.specular = one("specular").and_then(|stem| near("specular", stem)).or_else(|| {
        let mut image = near("specular", one("mask")?)?;
        image.program = Program::MakeIntensity(Box::new(image.program));
        Some(image)
    });
    material.source = "a guess: the image in the model's folder".to_string();
    Some(material)
}
