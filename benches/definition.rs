//! Measures an index of git with 23,568 files: read and written by formwork, and by binrw from the same declaration.
//!
//!     cargo bench -p formwork

use std::hint::black_box;

use criterion::Criterion;
use formwork::record;

#[allow(dead_code, missing_docs, reason = "the names are those of the format")]
#[path = "../examples/formats/git_index.rs"]
mod git_index;

/// The declaration with binrw's derives alone.
#[allow(dead_code, reason = "only what is read")]
mod by_binrw {
    use binrw::{BinRead, BinWrite, binrw};

    #[binrw]
    #[brw(big, magic = b"DIRC")]
    pub struct Index {
        #[br(assert((2..=4).contains(&version)))]
        version: u32,
        count: u32,
        #[br(count = count)]
        entries: Vec<Entry>,
        hash: [u8; 20],
    }

    #[derive(BinRead, BinWrite)]
    #[brw(big)]
    pub struct Entry {
        changed: [u32; 2],
        modified: [u32; 2],
        device: [u32; 2],
        mode: u32,
        owner: [u32; 2],
        size: u32,
        hash: [u8; 20],
        flags: u16,
        #[br(count = flags & 0xfff)]
        path: Vec<u8>,
        #[br(count = 8 - (62 + (flags & 0xfff)) % 8)]
        zeros: Vec<u8>,
    }
}

fn index() -> Vec<u8> {
    use formwork::{Before, Block, Each, ToEnd};
    use git_index::{Entry, Flags, Index, Name};
    let entry = |number: u32| {
        let path = format!("folder{:02}/file{number:06}.txt", number % 97).into_bytes();
        let zeros = vec![0; 8 - (62 + path.len()) % 8];
        Entry {
            changed: [number, 1],
            modified: [number, 2],
            device: [3, number],
            mode: 0o100_644,
            owner: [0, 0],
            size: number,
            hash: [7; 20],
            flags: Flags::new().with_length(path.len() as u16),
            more: None,
            suffix: None,
            name: Some(Name { path: Block(path), zeros: Block(zeros) }),
        }
    };
    let entries: Each<Entry> = (0..23_568).map(entry).collect();
    let mut index = Index {
        version: 2,
        count: 0,
        entries,
        extensions: Before(ToEnd(Vec::new())),
        hash: [0; 20],
    };
    record::settle(&mut index).expect("counts and the hash can be set");
    record::to_vec(&index).expect("they agree")
}

fn main() {
    use binrw::{BinRead, BinWrite};
    use git_index::Index;
    let bytes = index();
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("git_index");
    group.throughput(criterion::Throughput::Bytes(bytes.len() as u64));
    group.bench_function("read/formwork", |bencher| {
        bencher
            .iter(|| record::from_slice::<Index>(black_box(&bytes)).expect("the index is right"));
    });
    group.bench_function("read/binrw", |bencher| {
        bencher.iter(|| {
            by_binrw::Index::read(&mut binrw::io::Cursor::new(black_box(&bytes)))
                .expect("the index is right")
        });
    });
    let index: Index = record::from_slice(&bytes).expect("the index is right");
    group.bench_function("write/formwork", |bencher| {
        bencher.iter(|| record::to_vec(black_box(&index)).expect("it agrees"));
    });
    let same =
        by_binrw::Index::read(&mut binrw::io::Cursor::new(&bytes)).expect("the index is right");
    group.bench_function("write/binrw", |bencher| {
        bencher.iter(|| {
            let mut out = binrw::io::Cursor::new(Vec::new());
            black_box(&same).write(&mut out).expect("memory can be written to");
            out.into_inner()
        });
    });
    group.bench_function("check/formwork", |bencher| {
        bencher.iter(|| record::check::<Index>(black_box(&bytes)));
    });
    group.bench_function("dump/formwork", |bencher| {
        bencher.iter(|| record::dump_to::<Index>(black_box(&bytes), &mut std::io::sink()));
    });
    group.bench_function("broken/formwork", |bencher| {
        bencher.iter(|| record::broken::<Index>(black_box(&bytes)).count());
    });
    group.finish();
    criterion.final_summary();
}
