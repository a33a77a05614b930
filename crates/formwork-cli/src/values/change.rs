//! Changes of values: every value that did not change keeps its bytes.

use std::collections::HashSet;

use formwork_godot::settings;
use formwork_variant::codec::Warning;
use formwork_variant::{Dialect, Encoder, Error, PathSegment, Real, Strictness, Variant};

use super::pending::Pending;
use super::unwritten;
use crate::content::Change;
use crate::failure::Failure;
use crate::file::{Chosen, NewContent};
use crate::format::by_precision;
use crate::framing::{FramingName, left_open};
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
        chosen: Chosen,
        change: &mut Change<'_>,
    ) -> Result<NewContent, Failure> {
        by_precision!(reading.0, R => {
            let mut content = Pending::<R>::new(self, reading, chosen);
            let changed = change(&mut content)?;
            content.finish(changed)
        })
    }

    /// Writes all values as the engine would.
    pub(super) fn anew<R: Real>(
        &self,
        values: &[Variant<R>],
        framing: FramingName,
        encoder: &Encoder<R>,
    ) -> Result<Vec<u8>, Error> {
        let packets = values.iter().map(|value| encoder.encode(value));
        let packets = packets.collect::<Result<Vec<_>, _>>()?;
        if framing != FramingName::Settings {
            return framing.framing().join(encoder.dialect(), packets);
        }
        let decoder = self.decoder::<R>(Strictness::Engine);
        settings::from_packet(&packets.concat(), &decoder, Some(self.source.content()))
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

    /// Makes the failure for values that cannot be written, or for a part of the file that cannot.
    pub(super) fn unwritten<R: Real>(
        &self,
        values: &[Variant<R>],
        encoder: &Encoder<R>,
        error: Error,
    ) -> Failure {
        let name = &self.source.name;
        let read = self.values::<R>(Strictness::Engine).ok();
        match read.and_then(|read| read.fault).filter(|fault| fault.rule() == error.rule()) {
            Some(fault) => {
                Failure::no(format!("{name}: the file cannot be written like this again: {fault}"))
            }
            None => {
                let is_unwritten = |value| encoder.encode(value).is_err();
                let number = values.iter().position(is_unwritten).unwrap_or_default();
                let is_numbered = values.len() > 1 && self.framing == FramingName::Bare;
                unwritten(name, is_numbered, values, (number, error))
            }
        }
    }
}
