//! Native micro-benchmarks of the inner loops: `FILES="a.md5mesh b.md3" cargo bench -p rigview-bench`.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use rigview_bench::{Moving, parse};

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let files = std::env::var("FILES").unwrap_or_default();
    if files.is_empty() {
        println!("name model files in FILES; `npm --prefix www run bench` makes some in benches/inputs");
    }
    for path in files.split_whitespace() {
        let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let name = path.rsplit('/').next().unwrap_or(path);
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function("parse", |bencher| bencher.iter(|| parse(path, black_box(&bytes))));
        let mut moving = Moving::new(parse(path, &bytes));
        group.throughput(Throughput::Elements(moving.vertices() as u64));
        group.bench_function("skin", |bencher| bencher.iter(|| moving.skin()));
        group.throughput(Throughput::Elements(moving.joints().max(1) as u64));
        group.bench_function("pose", |bencher| bencher.iter(|| moving.pose()));
        group.finish();
    }
    criterion.final_summary();
}
