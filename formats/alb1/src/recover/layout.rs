//! Content of each class, by the ids of one document's tables: from the declared [classes](crate::terrain::CLASSES).

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use crate::terrain::{CLASSES, Content, DATA, ITEM, KEY, PAIR};
use crate::{FieldType, Table, dictionary};

/// Expected kind of a field.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    pub(super) tag: u16,
    pub(super) field_type: FieldType,
    pub(super) holds: Holds,
}

/// Expected content of a value. Kinds are given by their position.
#[derive(Clone, Debug)]
pub(super) enum Holds {
    /// A plain value.
    Value,
    /// This number of numbers.
    Numbers(u8),
    /// An object of one of these classes.
    Object(Vec<i16>),
    /// An array of fields, of this kind where it is known.
    Elements(Option<usize>),
    /// An array of raw bytes.
    Raw,
    /// A pair of these two.
    Halves([usize; 2]),
}

/// The fields of all known classes that a document's tables have.
#[derive(Debug, Default)]
pub(super) struct Layouts {
    kinds: Vec<Kind>,
    classes: HashMap<i16, Vec<usize>>,
    /// The tags of fields that count the elements of another, and of that.
    counts: HashMap<i16, Vec<(u16, u16)>>,
    /// The types that each tag has in some class, one bit each.
    types: Vec<u32>,
}

impl Layouts {
    /// The layouts of the known classes; for the tables that nearly all files have they are made once.
    pub(super) fn of(tags: &Table, classes: &Table) -> Arc<Self> {
        static KNOWN: LazyLock<Arc<Layouts>> =
            LazyLock::new(|| Arc::new(Layouts::new(&dictionary::tags(), &dictionary::classes())));
        match dictionary::is(tags, classes) {
            true => KNOWN.clone(),
            false => Arc::new(Self::new(tags, classes)),
        }
    }

    /// The layouts of the known classes. A class that the tables cannot say whole is left out.
    fn new(tags: &Table, classes: &Table) -> Self {
        let mut layouts = Self::default();
        for class in CLASSES.iter().filter(|class| !class.fields.is_empty()) {
            let Some(id) = classes.id(class.name) else { continue };
            let slots: Option<Vec<usize>> = class
                .fields
                .iter()
                .map(|field| layouts.kind(tags, classes, field.tag, &field.content))
                .collect();
            if let Some(slots) = slots {
                layouts.classes.insert(id as i16, slots);
                let counts = class.fields.iter().filter_map(|field| {
                    let counted = class.field(field.counts?)?;
                    Some((tags.id(field.tag)?, tags.id(counted.tag)?))
                });
                layouts.counts.insert(id as i16, counts.collect());
            }
        }
        for kind in &layouts.kinds {
            let tag = usize::from(kind.tag);
            if layouts.types.len() <= tag {
                layouts.types.resize(tag + 1, 0);
            }
            if let Some(types) = layouts.types.get_mut(tag) {
                *types |= 1 << kind.field_type.id();
            }
        }
        layouts
    }

    fn kind(
        &mut self,
        tags: &Table,
        classes: &Table,
        tag: &str,
        content: &Content,
    ) -> Option<usize> {
        let ids = |names: &[&str]| {
            names.iter().filter_map(|name| classes.id(name)).map(|id| id as i16).collect()
        };
        let holds = match content {
            Content::Plain(_) | Content::Colour | Content::Path(_) => Holds::Value,
            Content::Numbers(_, count) => Holds::Numbers(u8::try_from(*count).ok()?),
            Content::Object(name) => Holds::Object(ids(&[name])),
            Content::AnyOf(names) => Holds::Object(ids(names)),
            Content::List(element) => {
                Holds::Elements(Some(self.kind(tags, classes, ITEM, element)?))
            }
            Content::Pairs(key, data) => {
                let key = self.kind(tags, classes, KEY, key)?;
                let data = self.kind(tags, classes, DATA, data)?;
                let pair = self.add(tags.id(PAIR)?, FieldType::Pair, Holds::Halves([key, data]));
                Holds::Elements(Some(pair))
            }
            Content::Unknown => Holds::Elements(None),
            Content::Raw => Holds::Raw,
        };
        Some(self.add(tags.id(tag)?, content.field_type(), holds))
    }

    fn add(&mut self, tag: u16, field_type: FieldType, holds: Holds) -> usize {
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

    /// The tags of a class's fields that count the elements of another, and of that.
    pub(super) fn counts(&self, class: i16) -> &[(u16, u16)] {
        self.counts.get(&class).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether a field of some class has this head.
    #[inline]
    pub(super) fn has_head(&self, tag: u16, field_type: u8) -> bool {
        let types = self.types.get(usize::from(tag)).copied().unwrap_or_default();
        types.checked_shr(field_type.into()).unwrap_or_default() & 1 != 0
    }

    /// Checks whether objects of this class are allowed under this tag.
    pub(super) fn may_hold(&self, tag: u16, class: i16) -> bool {
        self.kinds.iter().any(|kind| {
            kind.tag == tag && matches!(&kind.holds, Holds::Object(all) if all.contains(&class))
        })
    }
}
