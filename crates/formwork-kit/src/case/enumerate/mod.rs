//! Every type alone, with each odd header and each boundary value of each field: a list that is made of
//! the declarations. The simplest come first; all others in an order that mixes them.

mod boundary;
mod rows;
mod sketch;

use std::collections::HashSet;
use std::ops::Range;

use crate::Format;
use formwork_records::schema::{Layout, Meaning, TYPE_ID};
use formwork_variant::codec::Decoder;
use formwork_variant::dialect::{Dialect, Precision, Row};
use formwork_variant::{Real, VariantType};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use sketch::{Leaf, Role, Sketch, Want, Wanted};

use super::alb1;
use super::chosen::Chosen;
use super::{Broken, Case, Profile, Reading};

/// The packets of the enumeration, one behind another.
#[derive(Clone, Debug, Default)]
pub(crate) struct Enumeration {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
}

/// One of them.
#[derive(Clone, Debug)]
struct Entry {
    range: Range<usize>,
    subject: &'static str,
    /// Its unusual property, in a word.
    stage: &'static str,
    broken: Option<Broken>,
}

impl Enumeration {
    /// All of them that are allowed.
    pub(crate) fn of(reading: Reading, chosen: Chosen) -> Self {
        match reading.format {
            Format::Variant(dialect) => {
                let mut list = List {
                    dialect,
                    chosen,
                    decoder: Decoder::new(dialect).allow_objects(reading.allow_objects),
                    stage: "simple",
                    known: HashSet::new(),
                    made: Self::default(),
                };
                list.fill();
                list.made
            }
            Format::Alb1 => {
                let mut list = Self::default();
                let mut refused = alb1::refused().into_iter();
                // The empty file.
                let first = refused.next().into_iter();
                let (accepted, refused) = (alb1::enumerate(), refused.map(|made| ("lie", made)));
                let accepted = first.chain(accepted).map(|made| ("simple", made));
                for (stage, made) in accepted.chain(refused) {
                    list.push(made.subject, stage, &made.bytes, made.broken);
                }
                list.mix_from(1 + alb1::PLAIN);
                list
            }
        }
    }

    fn push(
        &mut self,
        subject: &'static str,
        stage: &'static str,
        packet: &[u8],
        broken: Option<Broken>,
    ) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(packet);
        self.entries.push(Entry { range: start..self.bytes.len(), subject, stage, broken });
    }

    /// Returns each packet with its type and what is odd about it.
    pub(crate) fn named(&self) -> impl Iterator<Item = (&'static str, &'static str, &[u8])> {
        let packet = |entry: &Entry| self.bytes.get(entry.range.clone()).unwrap_or_default();
        self.entries.iter().map(move |entry| (entry.subject, entry.stage, packet(entry)))
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Shuffles the packets from `first` on, with a fixed seed. In the order in which they are made, similar packets
    /// are adjacent, and a fault in one type or field would be shown late: measured over a hundred faults, the first
    /// packet to show one comes ten times sooner after the shuffle.
    fn mix_from(&mut self, first: usize) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
        let Some(rest) = self.entries.get_mut(first..) else { return };
        for at in (1..rest.len()).rev() {
            // As good as evenly: there are far fewer packets than numbers.
            let other = random.next_u64() % (at as u64 + 1);
            rest.swap(at, other as usize);
        }
    }

    /// Makes the case the one of that number.
    pub(super) fn put(&self, number: u64, case: &mut Case) {
        case.profile = Profile::Enumerate;
        let entry = usize::try_from(number).ok().and_then(|at| self.entries.get(at));
        let Some(Entry { range, subject, broken, .. }) = entry else { return };
        case.bytes.extend_from_slice(self.bytes.get(range.clone()).unwrap_or_default());
        case.subject = subject;
        case.broken = *broken;
    }
}

/// The list while it is made.
struct List {
    dialect: Dialect,
    chosen: Chosen,
    decoder: Decoder,
    /// Unusual property of the packets that are being added.
    stage: &'static str,
    /// The packets in the list.
    known: HashSet<Vec<u8>>,
    made: Enumeration,
}

/// A form of a type's packet: what its header's flags make of it.
#[derive(Clone, Copy)]
struct Form {
    row: &'static Row,
    header: u64,
    /// Not more than one of the flags' fields says something.
    simple: bool,
}

impl List {
    fn add(&mut self, subject: &'static str, packet: Vec<u8>) {
        if self.known.contains(&packet) || !self.chosen.allows(&packet) {
            return;
        }
        let broken = match self.dialect.precision() {
            Precision::Single => self.broken::<f32>(&packet),
            Precision::Double => self.broken::<f64>(&packet),
        };
        self.made.push(subject, self.stage, &packet, broken);
        self.known.insert(packet);
    }

    fn broken<R: Real>(&self, packet: &[u8]) -> Option<Broken> {
        let read = self.decoder.in_precision::<R>().decode_prefix(packet);
        read.err().map(|error| Broken { rule: error.rule(), offset: error.offset() })
    }

    /// Everything, in stages.
    fn fill(&mut self) {
        self.add("header", Vec::new());
        let forms: Vec<Form> =
            self.dialect.rows().iter().flat_map(|row| forms(self.dialect, row)).collect();
        for &form in &forms {
            self.add(form.row.name, self.sketch(form, None).bytes);
        }
        let first = self.made.len();
        self.stage = "type";
        self.types_that_are_not();
        type Stage = fn(&mut List, Form);
        let stages: [(&str, Stage); 8] = [
            ("name", Self::named),
            ("header", Self::headers),
            ("count", Self::counts),
            ("cut", Self::cuts),
            ("lie", Self::lies),
            ("place", Self::places),
            ("number", Self::numbers),
            ("text", Self::texts),
        ];
        for (name, stage) in stages {
            self.stage = name;
            // Fields that depend on several flags at once are few, and have been there alone.
            for &form in forms.iter().filter(|form| form.simple) {
                stage(self, form);
            }
        }
        self.stage = "depth";
        self.nesting();
        self.stage = "several";
        match self.dialect.precision() {
            Precision::Single => self.rows::<f32>(),
            Precision::Double => self.rows::<f64>(),
        }
        self.made.mix_from(first);
    }

    fn sketch<'w>(&self, form: Form, leaf: Option<(usize, Want<'w>)>) -> Sketch<'w> {
        let wanted = Wanted { header: form.header, leaf, ..Wanted::default() };
        Sketch::of(self.dialect, form.row.variant_type, wanted)
    }

    /// Adds unknown type ids, with no payload and with a payload of zeros.
    fn types_that_are_not(&mut self) {
        let count = self.dialect.rows().len() as u32;
        let around = (count..count + 8).chain((5..8).map(|power| 1 << power));
        let ids = around.chain([0x7f, 0xfe, 0xff]).filter(|id| *id >= count);
        for id in ids {
            for flags in [0, 0x0001_0000, 0xff00_0000_u32] {
                for zeros in [0, 4, 16] {
                    let mut packet = (id | flags).to_le_bytes().to_vec();
                    packet.resize(4 + zeros, 0);
                    self.add("header", packet);
                }
            }
        }
        // Where only a part of the word is the number, these are types with odd headers.
        for id in [0x100, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff_u32] {
            self.add("header", id.to_le_bytes().to_vec());
        }
    }

    /// Adds each value of a number with named values, and each type, with the fields that depend on it.
    fn named(&mut self, form: Form) {
        let base = self.sketch(form, None);
        for (at, leaf) in base.leaves.iter().enumerate().filter(|(_, leaf)| leaf.depth == 0) {
            let most = match leaf.role {
                Role::Named(names) => names,
                Role::TypeId => self.dialect.rows().len() as u64,
                _ => continue,
            };
            for value in 0..=most {
                let sketch = self.sketch(form, Some((at, Want::Number(value))));
                self.add(form.row.name, sketch.bytes);
            }
        }
    }

    /// Each bit of the header word alone, and all of them, whether they mean something or not.
    fn headers(&mut self, form: Form) {
        let base = self.sketch(form, None);
        let Some(&header) = base.leaves.first() else { return };
        let bits = (8..32).map(|bit| 1_u64 << bit);
        let all = [0x0000_ff00, 0x00ff_0000, 0xff00_0000, 0xffff_ff00, 0xfffe_0000];
        for bits in bits.chain(all) {
            self.add(form.row.name, base.with(header, header.value ^ bits));
        }
    }

    /// Correct counts of none to five elements; dictionaries and arrays that are shared.
    fn counts(&mut self, form: Form) {
        let base = self.sketch(form, None);
        for (at, leaf) in counting(&base) {
            for count in 0..=5 {
                // What is beside the count in a word stays.
                let value = leaf.value & !0x7fff_ffff | count;
                for value in [value, value ^ 0x8000_0000] {
                    let sketch = self.sketch(form, Some((at, Want::Number(value))));
                    self.add(form.row.name, sketch.bytes);
                }
            }
        }
    }

    /// Adds the packet cut at each byte (long packets: at each word), and with trailing bytes.
    fn cuts(&mut self, form: Form) {
        let bytes = self.sketch(form, None).bytes;
        let step = if bytes.len() > 32 { 4 } else { 1 };
        for length in (0..bytes.len()).rev().step_by(step) {
            self.add(form.row.name, bytes[..length].to_vec());
        }
        for behind in [1, 4] {
            let mut longer = bytes.clone();
            longer.resize(bytes.len() + behind, 0);
            self.add(form.row.name, longer);
        }
    }

    /// Counts and lengths that are wrong.
    fn lies(&mut self, form: Form) {
        let base = self.sketch(form, None);
        for leaf in &base.leaves {
            let element = match leaf.role {
                Role::Count(element) => element,
                Role::Length(_) => 1,
                _ => continue,
            };
            let left = base.bytes.len() - leaf.offset - 4;
            for value in boundary::lies(leaf.value, left, element) {
                self.add(form.row.name, base.with(*leaf, value));
            }
        }
    }

    /// The packet as an element, a key, a value; the same twice.
    fn places(&mut self, form: Form) {
        if form.header != 0 {
            return;
        }
        let (inner, int) = (form.row.variant_type, VariantType::Int);
        let around = [
            (VariantType::Array, [int, inner], 1),
            (VariantType::Array, [int, inner], 2),
            (VariantType::Dictionary, [int, inner], 1),
            (VariantType::Dictionary, [inner, int], 1),
            (VariantType::Dictionary, [inner, int], 2),
            (VariantType::Object, [int, inner], 1),
        ];
        for (outer, held, count) in around {
            let Some(row) = self.dialect.row_of(outer) else { continue };
            let wanted = Wanted { held, ..Wanted::default() };
            let base = Sketch::of(self.dialect, outer, wanted);
            let Some((at, leaf)) = counting(&base).next() else { continue };
            let leaf = Some((at, Want::Number(leaf.value & !0x7fff_ffff | count)));
            self.add(row.name, Sketch::of(self.dialect, outer, Wanted { leaf, ..wanted }).bytes);
        }
    }

    /// Boundary values of each number. Of a vector, of the first and last number all of them, of those
    /// in between a few: they tell whether it is read at all, and as what.
    fn numbers(&mut self, form: Form) {
        let base = self.sketch(form, None);
        let leaves: Vec<&Leaf> = base.leaves.iter().filter(|leaf| leaf.depth == 0).collect();
        for (at, leaf) in leaves.iter().enumerate() {
            let values = match leaf.role {
                Role::Header | Role::Count(_) | Role::Length(_) => continue,
                Role::Padding => vec![1, 0xff],
                _ => boundary::values(leaf.shape, leaf.value),
            };
            let float = |at: usize| {
                leaves.get(at).is_some_and(|leaf| matches!(leaf.shape, Layout::Float(_)))
            };
            let between = float(at) && at.checked_sub(1).is_some_and(float) && float(at + 1);
            for value in values.into_iter().step_by(if between { 12 } else { 1 }) {
                self.add(form.row.name, base.with(**leaf, value));
            }
        }
    }

    /// Odd texts in the place of each text: where a text is all there is, all of them.
    fn texts(&mut self, form: Form) {
        let base = self.sketch(form, None);
        let alone = base.leaves.len() < 8;
        let of_texts = |leaf: &Leaf| matches!(leaf.role, Role::Length(_)) && leaf.depth == 0;
        for (at, _) in base.leaves.iter().enumerate().filter(|(_, leaf)| of_texts(leaf)) {
            for text in boundary::texts().iter().step_by(if alone { 1 } else { 3 }) {
                let sketch = self.sketch(form, Some((at, Want::Text(text))));
                self.add(form.row.name, sketch.bytes);
            }
        }
    }

    /// Containers in containers: two, three, as many as the engine reads, one more.
    fn nesting(&mut self) {
        let limit = self.dialect.quirks().depth.unwrap_or(64);
        for outer in [VariantType::Array, VariantType::Dictionary] {
            let Some(row) = self.dialect.row_of(outer) else { continue };
            let base = Sketch::of(self.dialect, outer, Wanted::default());
            let Some((_, count)) = counting(&base).next() else { continue };
            // One container, up to and with the key of its only value.
            let inner = base.bytes.len() - 8;
            for depth in [1, 2, 3, 16, 63, 64, limit - 1, limit, limit + 1] {
                let head = base.bytes.get(..inner).unwrap_or_default();
                let mut packet = head.repeat(depth as usize);
                packet.extend_from_slice(&base.with(count, 0)[..count.offset + 4]);
                self.add(row.name, packet);
            }
        }
    }
}

/// The header words of a type that engines write.
pub(crate) fn header_words(dialect: Dialect, row: &'static Row) -> Vec<u32> {
    let id = dialect.type_id(row.variant_type).map_or(0, u32::from);
    forms(dialect, row).iter().map(|form| form.header as u32 | id).collect()
}

/// Returns the simplest packet of each form that a type's packets have.
pub(crate) fn simplest(dialect: Dialect) -> impl Iterator<Item = Vec<u8>> {
    let forms = dialect.rows().iter().flat_map(move |row| forms(dialect, row));
    forms.map(move |form| {
        let wanted = Wanted { header: form.header, ..Wanted::default() };
        Sketch::of(dialect, form.row.variant_type, wanted).bytes
    })
}

/// The counts of a packet itself.
fn counting<'s>(sketch: &'s Sketch<'_>) -> impl Iterator<Item = (usize, Leaf)> + use<'s> {
    let own = |leaf: &Leaf| matches!(leaf.role, Role::Count(_)) && leaf.depth == 0;
    sketch.leaves.iter().copied().enumerate().filter(move |(_, leaf)| own(leaf))
}

/// The forms of a type's packet: every combination of the flags that mean something.
fn forms(dialect: Dialect, row: &'static Row) -> Vec<Form> {
    let mut forms = vec![Form { row, header: 0, simple: true }];
    let word = dialect.packet(row.variant_type).map(|packet| packet.header.word());
    let mut at = 0;
    for bits in word.into_iter().flat_map(|word| word.parts) {
        if bits.meaning != Meaning::Zero && bits.meaning != Meaning::Family(TYPE_ID) {
            let with = |form: &Form, value: u64| Form {
                header: form.header | value << at,
                simple: form.header == 0,
                ..*form
            };
            let values = 1..1_u64 << bits.width;
            let more: Vec<_> =
                values.flat_map(|value| forms.iter().map(move |form| with(form, value))).collect();
            forms.extend(more);
        }
        at += bits.width;
    }
    forms
}
