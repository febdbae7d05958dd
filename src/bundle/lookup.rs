//! Finding a file under the name that another file gives it: in comes the name as written, out comes a path in the bundle.

use super::{Bundle, key};

/// Every kind of image that some game or the browser reads, the games' own first.
pub const IMAGE_EXTENSIONS: &[&str] = &["tga", "jpg", "jpeg", "png", "pcx", "bmp", "dds", "wal", "webp", "gif"];

/// Folders that the games' trees begin with.
const ROOTS: &[&str] = &["models", "textures", "materials", "gfx", "sprites", "progs", "players"];

/// Longer names are looked for nowhere (the games' own limit is MAX_OSPATH, 256), and of more folders only the last: each is tried
/// and told, so that the text of a long name would be kept a thousand times over.
const LONGEST: usize = 1000;
const MOST_FOLDERS: usize = 12;

/// Up to so many files, a search costs less than to remember it.
const FEW: usize = 32;

/// A path, the folder to be near to, and which of [`ROOTS`] the path has no more.
pub(super) type Question = (String, String, Vec<bool>);

/// What came of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lookup {
    /// The path as it was added to the bundle.
    pub path: Option<String>,
    /// What was looked for until something was there, in order, in lower case. Each stands for the file of that path, below
    /// whatever folders it was dropped in.
    pub tried: Vec<String>,
}

/// A key with its parts in reverse order and NUL between them, so that paths with one ending sort together.
pub(super) fn ending(key: &str) -> String {
    key.rsplit('/').collect::<Vec<_>>().join("\0")
}

impl Bundle {
    /// Looks for the file that `name` means in a file whose folder is `near`.
    ///
    /// The games' trees have one root; dropped files may come from any depth below or above it, and tools write names that only
    /// held on their author's disk. So the whole name is looked for first, then the name without its first folder (or
    /// drive), and so on down to the file's name. At each step the extension as written comes first, then `extensions` in order.
    /// A match may lie below further folders: `mymod/models/x.tga` is found for `models/x.tga`. Of several the one nearest
    /// to `near` is taken. If images are wanted, an image of any kind with the right stem is taken in the end.
    ///
    /// Once folders of the name are left out, a file that stands elsewhere in the same tree is another file, not a match:
    /// `models/b/skin.tga` is not taken for `models/a/skin.tga`, unless `near` is `models/b`.
    ///
    /// What is not there is remembered: see [`Bundle::missed`].
    pub fn resolve(&self, name: &str, near: &str, extensions: &[&str]) -> Lookup {
        let lookup = self.look_for(name, near, extensions);
        if lookup.path.is_none() {
            self.remember_missed(&lookup.tried);
        }
        lookup
    }

    fn look_for(&self, name: &str, near: &str, extensions: &[&str]) -> Lookup {
        let mut lookup = Lookup::default();
        let name = name.trim();
        let whole = key(name);
        if whole.is_empty() || whole.len() > LONGEST || name.ends_with(['/', '\\']) {
            return lookup;
        }
        let mut parts: Vec<&str> = whole.split('/').collect();
        let file = parts.pop().expect("a split gives at least one part");
        if file == ".." {
            return lookup;
        }
        let files = candidates(file, extensions);
        let near = key(near);

        if let Some(last_up) = parts.iter().rposition(|part| *part == "..") {
            // Relative to the asking file, as tools write it; the games refuse such paths.
            let relative = climb(&near, &parts);
            for file in &files {
                let path = join(&relative, file);
                if self.tries(&mut lookup, &path, &near, None) {
                    return lookup;
                }
            }
            parts.drain(..=last_up);
        }
        parts.drain(..parts.len().saturating_sub(MOST_FOLDERS));
        for dropped in 0..=parts.len() {
            for file in &files {
                let path = join(&parts[dropped..], file);
                if self.tries(&mut lookup, &path, &near, Some(&parts[..dropped])) {
                    return lookup;
                }
            }
        }
        if extensions.iter().any(|extension| IMAGE_EXTENSIONS.contains(extension)) {
            let stems = [Some(file), file.rfind('.').map(|dot| &file[..dot])];
            for stem in stems.into_iter().flatten().filter(|stem| !stem.is_empty()) {
                for extension in IMAGE_EXTENSIONS {
                    let path = format!("{stem}.{extension}");
                    if !files.contains(&path) && self.nearest(&path, &near, &parts).is_some() {
                        self.tries(&mut lookup, &path, &near, Some(&parts));
                        return lookup;
                    }
                }
            }
        }
        lookup
    }

    /// Notes the attempt and takes what there is. Without `dropped` only the very path counts.
    fn tries(&self, lookup: &mut Lookup, path: &str, near: &str, dropped: Option<&[&str]>) -> bool {
        let found = match dropped {
            Some(dropped) => self.nearest(path, near, dropped),
            None => self.find(path).map(str::to_string),
        };
        if !lookup.tried.iter().any(|tried| tried == path) {
            lookup.tried.push(path.to_string());
        }
        lookup.path = found;
        lookup.path.is_some()
    }

    /// Of the files whose paths end with `path`, the one nearest to the folder `near`. Where there are many, the answer is kept:
    /// all files of one name are looked through once for a folder, however many materials ask.
    fn nearest(&self, path: &str, near: &str, dropped: &[&str]) -> Option<String> {
        let left_out: Vec<bool> = ROOTS.iter().map(|root| dropped.contains(root)).collect();
        let question = (path.to_string(), near.to_string(), left_out);
        if let Some(known) = self.searched.borrow().get(&question) {
            return known.clone();
        }
        let (found, looked_at) = self.search(path, near, &question.2);
        if looked_at > FEW {
            self.searched.borrow_mut().insert(question, found.clone());
        }
        found
    }

    /// What [`Bundle::nearest`] says, and how many files were looked at. `left_out`: which of [`ROOTS`] the path has no more.
    fn search(&self, path: &str, near: &str, left_out: &[bool]) -> (Option<String>, usize) {
        let wanted = ending(path);
        let mut best: Option<(_, String)> = None;
        let mut looked_at = 0;
        for found in self.endings.range(wanted.clone()..) {
            let Some(rest) = found.strip_prefix(wanted.as_str()) else { break };
            if !rest.is_empty() && !rest.starts_with('\0') {
                break;
            }
            looked_at += 1;
            let key = rest.rsplit('\0').filter(|part| !part.is_empty()).chain([path]).collect::<Vec<_>>().join("/");
            // Folders that the file lies in beyond those that were asked for.
            let above = key[..key.len() - path.len()].trim_end_matches('/');
            let beside = super::folder(&key).trim_end_matches('/') == near;
            let elsewhere =
                ROOTS.iter().zip(left_out).any(|(root, is_out)| *is_out && above.split('/').any(|part| part == *root));
            if elsewhere && !beside {
                continue;
            }
            // Beside the asking file if the name has no folder; else at the root that the asking file is below; else close by.
            let below_one_root = common(above, near) == depth(above);
            let root = if below_one_root { depth(above) + 1 } else { 0 };
            let bare = !path.contains('/');
            let rank = (bare && beside, root, common(&key, near), std::cmp::Reverse(depth(&key)));
            if best.as_ref().is_none_or(|(best, _)| rank > *best) {
                best = Some((rank, key));
            }
        }
        (best.and_then(|(_, key)| self.find(&key).map(str::to_string)), looked_at)
    }
}

/// The file names to look for: as written if it has an extension, then with each of `extensions` in its place.
fn candidates(file: &str, extensions: &[&str]) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    let mut stems = vec![file];
    if let Some(dot) = file.rfind('.').filter(|&dot| dot > 0) {
        files.push(file.to_string());
        let own = &file[dot + 1..];
        // `skin.tga` is never `skin.tga.jpg`, but `skin.v2` may be `skin.v2.tga`.
        if extensions.contains(&own) || IMAGE_EXTENSIONS.contains(&own) || own.is_empty() {
            stems.clear();
        }
        stems.push(&file[..dot]);
    }
    for stem in stems {
        for extension in extensions {
            let candidate = format!("{stem}.{extension}");
            if !files.contains(&candidate) {
                files.push(candidate);
            }
        }
    }
    files
}

/// `parts` read from the folder `near`: each `..` leads one folder up.
fn climb<'a>(near: &'a str, parts: &[&'a str]) -> Vec<&'a str> {
    let mut folders: Vec<&str> = near.split('/').filter(|part| !part.is_empty()).collect();
    for part in parts {
        match *part {
            ".." => {
                folders.pop();
            }
            part => folders.push(part),
        }
    }
    folders
}

fn join(folders: &[&str], file: &str) -> String {
    folders.iter().copied().chain([file]).collect::<Vec<_>>().join("/")
}

fn depth(path: &str) -> usize {
    path.split('/').filter(|part| !part.is_empty()).count()
}

/// How many folders two paths share from the root on.
fn common(a: &str, b: &str) -> usize {
    a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b && !a.is_empty()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 20,000 files of one name, and 500 materials that each want another one of that name: looked through once for each root that
    /// was left out, not for each material.
    #[test]
    fn many_files_of_one_name_are_looked_through_once() {
        let mut bundle = Bundle::default();
        for index in 0..20_000 {
            bundle.add(&format!("mod/{index}/skin.tga"), Vec::new());
        }
        for index in 0..500 {
            let name = format!("{}/other{index}/skin", if index % 2 == 0 { "models" } else { "textures" });
            let found = bundle.resolve(&name, "mod/77", IMAGE_EXTENSIONS).path;
            assert_eq!(found.as_deref(), Some("mod/77/skin.tga"));
        }
        assert_eq!(bundle.searched.borrow().len(), 2);
        // Another file of the name may be nearer.
        bundle.add("mod/77/other1/skin.tga", Vec::new());
        assert!(bundle.searched.borrow().is_empty());
        let found = bundle.resolve("textures/other1/skin", "mod/77", IMAGE_EXTENSIONS).path;
        assert_eq!(found.as_deref(), Some("mod/77/other1/skin.tga"));
    }
}
