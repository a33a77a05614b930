//! `verify` of packs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use formwork_godot::pack::{Pack, PackedFile, within_game};
use formwork_godot::wrapper::Unwrapped;
use formwork_variant::{Error, PathSegment};

use super::{File, release_in_words};
use crate::failure::Failure;
use crate::file::Checking;
use crate::layers::within;
use crate::lines::{Finding, Grade};
use crate::listing::kind;
use crate::quantity::counted;
use crate::source::Source;
use crate::store::dialect;
use crate::style::shown;
use crate::verdict::{SHOWN, Verdict};

impl File {
    /// Checks whether the pack is whole, and returns the line about it.
    pub(super) fn checked(&self, checking: Checking<'_>) -> Result<Verdict, Failure> {
        let Checking { all, member: Some(check), .. } = checking else {
            return Ok(Verdict::ok(self.source.name.clone()));
        };
        let pack = self.open()?;
        let (name, layers) = (&self.source.name, self.source.layers());
        let mut line = format!("{name}: gdpc, {}{}", release_in_words(&pack), within(layers));
        // Writing to a string does not fail.
        let _ = write!(line, ", {}", counted(pack.count().into(), "file"));
        if pack.sealed_directory().is_some() {
            line.push_str(
                " in an encrypted directory, which only the key opens: nothing was checked",
            );
            return Ok(Verdict::not_ok(line, Grade::Warning, "encrypted_directory"));
        }
        let mut kinds = BTreeMap::<String, u64>::new();
        let faults = pack.check();
        let mut wrong: Vec<String> = faults.iter().map(|error| said(&pack, error)).collect();
        let mut verdict = Verdict::ok(String::new());
        for error in &faults {
            verdict = verdict.finding(Finding::of(Grade::Damage, error));
        }
        for file in pack.files() {
            let kind = kind(&pack, file);
            let is_checked = !file.is_removal() && !file.is_encrypted();
            *kinds.entry(kind).or_default() += 1;
            let source = is_checked.then(|| self.inside(&pack, file)).flatten();
            if let Some(inside) = source.and_then(check) {
                verdict.findings.extend(inside.findings);
                wrong.push(inside.line);
            }
        }
        let kinds: Vec<_> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        if !kinds.is_empty() {
            let _ = write!(line, " ({})", kinds.join(", "));
        }
        let unsummed =
            pack.files().iter().filter(|it| !it.is_removal() && it.digest().is_none()).count();
        if wrong.is_empty() {
            let sums = match unsummed {
                0 => "names, places and MD5 sums are right".to_owned(),
                _ if unsummed == pack.files().len() => {
                    "names and places are right; it has no MD5 sums".to_owned()
                }
                _ => format!(
                    "names, places and MD5 sums are right; {} have no sum",
                    counted(unsummed as u64, "file")
                ),
            };
            let _ = write!(line, ": {sums}");
            return Ok(Verdict::ok(line));
        }
        let shown = if all { wrong.len() } else { SHOWN };
        let _ =
            write!(line, ": {}", wrong.iter().take(shown).cloned().collect::<Vec<_>>().join("; "));
        if let more @ 1.. = wrong.len().saturating_sub(shown) {
            let _ = write!(line, "; and {more} more");
        }
        Ok(Verdict { ok: false, line, ..verdict })
    }

    /// Returns a file of the pack as a source.
    fn inside(&self, pack: &Pack<'_>, file: &PackedFile) -> Option<Source> {
        let content = pack.content(file).ok()?;
        Some(Source {
            name: shown(within_game(&file.name())),
            file: Unwrapped::new(content),
            engine: dialect(pack),
            key: None,
            is_in_pack: true,
        })
    }
}

/// Returns the message of an error, with the name of the file in the pack.
pub(super) fn said(pack: &Pack<'_>, error: &Error) -> String {
    let index = error.path().steps().iter().find_map(|step| match step {
        PathSegment::Index(index) => usize::try_from(*index).ok(),
        _ => None,
    });
    let file = index.and_then(|index| pack.files().get(index));
    let name = file.map(|file| format!("{}: ", shown(within_game(&file.name()))));
    format!("{}{error}", name.unwrap_or_default())
}
