//! Packets that no declaration leads to: what is odd only about several values together, and what is
//! odd only because it is large.

use formwork_variant::codec::Encoder;
use formwork_variant::{Real, Variant, VariantType, Vector2};

use super::List;
use super::sketch::{Role, Want};

/// Names that objects of some languages have already.
const TAKEN: [&str; 4] = ["__proto__", "constructor", "toString", "hasOwnProperty"];

/// More than most tables, stacks and buffers begin with.
const MANY: usize = 5000;

/// More bytes than 16 bits count.
const LONG: usize = 70_000;

impl List {
    pub(super) fn rows<R: Real>(&mut self) {
        self.keys::<R>();
        self.unconvertible();
        self.path_to_nothing();
        self.large();
    }

    /// The header word of a type, if the dialect has it.
    fn header(&self, variant_type: VariantType) -> Option<[u8; 4]> {
        self.dialect.type_id(variant_type).map(|id| u32::from(id).to_le_bytes())
    }

    /// A packet of that type whose payload is this.
    fn row(&mut self, variant_type: VariantType, payload: &[&[u8]]) {
        let (Some(row), Some(header)) =
            (self.dialect.row_of(variant_type), self.header(variant_type))
        else {
            return;
        };
        self.add(row.name, [&header[..], &payload.concat()].concat());
    }

    /// Dictionaries with these keys, and with the numbers from 1 as values.
    fn keys<R: Real>(&mut self) {
        let text = |text: &str| Variant::<R>::String(text.into());
        let vector = |x: f64| Variant::Vector2(Vector2 { x: R::from_f64(x), y: R::from_f64(1.0) });
        let nan = |bits: u64| Variant::Float(f64::from_bits(0x7ff8_0000_0000_0000 | bits));
        for name in TAKEN {
            self.dictionary(&[text(name)]);
            self.dictionary(&[text("a"), text(name), text("b")]);
        }
        let pairs = [
            [Variant::Float(0.0), Variant::Float(-0.0)],
            [vector(0.0), vector(-0.0)],
            [vector(f64::NAN), vector(f64::NAN)],
            [nan(0), nan(0)],
            [nan(0), nan(1 << 40)],
            [nan(0), nan(1 << 63)],
            [Variant::Int(1), Variant::Float(1.0)],
            [Variant::Int(1), Variant::Bool(true)],
            [Variant::Int(1), text("1")],
            [Variant::Int(0), Variant::Nil],
            [text(""), Variant::Nil],
            [text("A"), text("a")],
            [text("a"), Variant::StringName("a".into())],
        ];
        for [first, second] in pairs {
            self.dictionary(&[first.clone(), second.clone()]);
            self.dictionary(&[second, first]);
        }
        // A key again, right behind itself and with another one between.
        for again in [text("a"), Variant::Int(1), Variant::Float(1.5), vector(2.0)] {
            self.dictionary(&[again.clone(), again.clone()]);
            self.dictionary(&[again.clone(), text("b"), again]);
        }
    }

    fn dictionary<R: Real>(&mut self, keys: &[Variant<R>]) {
        let encoder = Encoder::new(self.dialect).in_precision();
        let mut pairs = Vec::new();
        for (key, value) in keys.iter().zip(1..) {
            let value = Variant::<R>::Int(value);
            // Not every dialect has every type.
            if encoder.encode_into(key, &mut pairs).is_err()
                || encoder.encode_into(&value, &mut pairs).is_err()
            {
                return;
            }
        }
        let count = (keys.len() as u32).to_le_bytes();
        self.row(VariantType::Dictionary, &[&count, &pairs]);
    }

    /// Typed arrays of which one element is of another type: one that is made into an element of this
    /// type, and one that is not.
    fn unconvertible(&mut self) {
        let Some(nil) = self.header(VariantType::Nil) else { return };
        let others = [VariantType::Bool, VariantType::String, VariantType::Array];
        let typed = [VariantType::Array, VariantType::TypedArray, VariantType::PackedTypedArray];
        let dialect = self.dialect;
        for row in typed.into_iter().filter_map(|one| dialect.row_of(one)) {
            for form in super::forms(dialect, row).into_iter().filter(|form| form.simple) {
                let base = self.sketch(form, None);
                let is_typed =
                    base.leaves.iter().any(|leaf| leaf.depth == 0 && leaf.role == Role::TypeId);
                let Some((at, count)) = super::counting(&base).next().filter(|_| is_typed) else {
                    continue;
                };
                for other in others {
                    // The other one last, and in the middle.
                    let three = count.value & !0x7fff_ffff | 3;
                    let two = self.sketch(form, Some((at, Want::Number(three - 1)))).bytes;
                    let element = two.len().saturating_sub(base.bytes.len());
                    let start = two.len().saturating_sub(element);
                    // False, nothing, nothing.
                    let odd = [self.header(other).unwrap_or(nil), [0; 4]].concat();
                    for place in [start, two.len()] {
                        let mut packet = two.clone();
                        packet.splice(place..place, odd.iter().copied());
                        if let Some(word) = packet.get_mut(count.offset..count.offset + 4) {
                            word.copy_from_slice(&(three as u32).to_le_bytes());
                        }
                        self.add(row.name, packet);
                    }
                }
            }
        }
    }

    /// A NodePath with neither names nor subnames, relative and absolute.
    fn path_to_nothing(&mut self) {
        for flags in 0..4_u32 {
            let words = [0x8000_0000, 0, flags].map(u32::to_le_bytes).concat();
            self.row(VariantType::NodePath, &[&words]);
        }
    }

    /// Many elements, and many bytes.
    fn large(&mut self) {
        let Some(nil) = self.header(VariantType::Nil) else { return };
        let count = (MANY as u32).to_le_bytes();
        self.row(VariantType::Array, &[&count, &nil.repeat(MANY)]);
        let count = (LONG as u32).to_le_bytes();
        let letters = super::boundary::LETTERS.iter().copied().cycle();
        let letters: Vec<u8> = letters.take(LONG).collect();
        self.row(VariantType::String, &[&count, &letters]);
        self.row(VariantType::PackedByteArray, &[&count, &letters]);
    }
}
