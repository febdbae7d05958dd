//! Each folder tests/data/<format>/<case> holds files and, in expected.txt, what is to come out of them: the findings and the
//! model as text. `UPDATE_EXPECTED=1 cargo test --test formats` writes the files anew; read the difference before committing it.

mod support;

use std::fs;
use std::path::Path;

use rigview::bundle::Bundle;
use rigview::format::{self, Content, animation_cfg};
use rigview::model::{Model, check, finish};
use rigview::open::{bind::bind_md5, flex, smd};
use rigview::report::{Diagnostic, Report};
use support::{dump, file_name, files_below, folders_in, repository};

#[test]
fn animation_cfgs() {
    run("animation_cfg");
}

#[test]
fn md3() {
    run("md3");
}

#[test]
fn md5() {
    run("md5");
}

#[test]
fn smd() {
    run("smd");
}

#[test]
fn qc() {
    run("qc");
}

fn run(format: &str) {
    let cases = folders_in(&repository("tests/data").join(format));
    assert!(!cases.is_empty(), "no cases of {format}");
    let wrong: Vec<_> = cases.iter().filter(|case| !is_as_expected(case)).map(|case| file_name(case)).collect();
    assert!(wrong.is_empty(), "not as expected: {}", wrong.join(", "));
}

fn is_as_expected(case: &Path) -> bool {
    let found = outcome(case);
    let path = case.join("expected.txt");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        fs::write(&path, &found).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    if found != expected {
        let differs = found.lines().zip(expected.lines()).position(|(found, expected)| found != expected);
        let line = differs.unwrap_or(found.lines().count().min(expected.lines().count()));
        eprintln!("{}:{}:", path.display(), line + 1);
        eprintln!("  expected: {}", expected.lines().nth(line).unwrap_or("the end"));
        eprintln!("  found:    {}", found.lines().nth(line).unwrap_or("the end"));
    }
    found == expected
}

/// What comes out of a case's files, one after the other. Animations are also bound to the case's model, shapes laid onto it.
/// A .qc is put together from the files beside it instead.
fn outcome(case: &Path) -> String {
    if let Some(script) = files_below(case).iter().find(|path| path.extension().is_some_and(|end| end == "qc")) {
        return assembled(case, script);
    }
    let mut out = String::new();
    let mut model: Option<Model> = None;
    let mut animations = Vec::new();
    let mut shapes = Vec::new();
    for path in files_below(case) {
        let name = path.strip_prefix(case).unwrap().to_string_lossy().replace('\\', "/");
        let bytes = fs::read(&path).unwrap();
        if name == "animation.cfg" {
            let mut report = Report::default();
            let cfg = animation_cfg::read(&bytes, &mut report);
            out += &format!("{name}\n{report}{}", dump::animation_cfg(&cfg));
            continue;
        }
        let Some(format) = format::guess(&name, &bytes) else { continue };
        out += &format!("{name} ({})\n", format.name);
        let mut report = Report::default();
        let content = format::read(format, &name, &bytes, &mut report).and_then(finished);
        out += &report.to_string();
        match content {
            Ok(content) => {
                out += &dump::content(&content);
                match content {
                    Content::Model(read) => model = Some(read),
                    Content::Animation(animation) => animations.push((name, animation)),
                    Content::Shapes(read) => shapes.push((name, read)),
                    _ => {}
                }
            }
            Err(error) => out += &format!("refused: {error}\n"),
        }
        out.push('\n');
    }
    let Some(mut model) = model else { return out };
    for (name, animation) in animations {
        if name.ends_with(".smd") {
            let mut report = Report::default();
            let bound = smd::bind(&model.skeleton, &animation, &mut report);
            out += &format!("{name} on the model\n{report}");
            match bound {
                Ok(clip) => out += &dump::clip(&clip, &model.skeleton),
                Err(error) => out += &format!("refused: {error}\n"),
            }
            continue;
        }
        match bind_md5(&model.skeleton, &animation) {
            Ok(_) => out += &format!("{name} moves the model\n"),
            Err(error) => out += &format!("{name} does not move the model: {error}\n"),
        }
    }
    for (name, shapes) in shapes {
        let mut report = Report::default();
        flex::add_shapes(&mut model, &shapes, |_| None, &mut report);
        out += &format!("{name} on the model\n{report}{}", dump::flexes(&model));
    }
    out
}

/// What comes out of a script, and of the files that it names.
fn assembled(case: &Path, script: &Path) -> String {
    let name = |path: &Path| path.strip_prefix(case).unwrap().to_string_lossy().replace('\\', "/");
    let mut bundle = Bundle::default();
    for path in files_below(case).into_iter().filter(|path| !path.ends_with("expected.txt")) {
        bundle.add(&name(&path), fs::read(&path).unwrap());
    }
    let mut report = Report::default();
    let model = rigview::open::qc::assemble(&name(script), &bundle, &mut report).and_then(|mut model| {
        finish::finish(&mut model);
        check::check(&model).map(|()| model)
    });
    match model {
        Ok(model) => format!("{report}{}", dump::model(&model)),
        Err(error) => format!("{report}refused: {error}\n"),
    }
}

fn finished(mut content: Content) -> Result<Content, Box<Diagnostic>> {
    if let Content::Model(model) = &mut content {
        finish::finish(model);
        check::check(model)?;
    }
    Ok(content)
}
