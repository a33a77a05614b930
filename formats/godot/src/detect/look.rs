//! Measures a reading: how much of it is structure, and whether games store such numbers and texts.

#![deny(clippy::wildcard_enum_match_arm)]

use formwork_variant::{Container, NodePath, Numbers, Variant, VariantString};

/// Values in double precision, which holds the numbers of both precisions.
pub(super) type Value = Variant<f64>;

/// Counts over all values of a reading.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Look {
    /// Words that determine how to read on: type ids, lengths and counts. In a wrong reading, all of them would have to
    /// be right by chance.
    structure: u64,
    /// Numbers that are not zero and texts that are not empty.
    seen: u64,
    /// The strange ones of those. Read with the wrong table, small whole numbers, type ids and text become real numbers
    /// near 1e-40 or 1e30, and ordinary real numbers become whole numbers around a thousand million.
    strange: u64,
}

impl Look {
    /// Whether there is at least twice the structure of another reading.
    pub(super) const fn outweighs(self, other: Self) -> bool {
        self.structure >= 2 * other.structure
    }

    /// Whether there are at least `words` words of structure.
    pub(super) const fn has_structure(self, words: u64) -> bool {
        self.structure >= words
    }

    /// Whether there is at least the structure of another reading.
    pub(super) const fn matches(self, other: Self) -> bool {
        self.structure >= other.structure
    }

    /// Counts the length words of frames.
    pub(super) const fn add_frames(&mut self, count: u64) {
        self.structure += count;
    }

    /// Whether nothing is strange.
    pub(super) const fn is_plain(self) -> bool {
        self.strange == 0
    }

    /// Whether at least half is strange, and more than one number or text, which may be intended.
    pub(super) const fn is_implausible(self) -> bool {
        self.strange > 1 && 2 * self.strange >= self.seen
    }

    /// Whether at least half is strange, be it a single number.
    pub(super) const fn is_mostly_strange(self) -> bool {
        self.strange > 0 && 2 * self.strange >= self.seen
    }

    fn note(&mut self, strange: bool) {
        self.seen += 1;
        self.strange += u64::from(strange);
    }

    fn real(&mut self, number: f64) {
        /// Quantities in games are between 1e-19 and 1e19, with room on both sides.
        const ORDINARY: std::ops::Range<f64> =
            5.421_010_862_427_522e-20..1.844_674_407_370_955_2e19;
        if number != 0.0 {
            self.note(number.is_nan() || number.is_finite() && !ORDINARY.contains(&number.abs()));
        }
    }

    fn whole(&mut self, number: i64) {
        /// The bits of 1e-12 and 1e12, rounded to powers of two, in single precision.
        const AS_REAL: std::ops::Range<u32> = 0x2b80_0000..0x5380_0000;
        if number != 0 {
            let bits = i32::try_from(number).map(|number| number as u32 & 0x7fff_ffff);
            self.note(bits.is_ok_and(|bits| AS_REAL.contains(&bits)));
        }
    }

    fn text(&mut self, text: &VariantString) {
        if !text.is_empty() {
            let odd = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r');
            self.note(text.as_str().is_none_or(|text| text.contains(odd)));
        }
    }

    fn path(&mut self, path: &NodePath) {
        let names = path.names.iter().chain(&path.subnames).chain(&path.property);
        names.for_each(|name| self.text(name));
    }

    /// Counts a value and all values in it.
    pub(super) fn look_at(&mut self, value: &Value) {
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            self.look_outside(value, &mut open);
        }
    }

    /// Counts a value without the values in it, which are put into `open`.
    fn look_outside<'v>(&mut self, value: &'v Value, open: &mut Vec<&'v Value>) {
        self.structure += 1 + words(value) as u64;
        if let Some(container) = value.container() {
            return self.look_into(container, open);
        }
        if let Some(numbers) = value.numbers() {
            return self.numbers(numbers);
        }
        // Of the other types, numbers of any size are plausible, and a null is no evidence.
        if let Variant::Int(number) = value {
            self.whole(*number);
        } else if let Variant::Float(number) = value {
            self.real(*number);
        } else if let Some(text) = value.as_string() {
            self.text(text);
        } else if let Variant::NodePath(path) = value {
            self.path(path);
        } else if let Variant::Signal(signal) = value {
            self.text(&signal.name);
        } else if let Variant::PackedStringArray(texts) = value {
            texts.iter().for_each(|text| self.text(text));
        }
    }

    fn numbers(&mut self, numbers: Numbers<'_, f64>) {
        match numbers {
            Numbers::Real(list) | Numbers::Double(list) => {
                list.for_each(&mut |number| self.real(number));
            }
            Numbers::Single(list) => list.for_each(&mut |number| self.real(number.into())),
            Numbers::Int(list) => list.for_each(&mut |number| self.whole(number.into())),
            // Numbers of any size are plausible.
            Numbers::Long(_) => {}
        }
    }

    fn look_into<'v>(&mut self, container: Container<'v, f64>, open: &mut Vec<&'v Value>) {
        match container {
            Container::Array(array) => open.extend(array.iter()),
            Container::TypedArray(typed) | Container::PackedTypedArray(typed) => {
                open.extend(typed.elements.iter());
            }
            Container::Dictionary(dictionary) => {
                open.extend(dictionary.iter().flat_map(|(key, value)| [key, value]));
            }
            Container::Object(object) => {
                self.text(&object.class);
                for (name, value) in &object.properties {
                    self.text(name);
                    open.push(value);
                }
            }
        }
    }
}

/// Counts the words of structure after the header word of a value, without those of the values in it.
fn words(value: &Value) -> usize {
    match value.container() {
        Some(Container::Array(array)) => 1 + usize::from(array.element_type().is_some()),
        Some(Container::TypedArray(_) | Container::PackedTypedArray(_)) => 2,
        Some(Container::Dictionary(dictionary)) => {
            let types = [dictionary.key_type(), dictionary.value_type()];
            1 + types.into_iter().flatten().count()
        }
        Some(Container::Object(object)) => 2 + object.properties.len(),
        None => words_alone(value),
    }
}

/// Counts the words of structure of a value that holds no values.
fn words_alone(value: &Value) -> usize {
    if let Variant::NodePath(path) = value {
        3 + path.names.len() + path.subnames.len() + usize::from(path.property.is_some())
    } else if let Variant::PackedStringArray(texts) = value {
        1 + texts.len()
    } else if matches!(value, Variant::Image(_) | Variant::InputEvent(_)) {
        2
    } else {
        // A text and a packed array have a count.
        let is_text = value.as_string().is_some() || matches!(value, Variant::Signal(_));
        usize::from(is_text || value.elements().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formwork_variant::{Decoder, Dialect};

    fn of(bytes: &[u8], dialect: Dialect) -> Look {
        let mut look = Look::default();
        look.look_at(&Decoder::new(dialect).double().decode(bytes).expect("a value"));
        look
    }

    #[test]
    fn a_rectangle_of_the_wrong_kind_is_strange() {
        // Rect2(10.5, -20.25, 0, 40): type 6 in Godot 3, where Pandemonium 5 has Rect2i.
        let rect = [6, 0, 0, 0, 0, 0, 0x28, 0x41, 0, 0, 0xa2, 0xc1, 0, 0, 0, 0, 0, 0, 0x20, 0x42];
        assert!(of(&rect, Dialect::GODOT3).is_plain());
        assert!(of(&rect, Dialect::PANDEMONIUM).is_implausible());
        // Rect2i(3, 4, 10, 20).
        let rect = [6, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 10, 0, 0, 0, 20, 0, 0, 0];
        assert!(of(&rect, Dialect::GODOT3).is_implausible());
        assert!(of(&rect, Dialect::PANDEMONIUM).is_plain());
    }

    #[test]
    fn nothing_is_neither() {
        let empty = Look::default();
        assert!(empty.is_plain() && !empty.is_implausible());
    }
}
