//! Real files, which may not be shipped: those in the folder that FORMWORK_ALB1_CORPUS names.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use bytes::Bytes;
use formwork_testkit::corpus;

/// A real file.
#[derive(Clone)]
pub(crate) struct Sample {
    /// The path in the corpus, without `.xz`.
    pub(crate) name: String,
    pub(crate) bytes: Bytes,
}

/// Calls `visit` with every real ALB1 file; returns the number of files.
pub(crate) fn every_sample(visit: impl FnMut(Sample)) -> usize {
    // Most of the files are packed, and most of the tests look at all of them.
    static SAMPLES: OnceLock<Vec<Sample>> = OnceLock::new();
    let real = || corpus::folder().map(|folder| samples(&folder)).unwrap_or_default();
    let samples = SAMPLES.get_or_init(real);
    samples.iter().cloned().for_each(visit);
    samples.len()
}

/// Calls `visit` with one in ten real files of each kind and size, or with every one where tests are thorough; returns
/// the number of files.
pub(crate) fn each_sample(mut visit: impl FnMut(Sample)) -> usize {
    let kind = |sample: &Sample| sample.name.rsplit('.').next().map(str::to_owned);
    let mut all = Vec::new();
    every_sample(|sample| all.push(sample));
    all.sort_by_key(|sample| (kind(sample), sample.bytes.len()));
    let some = all.into_iter().step_by(formwork_testkit::rounds(10, 1));
    some.map(&mut visit).count()
}

/// Calls `visit` as [`each_sample`] where there are real files, for tests that have files without them; returns the
/// number of files.
pub(crate) fn more_samples(visit: impl FnMut(Sample)) -> usize {
    if std::env::var_os(corpus::VARIABLE).is_none() { 0 } else { each_sample(visit) }
}

/// Hands `visit` the files that are shipped and whole, then real ones where there are some; how many there are.
pub(crate) fn each_file(mut visit: impl FnMut(Sample)) -> usize {
    let shipped = samples(&formwork_testkit::formats().join("alb1/samples"));
    let is_whole = |sample: &Sample| formwork_alb1::Document::from_slice(&sample.bytes).is_ok();
    let shipped: Vec<_> = shipped.into_iter().filter(is_whole).collect();
    let count = shipped.len();
    assert!(count >= 4, "{count} files");
    shipped.into_iter().for_each(&mut visit);
    count + more_samples(visit)
}

fn samples(folder: &Path) -> Vec<Sample> {
    let mut paths = Vec::new();
    collect(folder, &mut paths);
    paths.sort();
    assert!(!paths.is_empty(), "no ALB1 file in {}", folder.display());
    let sample = |path: &PathBuf| {
        let name = path.strip_prefix(folder).unwrap_or(path).display().to_string();
        Sample { name: name.trim_end_matches(".xz").to_owned(), bytes: read(path).into() }
    };
    paths.iter().map(sample).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = name.trim_end_matches(".xz");
        if path.is_dir() {
            collect(&path, paths);
        } else if [".tv4p", ".tv4l", ".tv4s"].iter().any(|end| name.ends_with(end)) {
            paths.push(path);
        }
    }
}

/// The file's bytes, unpacked where it is stored with xz.
fn read(path: &Path) -> Vec<u8> {
    if path.extension().is_some_and(|extension| extension == "xz") {
        let unpacked = Command::new("xz").arg("-dc").arg(path).output().expect("xz");
        assert!(unpacked.status.success(), "{}", path.display());
        return unpacked.stdout;
    }
    fs::read(path).unwrap()
}
