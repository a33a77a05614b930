//! Counts, in tests, the bytes of packets by their reader. Outside of tests nothing is counted.

#[cfg(test)]
pub(super) use counted::{content, math, record};

/// Counts the bytes of a record that a derived reader took.
#[cfg(not(test))]
#[inline(always)]
pub(super) const fn record(_left_before: usize, _left: usize) {}

/// Counts letters and elements.
#[cfg(not(test))]
#[inline(always)]
pub(super) const fn content(_bytes: &[u8]) {}

/// Counts the bytes of a math type, which a derived reader reads when the value is made.
#[cfg(not(test))]
#[inline(always)]
pub(super) const fn math(_bytes: &[u8]) {}

#[cfg(test)]
mod counted {
    use std::cell::Cell;

    use crate::{Decoder, Dialect};

    /// Bytes by their reader.
    #[derive(Clone, Copy, Debug, Default)]
    struct Tally {
        records: usize,
        math: usize,
        /// Letters and elements: bytes without a structure, by any reader.
        content: usize,
    }

    thread_local! {
        static TALLY: Cell<Tally> = const { Cell::new(Tally { records: 0, math: 0, content: 0 }) };
    }

    fn add(change: impl FnOnce(&mut Tally)) {
        let mut tally = TALLY.get();
        change(&mut tally);
        TALLY.set(tally);
    }

    pub(in super::super) fn record(left_before: usize, left: usize) {
        add(|tally| tally.records += left_before - left);
    }

    pub(in super::super) fn content(bytes: &[u8]) {
        add(|tally| tally.content += bytes.len());
    }

    pub(in super::super) fn math(bytes: &[u8]) {
        add(|tally| tally.math += bytes.len());
    }
    /// Returns the packets that an engine reads, with the strictness of that engine.
    fn packets(file: &str) -> Vec<(Vec<u8>, bool)> {
        let path = format!("{}/../{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let packet = |line: &str| {
            let hex = line.split_once("\"hex\": \"")?.1.split_once('"')?.0;
            let byte = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
            let bytes = (0..hex.len()).step_by(2).map(byte).collect::<Option<_>>()?;
            line.contains("\"ok\": true")
                .then_some((bytes, line.contains("\"allow_objects\": true")))
        };
        text.lines().filter_map(packet).collect()
    }

    /// The rest of the structure:
    ///
    /// * the counts of packed arrays and of string arrays, by the offset that the declaration gives them: the elements
    ///   stay bytes of the packet until a value is made of them, and strings are read one by one, so that a count costs
    ///   no memory;
    /// * the words of a path that is passed and not made, for the same reason;
    /// * an input event of Godot 2 that ends before its length, which the engine reads and the declaration refuses.
    #[test]
    fn nineteen_twentieths_of_the_structure_are_read_by_derived_records() {
        let engines = [
            ("godot2", "godot2/golden/decode.jsonl"),
            ("godot3.2", "godot3/golden/3.2.3/decode.jsonl"),
            ("godot3", "godot3/golden/3.6.2/decode.jsonl"),
            ("godot4.6", "godot4/golden/4.6.3/decode.jsonl"),
            ("pandemonium", "pandemonium/golden/decode.jsonl"),
        ];
        for (dialect, file) in engines {
            let dialect: Dialect = dialect.parse().unwrap();
            let (mut bytes, mut read) = (0, 0);
            TALLY.set(Tally::default());
            for (packet, objects) in packets(file) {
                let decoder = Decoder::new(dialect).allow_objects(objects);
                if let Ok((_, length)) = decoder.decode_prefix(&packet) {
                    (bytes, read) = (bytes + length, read + 1);
                }
            }
            let Tally { records, math, content } = TALLY.get();
            // Content is counted as if all of it were in the records, though the elements of packed arrays are not.
            let (structure, derived) = (bytes - content, (records + math).saturating_sub(content));
            let all = format!(
                "{dialect}: {read} packets of {bytes} bytes, {derived} of {structure} by records"
            );
            println!("{all}");
            assert!(read > 1000 && derived * 100 >= structure * 95, "{all}");
        }
    }
}
