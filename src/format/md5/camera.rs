//! .md5camera: in comes the text, out comes a camera's path (neo/game/Camera.cpp, idCameraAnim::LoadAnim).

use super::lexer::Lexer;
use super::{header, transform};
use crate::format::Content;
use crate::model::{Camera, CameraFrame};
use crate::report::{Diagnostic, Report, Result};

/// The fewest bytes that an entry can be written with, for holding counts against what is left of the file.
mod smallest {
    pub const CUT: usize = "1 ".len();
    pub const FRAME: usize = "(0 0 0)(0 0 0)0".len();
}

pub fn read(bytes: &[u8], report: &mut Report) -> Result<Content> {
    let mut lexer = Lexer::new(bytes, false);
    header(&mut lexer, "numFrames", report)?;
    lexer.keyword("numFrames")?;
    let frame_count = lexer.count("frames", smallest::FRAME).map_err(|error| error.inside("numFrames"))?;
    if frame_count == 0 {
        return Err(Diagnostic::error(lexer.here(), "at least one frame", "`0`")
            .inside("numFrames")
            .engine("Doom 3 stops: \"Invalid number of frames: 0\""));
    }

    lexer.keyword("frameRate")?;
    let place = lexer.place();
    let rate = lexer.integer().map_err(|error| error.inside("frameRate"))?;
    if rate <= 0 {
        return Err(Diagnostic::error(lexer.locate(place), "at least one frame a second", format!("`{rate}`"))
            .inside("frameRate")
            .engine(format!("Doom 3 stops: \"Invalid framerate: {rate}\"")));
    }

    lexer.keyword("numCuts")?;
    let place = lexer.place();
    let cut_count = lexer.count("cuts", smallest::CUT).map_err(|error| error.inside("numCuts"))?;
    if cut_count > frame_count {
        return Err(Diagnostic::error(
            lexer.locate(place),
            format!("0 to {frame_count} cuts, no more than frames"),
            format!("`{cut_count}`"),
        )
        .inside("numCuts")
        .engine(format!("Doom 3 stops: \"Invalid number of camera cuts: {cut_count}\"")));
    }
    let cuts = cuts(&mut lexer, cut_count, frame_count)?;
    let frames = frames(&mut lexer, frame_count, report)?;
    lexer.warn_of_foreign_numbers(report);
    Ok(Content::Camera(Camera { name: String::new(), source: String::new(), rate: rate as f32, cuts, frames }))
}

fn cuts(lexer: &mut Lexer, count: usize, frames: usize) -> Result<Vec<u32>> {
    lexer.keyword("cuts")?;
    lexer.mark(b'{')?;
    let mut cuts = Vec::with_capacity(count);
    for index in 0..count {
        let place = lexer.place();
        let cut = lexer.integer().map_err(|error| error.inside(format_args!("cut[{index}]")))?;
        match u32::try_from(cut) {
            Ok(cut) if cut >= 1 && (cut as usize) < frames => cuts.push(cut),
            _ => {
                let expected = match frames {
                    1 => "no cut, where there is but one frame".to_string(),
                    _ => format!("a frame from 1 to {}, below numFrames {frames}", frames - 1),
                };
                return Err(Diagnostic::error(lexer.locate(place), expected, format!("`{cut}`"))
                    .inside(format_args!("cut[{index}]"))
                    .engine("Doom 3 stops: \"Invalid camera cut\""));
            }
        }
    }
    lexer.mark(b'}').map_err(|error| error.inside("cuts"))?;
    Ok(cuts)
}

fn frames(lexer: &mut Lexer, count: usize, report: &mut Report) -> Result<Vec<CameraFrame>> {
    lexer.keyword("camera")?;
    lexer.mark(b'{')?;
    let mut frames = Vec::with_capacity(count);
    for index in 0..count {
        frames.push(frame(lexer).map_err(|error| error.inside(format_args!("camera[{index}]")))?);
    }
    if !lexer.take_mark(b'}') {
        let missing = lexer.expected_token("}").inside("camera");
        if !lexer.is_at_end() {
            return Err(missing);
        }
        report.push(missing.into_warning());
    }
    Ok(frames)
}

fn frame(lexer: &mut Lexer) -> Result<CameraFrame> {
    let model_from_camera = transform(lexer)?;
    Ok(CameraFrame { model_from_camera, fov_x: lexer.float()? })
}
