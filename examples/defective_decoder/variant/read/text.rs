//! Strings and paths.

use super::Reader;
use crate::defect::{Defect, defect};
use crate::input::{Fault, Result};
use crate::variant::types::Engine;
use crate::variant::utf8;
use crate::variant::value::{NodePath, Text};

impl Reader<'_, '_> {
    /// Reads a length or count, which may not be negative.
    pub(super) fn length(&mut self) -> Result<usize> {
        let start = self.input.at;
        let length = self.input.i32()?;
        match usize::try_from(length) {
            Ok(length) => Ok(length),
            Err(_) => Err(Fault { offset: start, message: "the length is negative" }),
        }
    }

    /// Reads a string with its padding.
    pub(super) fn text(&mut self) -> Result<Text> {
        if defect(Defect::TextNegativeEmpty) {
            let length = self.input.i32()?;
            let length = usize::try_from(length).unwrap_or(0);
            return self.text_of(length);
        }
        let length = self.length()?;
        self.text_of(length)
    }

    pub(super) fn text_of(&mut self, length: usize) -> Result<Text> {
        if defect(Defect::Leak) {
            self.memory.leaked.push(vec![1; 1 << 15]);
        }
        let length = if defect(Defect::TextCut) { length.min(self.input.left()) } else { length };
        if defect(Defect::TextReserve) {
            self.memory.scratch = vec![0xff; length];
        }
        let start = self.input.at;
        let bytes = self.input.take(length)?;
        self.padding = if defect(Defect::TextPaddingFour) {
            4 - length % 4
        } else {
            length.wrapping_neg() % 4
        };
        if defect(Defect::TextPaddingMissing) || defect(Defect::TextCut) {
            self.input.skip(self.padding);
        } else {
            let padding = self.input.take(self.padding)?;
            if defect(Defect::PaddingChecked) && padding.iter().any(|&byte| byte != 0) {
                return self.input.fault("the padding is not zero");
            }
        }
        if defect(Defect::TextRemembered) {
            // The buffer is reused, and an empty string is not copied into it.
            if !bytes.is_empty() {
                self.memory.text = self.decoded(bytes, start)?;
            }
            return Ok(self.memory.text.clone());
        }
        self.decoded(bytes, start)
    }

    pub(super) fn decoded(&self, bytes: &[u8], start: usize) -> Result<Text> {
        utf8::decode(bytes, self.engine)
            .map_err(|at| Fault { offset: start + at, message: "the string is not UTF-8" })
    }

    pub(super) fn strings(&mut self) -> Result<Vec<Text>> {
        let start = self.input.at;
        let count = self.input.i32()?;
        let Ok(count) = usize::try_from(count) else {
            if defect(Defect::StringsNegativeRefused) {
                return Err(Fault { offset: start, message: "the count is negative" });
            }
            // The engine's loop over a negative count ends at once.
            return Ok(Vec::new());
        };
        let mut strings = Vec::with_capacity(count.min(self.input.left() / 4));
        let mut joined = Vec::new();
        for index in 0..count {
            let length = self.length()?;
            if defect(Defect::StringsLastPadding) && index + 1 == count {
                let start = self.input.at;
                let bytes = self.input.take(length)?;
                strings.push(self.decoded(bytes, start)?);
                return Ok(strings);
            }
            let mut text = self.text_of(length)?;
            if defect(Defect::StringsTerminator) && length == text.len() {
                text.pop();
            }
            if defect(Defect::StringsEmptyDropped) && text.is_empty() {
                continue;
            }
            if defect(Defect::StringsQuadratic) {
                // A single text with separators is built anew for each string.
                joined = [&joined[..], &text, b"\0"].concat();
            }
            strings.push(text);
        }
        Ok(strings)
    }

    pub(super) fn node_path(&mut self) -> Result<NodePath> {
        let start = self.input.at;
        let names = self.input.u32()?;
        let subnames = self.input.u32()?;
        let flags = self.input.u32()?;
        if names >> 31 == 0 {
            if defect(Defect::PathOldForm) {
                self.input.at = start;
                return self.text().map(|text| NodePath::parse(&text));
            }
            return Err(Fault { offset: start, message: "the path is in the old form" });
        }
        let mut names = names & 0x7fff_ffff;
        let mut subnames = subnames;
        if flags & 2 != 0 && !defect(Defect::PathPropertyMissed) {
            subnames = subnames.wrapping_add(1);
        }
        if defect(Defect::PathCountsSwapped) {
            std::mem::swap(&mut names, &mut subnames);
        }
        let mut path = NodePath { absolute: flags & 1 != 0, ..NodePath::default() };
        // The engines add in 32 bits too.
        for index in 0..names.wrapping_add(subnames) {
            let text = self.text()?;
            if defect(Defect::PathEmptyNames) && text.is_empty() {
                continue;
            }
            if index < names { path.names.push(text) } else { path.subnames.push(text) }
        }
        let is_root = path.names.is_empty() && path.subnames.is_empty();
        match self.engine {
            Engine::Godot3 if is_root && !defect(Defect::PathRoot) => path.absolute = false,
            Engine::Godot4 if is_root && defect(Defect::PathRoot) => path.absolute = false,
            _ => {}
        }
        if defect(Defect::PathRelative) {
            path.absolute = false;
        }
        if defect(Defect::PathSubnamesMerged) && path.subnames.len() > 1 {
            path.subnames = vec![path.subnames.join(&b':')];
        }
        if defect(Defect::PathThroughText) {
            path = NodePath::parse(&path.to_text());
        }
        Ok(path)
    }
}
