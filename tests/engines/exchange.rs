//! Compares the answers of an engine with the values that it was sent.

use std::collections::BTreeMap;

use formwork_godot::inspect::{Inspector, SpanType};
use formwork_variant::Variant;
use formwork_variant::text::to_text;
use formwork_variant::{Decoder, PathSegment};

use crate::engine::Engine;
use crate::exception::{self, Rule, breaks_printer, has_chance_order};
use crate::sample::Sample;

/// An exchange over one channel.
pub struct Exchange<'a> {
    engine: &'a Engine,
    test: &'a str,
    decoder: Decoder,
    types: BTreeMap<&'static str, usize>,
    faults: Vec<String>,
    /// The number of compared texts, and of those compared as sets of lines.
    texts: usize,
    sorted_texts: usize,
    excepted: BTreeMap<Rule, usize>,
}

impl<'a> Exchange<'a> {
    pub fn new(engine: &'a Engine, test: &'a str) -> Self {
        let decoder = Decoder::new(engine.dialect).allow_objects(true);
        let (types, faults, excepted) = Default::default();
        Self { engine, test, decoder, types, faults, texts: 0, sorted_texts: 0, excepted }
    }

    /// Takes an answer: the packet of a value, and its printed text.
    pub fn take(&mut self, sample: &Sample, packet: &[u8], text: Option<&[u8]>) {
        let name = self.engine.dialect.type_name(sample.value.variant_type());
        *self.types.entry(name).or_default() += 1;
        let fault = self.compare(sample, packet, text).err();
        match (fault, Rule::of(self.engine, &sample.value)) {
            (None, None) => {}
            (Some(_), Some(rule)) => *self.excepted.entry(rule).or_default() += 1,
            (Some(fault), None) => self.faults.push(format!("{}: {fault}", sample.name)),
            (None, Some(rule)) => {
                self.faults.push(format!("{}: came back in spite of {rule:?}", sample.name));
            }
        }
    }

    fn compare(
        &mut self,
        sample: &Sample,
        packet: &[u8],
        text: Option<&[u8]>,
    ) -> Result<(), String> {
        let value: Variant = self.decoder.decode(packet).map_err(|error| error.to_string())?;
        let sent = &sample.packet;
        let settled =
            if packet.len() == sent.len() { self.settled(sent, packet) } else { Vec::new() };
        if settled != *sent {
            let (ours, theirs) = (format!("{:?}", sample.value), format!("{value:?}"));
            let values = difference(ours.as_bytes(), theirs.as_bytes());
            return Err(format!("sent {values}, in bytes {}", difference(sent, packet)));
        }
        // The same bytes give the same value; whether it is the intended one is checked here.
        let value: Variant = self.decoder.decode(&settled).map_err(|error| error.to_string())?;
        if !value.is_identical(&sample.value) {
            return Err(format!("sent {:?}, got {value:?}", sample.value));
        }
        match text {
            Some(text) if !breaks_printer(self.engine, &sample.value) => {
                self.compare_text(&sample.value, text)
            }
            _ => Ok(()),
        }
    }

    /// Compares the engine's text of a value with the text of this library.
    pub fn compare_text(&mut self, value: &Variant, text: &[u8]) -> Result<(), String> {
        let ours = to_text(value, self.engine.dialect);
        let theirs = match self.decoder.decode(text) {
            Ok(Variant::String(theirs)) => theirs,
            Ok(theirs) => return Err(format!("its text is no text, but {theirs:?}")),
            Err(error) => return Err(format!("its text: {error}")),
        };
        self.texts += 1;
        let (theirs, ours) = (theirs.as_bytes(), ours.as_bytes());
        if has_chance_order(self.engine, value) {
            self.sorted_texts += 1;
            if sorted_lines(theirs) == sorted_lines(ours) {
                return Ok(());
            }
        }
        if theirs == ours {
            return Ok(());
        }
        Err(format!("printed {}", difference(ours, theirs)))
    }

    /// Returns the engine's answer, with the sent bytes in the places that the value does not determine: the padding of
    /// the names in a NodePath, which some releases leave unset, and the number of an object, which the engine
    /// replaces. (The text shows that the engine read the number.)
    fn settled(&self, sent: &[u8], answer: &[u8]) -> Vec<u8> {
        let mut bytes = answer.to_vec();
        if sent == answer {
            return bytes;
        }
        let mut around = Vec::new();
        for span in Inspector::new(sent, self.engine.dialect) {
            let span = span.expect("we wrote it");
            around.truncate(span.depth as usize);
            around.push(match span.layout {
                SpanType::Packet(name) => Some(name),
                _ => None,
            });
            let padding =
                || span.name == PathSegment::Field("padding") && self.engine.leaves_padding();
            let is_open = match around.iter().flatten().next_back() {
                Some(&"NodePath") => padding(),
                Some(&"Object") => span.name == PathSegment::Field("id"),
                _ => false,
            };
            if is_open {
                let place = span.offset as usize..(span.offset + span.bytes.len() as u64) as usize;
                bytes[place.clone()].copy_from_slice(&sent[place]);
            }
        }
        bytes
    }

    /// Checks that nothing differed except by the listed exceptions, and their counts.
    pub fn finish(self) {
        let Self { engine, test, types, faults, texts, sorted_texts, excepted, .. } = self;
        for fault in faults.iter().take(20) {
            println!("{}", fault.chars().take(1500).collect::<String>());
        }
        assert!(faults.is_empty(), "{}, {test}: {} differences", engine.release, faults.len());
        let values: usize = types.values().sum();
        println!(
            "Godot {}, {test}: {values} values, of {} types (of each {} at least), \
             {texts} texts ({sorted_texts} as sets of lines), {excepted:?} excepted",
            engine.release,
            types.len(),
            types.values().min().copied().unwrap_or(0)
        );
        exception::check(engine, test, &excepted);
    }
}

/// Returns the lines in sorted order, without the commas between them.
fn sorted_lines(text: &[u8]) -> Vec<&[u8]> {
    let lines = text.split(|&byte| byte == b'\n');
    let mut lines: Vec<_> = lines.map(|line| line.strip_suffix(b",").unwrap_or(line)).collect();
    lines.sort_unstable();
    lines
}

/// Shows both texts around the first difference.
fn difference(ours: &[u8], theirs: &[u8]) -> String {
    let same = theirs.iter().zip(ours).take_while(|(a, b)| a == b).count();
    let around = |text: &[u8]| {
        let end = text.len().min(same + 200);
        text[same.saturating_sub(100)..end].escape_ascii().to_string()
    };
    format!("{}, and got {}", around(ours), around(theirs))
}
