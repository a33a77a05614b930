//! Single runs of packets: a case by its number, packets of files, or rows of suites and reports.

use std::path::{Path, PathBuf};

use formwork_kit::case::Case;
use formwork_kit::oracle::campaign::Campaign;
use formwork_kit::report::{self, Row};

use super::listing::Listing;
use formwork_program::failure::{Failure, Status};
use formwork_program::style::shown;

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

/// Runs the packets in these files, and the rows of those that are suites or reports.
pub(super) fn files(
    campaign: &Campaign<'_>,
    files: &[PathBuf],
    listing: &Listing,
) -> Result<Status, Failure> {
    let mut packets = Vec::new();
    for path in files {
        let name = path.display().to_string();
        let bytes = read(path)?;
        if path.extension().is_none_or(|end| end != "jsonl") {
            packets.push(Packet { name, before: Vec::new(), bytes, pair: None });
            continue;
        }
        let text = String::from_utf8(bytes).map_err(|_| "this is no UTF-8".to_owned());
        let rows = text.and_then(|text| report::rows(&text));
        let rows =
            rows.map_err(|error| Failure::unreadable(format!("{}: {error}", shown(&name))))?;
        packets.extend(rows.into_iter().map(|row| {
            let Row { id, packet, before, pair, .. } = row;
            Packet { name: id, before, bytes: packet, pair }
        }));
    }
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
