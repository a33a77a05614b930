//! Changes of values: every value that did not change keeps its bytes.

use std::collections::HashSet;

use formwork_variant::codec::Warning;
use formwork_variant::{Dialect, PathSegment, Real, Strictness};

use crate::failure::Failure;
use crate::file::{Change, Chosen, NewContent};
use crate::framing::FramingName;
use crate::packets::Input;
use crate::source::Source;

impl Input {
    /// Makes a change. All engines that read the file alike must write the changed file alike, too.
    pub(super) fn changed(
        &self,
        chosen: Chosen,
        change: &mut Change<'_>,
    ) -> Result<NewContent, Failure> {
        let first = (self.dialect, self.framing);
        let new = self.changed_as(first, chosen, change)?;
        for &other in &self.alike {
            let same = self.changed_as(other, chosen, change);
            if !same.is_ok_and(|same| same.content == new.content) {
                return Err(left_open(&self.source.name, first, &self.alike));
            }
        }
        Ok(new)
    }

    /// Changes the file, read in this dialect and framing.
    fn changed_as(
        &self,
        reading: (Dialect, FramingName),
        Chosen { index, limits, .. }: Chosen,
        change: &mut Change<'_>,
    ) -> Result<NewContent, Failure> {
        let document = self.document_as(reading, index, limits)?;
        change(document)
    }

    /// Counts the values in each packet of a content that an engine would write with other bytes.
    pub(super) fn odd<R: Real>(&self, content: &[u8]) -> Vec<usize> {
        let source = Source::of_bytes(String::new(), content);
        let input = Self::known(source, self.dialect, self.framing, self.limits);
        let decoder = input.decoder::<R>(Strictness::Engine);
        let mut odd = Vec::new();
        // What cannot be read is not counted.
        let _ = input.packets(|packet, _| {
            let mut notes = Vec::new();
            let length = decoder.walk_with_warnings(packet, &mut notes).finish()?;
            // A path of which steps are left out may be that of several places.
            let left_out = PathSegment::Field(Warning::LEFT_OUT);
            let place = |note: Warning| {
                let is_short = note.path.steps().first() == Some(&left_out);
                (is_short.then_some(note.offset), note.path)
            };
            odd.push(notes.into_iter().map(place).collect::<HashSet<_>>().len());
            Ok(length)
        });
        odd
    }
}

/// Makes the failure for a file that several engines read alike, but would write differently.
fn left_open(
    name: &str,
    first: (Dialect, FramingName),
    others: &[(Dialect, FramingName)],
) -> Failure {
    let failure = Failure::usage(format!(
        "{name}: several formats fit, and each stores the new values differently; choose one:"
    ));
    std::iter::once(&first).chain(others).fold(failure, |failure, (dialect, framing)| {
        failure.line(format!("--format {dialect} --framing {}", framing.name()))
    })
}
