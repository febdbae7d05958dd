//! The native side of two scripts: `instructions WORK FILE` does one piece of work once inside `measured`, for counting its
//! instructions; `instructions time` answers each line `WORK FILE` on its input with the nanoseconds it took.

use std::collections::HashMap;
use std::hint::black_box;
use std::io::{BufRead, Write};
use std::time::Instant;

use rigview_bench::{Moving, parse};
use rigview_plain::PlainMd5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["time"] => answer(),
        [work, path] => {
            let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
            run(work, path, &bytes, &mut None);
        }
        _ => eprintln!("usage: instructions time | instructions parse|plain|skin|pose FILE"),
    }
}

fn answer() {
    let mut files: HashMap<String, Vec<u8>> = HashMap::new();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Some((work, path)) = line.split_once(' ') else { continue };
        let bytes = files.entry(path.to_string()).or_insert_with(|| std::fs::read(path).unwrap_or_default());
        let mut elapsed = None;
        run(work, path, bytes, &mut elapsed);
        println!("{}", elapsed.unwrap_or_default());
        let _ = std::io::stdout().flush();
    }
}

/// Does the work; `nanoseconds` are those inside `measured`.
fn run(work: &str, path: &str, bytes: &[u8], nanoseconds: &mut Option<u128>) {
    let mut time = |work: &mut dyn FnMut()| {
        let (began, on_cpu) = (Instant::now(), time_on_cpu());
        measured(work);
        let wall = began.elapsed().as_nanos();
        *nanoseconds = Some(time_on_cpu().zip(on_cpu).map_or(wall, |(after, before)| wall.min(after - before)));
    };
    match work {
        "parse" => time(&mut || {
            black_box(parse(path, bytes));
        }),
        "plain" => time(&mut || {
            black_box(std::str::from_utf8(bytes).ok().and_then(PlainMd5::parse));
        }),
        "skin" | "pose" => {
            let mut moving = Moving::new(parse(path, bytes));
            moving.pose();
            // The first time sorts the vertices.
            moving.skin();
            match work {
                "skin" => time(&mut || moving.skin()),
                _ => time(&mut || moving.pose()),
            }
            black_box(moving.sum());
        }
        _ => panic!("no work named {work}"),
    }
}

/// Nanoseconds of this thread on a processor, where the system tells (Linux): what other programs take does not count.
fn time_on_cpu() -> Option<u128> {
    // The kernel brings the figure up to date when the thread steps back.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}

/// By this name callgrind knows what to count.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
}
