//! Playing takes no memory: in come players and clips, out comes whether a frame allocated. One test, so that no other one allocates
//! meanwhile.

use std::path::Path;

use peak_alloc::PeakAlloc;
use rigview::bundle::Bundle;
use rigview::open;
use rigview::stage::Stage;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

#[test]
fn a_playing_player_allocates_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("www/public/samples/fathom/models");
    let mut bundle = Bundle::default();
    for path in ["players/fathom", "weapons2/harpoon"] {
        for entry in std::fs::read_dir(folder.join(path)).unwrap() {
            let file = entry.unwrap().path();
            let name = format!("models/{path}/{}", file.file_name().unwrap().to_str().unwrap());
            bundle.add(&name, std::fs::read(&file).unwrap());
        }
    }
    let Ok(mut figure) = open::open(&bundle, None) else { panic!("the sample opens") };
    let mut stage = Stage::new();
    stage.clock.clips =
        vec![("lower".to_string(), "LEGS_RUN".to_string()), ("upper".to_string(), "TORSO_ATTACK".to_string())];
    stage.clock.playing = true;
    let before = (figure.parts[0].generation(), MEMORY.current_usage());
    MEMORY.reset_peak_usage();
    for frame in 0..200 {
        stage.advance(&mut figure, f64::from(frame) * 16.0);
        figure.update();
        assert!(!figure.bounds().is_empty());
        assert!(figure.drawn().count() > 3 && figure.tag_places().count() > 3);
    }
    let peak = MEMORY.peak_usage();
    assert_eq!(peak, before.1, "bytes at most while playing, and before");
    assert!(figure.parts[0].generation() > before.0 + 100, "he moved");
    let one_more = vec![1_u8];
    assert!(MEMORY.peak_usage() > peak, "a single byte would have been seen: {one_more:?}");
}
