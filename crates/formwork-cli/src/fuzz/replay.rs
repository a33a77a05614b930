//! Single runs of packets: a case by its number, or packets of reports.

use std::path::{Path, PathBuf};

use formwork_kit::case::Case;
use formwork_kit::oracle::campaign::Campaign;

use super::listing::Listing;
use crate::failure::{Failure, Status};

/// A packet to run.
struct Packet {
    name: String,
    /// The packets that are run before it.
    before: Vec<Vec<u8>>,
    bytes: Vec<u8>,
    /// The other packet of its pair.
    pair: Option<Vec<u8>>,
}

/// Runs a case.
pub(super) fn case(
    campaign: &Campaign<'_>,
    case: &Case,
    listing: &Listing,
) -> Result<Status, Failure> {
    let name = format!("case {}", case.number);
    listing.case(case)?;
    let (bytes, pair) = (case.bytes.clone(), case.pair.clone());
    run(campaign, &[Packet { name, before: Vec::new(), bytes, pair }], listing)
}

/// Runs the packets in these files. Before each, runs the packets in the folder `before` beside the
/// file. Uses the other packet of its pair, `pair.bin`, if there is one. Reports have these files.
pub(super) fn files(
    campaign: &Campaign<'_>,
    files: &[PathBuf],
    listing: &Listing,
) -> Result<Status, Failure> {
    let packet = |path: &PathBuf| {
        let before = path.with_file_name("before");
        let is_report = path.file_name().is_some_and(|name| name == "packet.bin");
        let before = if is_report && before.is_dir() { read_folder(&before)? } else { Vec::new() };
        let pair = path.with_file_name("pair.bin");
        let pair = (is_report && pair.is_file()).then(|| read(&pair)).transpose()?;
        Ok(Packet { name: path.display().to_string(), before, bytes: read(path)?, pair })
    };
    let packets: Vec<_> = files.iter().map(packet).collect::<Result<_, Failure>>()?;
    run(campaign, &packets, listing)
}

fn run(campaign: &Campaign<'_>, packets: &[Packet], listing: &Listing) -> Result<Status, Failure> {
    let mut status = Status::Done;
    for Packet { name, before, bytes, pair } in packets {
        let seen = campaign
            .try_again(before, bytes, pair.as_deref())
            .map_err(|error| Failure::unreadable(format!("the target: {error}")))?;
        if seen.difference.is_some() {
            status = Status::No;
        }
        listing.seen(name, &seen)?;
    }
    Ok(status)
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let name = path.display().to_string();
    std::fs::read(path).map_err(|error| Failure::stream("could not be read", &name, &error))
}

/// Reads the files of a folder, by name.
fn read_folder(path: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let name = path.display().to_string();
    let failed = |error| Failure::stream("could not be read", &name, &error);
    let entries = std::fs::read_dir(path).map_err(failed)?;
    let mut files = entries
        .map(|entry| Ok(entry.map_err(failed)?.path()))
        .collect::<Result<Vec<_>, Failure>>()?;
    files.sort();
    files.iter().map(|file| read(file)).collect()
}
