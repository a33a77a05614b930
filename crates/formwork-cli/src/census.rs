//! What is in an input, counted; of broken inputs, as far as they can be read.

use std::collections::BTreeMap;

use formwork::Error;
use formwork::inspect::{Inspector, Kind, Layout};

use super::packets::{FramingName, Input};

/// What is in an input.
#[derive(Debug, Default)]
pub(crate) struct Census {
    /// Values that are in no other.
    pub(crate) values: u64,
    /// How many values of each type there are, the inner ones as well.
    pub(crate) types: BTreeMap<&'static str, u64>,
    /// Settings, where the input is a file of these: they are one value.
    pub(crate) settings: Option<u64>,
    /// The types of the values that are in no other, the first few.
    pub(crate) outermost: Vec<&'static str>,
    /// Containers around the innermost value.
    pub(crate) deepest: usize,
    /// What could not be read.
    pub(crate) faults: Vec<Error>,
    /// Bytes that were not read on that account.
    pub(crate) unread: u64,
}

impl Census {
    /// Counts.
    pub(crate) fn of(input: &Input) -> Self {
        /// More than enough to say what a file is.
        const LISTED: usize = 16;
        let mut census = Self::default();
        let mut around: Vec<u32> = Vec::new();
        let inspector =
            Inspector::new(input.source.bytes(), input.dialect).behind(input.source.skipped());
        for item in inspector.framing(input.framing.framing()) {
            let span = match item {
                Ok(span) => span,
                Err(fault) => {
                    census.faults.push(fault);
                    continue;
                }
            };
            while around.last().is_some_and(|depth| *depth >= span.depth) {
                around.pop();
            }
            match (span.kind, span.layout) {
                (Kind::Rest, _) => census.unread += span.length.unwrap_or_default(),
                (_, Layout::Packet(name)) => {
                    *census.types.entry(name).or_default() += 1;
                    census.deepest = census.deepest.max(around.len());
                    if around.is_empty() {
                        census.values += 1;
                        if census.outermost.len() < LISTED {
                            census.outermost.push(name);
                        }
                    }
                    around.push(span.depth);
                }
                _ => {}
            }
        }
        if input.framing == FramingName::Settings {
            census.settings = Some(std::mem::replace(&mut census.values, 1));
            census.outermost = vec!["Dictionary"];
        }
        census
    }

    /// The types, the most frequent first.
    pub(crate) fn by_count(&self) -> Vec<(&'static str, u64)> {
        let mut types: Vec<_> = self.types.iter().map(|(&name, &count)| (name, count)).collect();
        types.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
        types
    }
}
