//! What each class holds, by the ids of one document's tables.

use std::collections::HashMap;

use crate::alb1::{FieldType, Table};

/// What is expected of a field.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    pub(super) tag: u16,
    pub(super) field_type: FieldType,
    pub(super) holds: Holds,
}

/// What is expected inside a value. Kinds stand for each other by their position.
#[derive(Clone, Debug)]
pub(super) enum Holds {
    /// A plain value.
    Value,
    /// An object of one of these classes.
    Object(Vec<i16>),
    /// An array of fields, of this kind where it is known.
    Elements(Option<usize>),
    /// So many numbers.
    Numbers(u8),
    /// An array of raw bytes.
    Raw,
    /// A pair of these two.
    Halves([usize; 2]),
}

/// The fields of all known classes.
#[derive(Debug, Default)]
pub(super) struct Layouts {
    kinds: Vec<Kind>,
    classes: HashMap<i16, Vec<usize>>,
    /// The types that each tag has in some class, one bit each.
    types: Vec<u32>,
}

const TEMP: &str = include_str!("temp.txt");

impl Layouts {
    /// The layouts of the known classes that these tables have.
    pub(super) fn of(tags: &Table, classes: &Table) -> Self {
        let mut l = Self::default();
        for line in TEMP.lines() {
            let mut words = line.split_whitespace();
            let Some(class) = words.next().and_then(|n| classes.id(n)) else { continue };
            let mut slots = Vec::new();
            for w in words {
                let (name, spec) = w.split_once(':').unwrap();
                let k = l.kind(tags, classes, name, spec);
                slots.push(k);
            }
            l.classes.insert(class as i16, slots);
        }
        for kind in &l.kinds {
            let tag = usize::from(kind.tag);
            if l.types.len() <= tag {
                l.types.resize(tag + 1, 0);
            }
            l.types[tag] |= 1 << kind.field_type.id();
        }
        l
    }

    fn kind(&mut self, tags: &Table, classes: &Table, name: &str, spec: &str) -> usize {
        let tag = tags.id(name).unwrap_or(0);
        let (field_type, holds) = if let Some(c) = spec.strip_prefix('@') {
            let ids = c.split('|').filter_map(|n| classes.id(n)).map(|id| id as i16).collect();
            (FieldType::Object, Holds::Object(ids))
        } else if spec == "raw" {
            (FieldType::Array, Holds::Raw)
        } else if spec == "[]" {
            (FieldType::Array, Holds::Elements(None))
        } else if let Some(e) = spec.strip_prefix("[{") {
            let e = e.trim_end_matches("}]");
            let (a, b) = e.split_once(',').unwrap();
            let a = self.kind(tags, classes, "key", a);
            let b = self.kind(tags, classes, "data", b);
            self.kinds.push(Kind {
                tag: tags.id("pair").unwrap_or(0),
                field_type: FieldType::Pair,
                holds: Holds::Halves([a, b]),
            });
            (FieldType::Array, Holds::Elements(Some(self.kinds.len() - 1)))
        } else if let Some(e) = spec.strip_prefix('[') {
            let e = self.kind(tags, classes, "item", e.trim_end_matches(']'));
            (FieldType::Array, Holds::Elements(Some(e)))
        } else if let Some(n) = spec.strip_prefix('D').filter(|n| !n.is_empty()) {
            (FieldType::ArrayOfDouble, Holds::Numbers(n.parse().unwrap()))
        } else if let Some(n) = spec.strip_prefix('F').filter(|n| !n.is_empty()) {
            (FieldType::ArrayOfFloat, Holds::Numbers(n.parse().unwrap()))
        } else {
            let t = match spec {
                "s" => FieldType::String,
                "i" => FieldType::SignedInt,
                "u" => FieldType::UnsignedInt,
                "l" => FieldType::SignedLong,
                "c" => FieldType::UnsignedLong,
                "b" => FieldType::Bool,
                "f" => FieldType::Float,
                "d" => FieldType::Double,
                "C" => FieldType::SignedChar,
                "D" => FieldType::ArrayOfDouble,
                "F" => FieldType::ArrayOfFloat,
                "e" => FieldType::Empty,
                "p" => FieldType::ObjectPointer,
                other => panic!("{other}"),
            };
            (t, Holds::Value)
        };
        self.kinds.push(Kind { tag, field_type, holds });
        self.kinds.len() - 1
    }

    /// The kind at a position.
    pub(super) fn get(&self, kind: usize) -> Option<&Kind> {
        self.kinds.get(kind)
    }

    /// The kinds of a class's fields, in their order.
    pub(super) fn slots(&self, class: i16) -> Option<&[usize]> {
        self.classes.get(&class).map(Vec::as_slice)
    }

    /// Whether a field of some class has this head.
    #[inline]
    pub(super) fn has_head(&self, tag: u16, field_type: u8) -> bool {
        let types = self.types.get(usize::from(tag)).copied().unwrap_or_default();
        types.checked_shr(field_type.into()).unwrap_or_default() & 1 != 0
    }

    /// Whether objects of this class may stand under this tag.
    pub(super) fn may_hold(&self, tag: u16, class: i16) -> bool {
        self.kinds.iter().any(|kind| {
            kind.tag == tag && matches!(&kind.holds, Holds::Object(all) if all.contains(&class))
        })
    }
}
