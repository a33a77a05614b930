//! What an engine answers, held against what it was sent.

use std::collections::BTreeMap;

use formwork::inspect::{Inspector, Layout};
use formwork::text::to_text;
use formwork::variant::Variant;
use formwork::{Decoder, Dialect, Step};

use crate::engine::Engine;
use crate::exception::{self, Rule};
use crate::sample::Sample;

/// An exchange over one channel.
pub struct Exchange<'a> {
    engine: &'a Engine,
    test: &'static str,
    decoder: Decoder,
    types: BTreeMap<&'static str, usize>,
    faults: Vec<String>,
    excepted: BTreeMap<Rule, usize>,
}

impl<'a> Exchange<'a> {
    pub fn new(engine: &'a Engine, test: &'static str) -> Self {
        let decoder = Decoder::new(engine.dialect).allow_objects(true);
        let (types, faults, excepted) = Default::default();
        Self { engine, test, decoder, types, faults, excepted }
    }

    /// The engine sent back a value in this packet, and printed it as this string value.
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

    fn compare(&self, sample: &Sample, packet: &[u8], text: Option<&[u8]>) -> Result<(), String> {
        let value: Variant = self.decoder.decode(packet).map_err(|error| error.to_string())?;
        if !value.is_identical(&sample.value) {
            return Err(format!("sent {:?}, got {value:?}", sample.value));
        }
        if packet != sample.packet && !self.differs_in_padding_only(&sample.packet, packet) {
            return Err(format!("sent {:02x?}, got {packet:02x?}", sample.packet));
        }
        let Some(text) = text else { return Ok(()) };
        self.compare_text(&sample.value, text)
    }

    /// Whether the engine's text of a value, a packet of its own, is ours.
    pub fn compare_text(&self, value: &Variant, text: &[u8]) -> Result<(), String> {
        let ours = to_text(value, self.engine.dialect);
        match self.decoder.decode::<f32>(text) {
            Ok(Variant::String(theirs)) if theirs == ours => Ok(()),
            Ok(theirs) => Err(format!("printed as\n{theirs:?}, which to us is\n{ours:?}")),
            Err(error) => Err(format!("its text: {error}")),
        }
    }

    /// Whether packets are the same but for what the engine leaves unset: the padding of the names in
    /// a NodePath.
    fn differs_in_padding_only(&self, ours: &[u8], theirs: &[u8]) -> bool {
        self.engine.leaves_padding()
            && ours.len() == theirs.len()
            && node_path_padding_as_in(ours, theirs, self.engine.dialect) == theirs
    }

    /// Nothing was different but by an exception that is listed; how much that was.
    pub fn finish(self) {
        let Self { engine, test, types, faults, excepted, .. } = self;
        for fault in faults.iter().take(20) {
            println!("{}", fault.chars().take(1500).collect::<String>());
        }
        assert!(faults.is_empty(), "{}, {test}: {} differences", engine.release, faults.len());
        let values: usize = types.values().sum();
        println!(
            "Godot {}, {test}: {values} values, of {} types, {excepted:?} excepted",
            engine.release,
            types.len()
        );
        exception::check(engine, test, &excepted);
    }
}

/// `ours` with the padding inside NodePaths taken from `theirs`.
fn node_path_padding_as_in(ours: &[u8], theirs: &[u8], dialect: Dialect) -> Vec<u8> {
    let mut bytes = ours.to_vec();
    let mut path = None;
    for span in Inspector::new(ours, dialect) {
        let span = span.expect("we wrote it");
        if path.is_some_and(|depth| span.depth <= depth) {
            path = None;
        }
        if matches!(span.layout, Layout::Packet("NodePath")) {
            path = Some(span.depth);
        }
        if path.is_some() && span.name == Step::Field("padding") {
            let at = span.offset as usize..(span.offset + span.length.unwrap_or(0)) as usize;
            bytes[at.clone()].copy_from_slice(&theirs[at]);
        }
    }
    bytes
}
