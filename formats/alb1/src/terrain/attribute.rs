//! Attributes of shapes, as the DBF part of a shape file has them.

use std::collections::HashMap;

use super::class::classes;
use super::form::{MapOf, Nested, SignedInt, Words};
use super::pairs::Pairs;
use crate::Text;

classes! {
    /// The attributes of a shape.
    "CRawDataContainer", Seen => pub struct Attributes {
        /// The names, each with a final `;`, in the order of the DBF file.
        pub order: Text => Words, "mrawDataTable";
        /// The attributes by name.
        pub values: Pairs<Text, Attribute> => MapOf<Words, Nested<Attribute>>, "mrawData";
    }

    /// An attribute.
    "SRawData", Seen => pub struct Attribute {
        /// Its name.
        pub name: Text => Words, "mname";
        /// Its value, as a text.
        pub value: Text => Words, "mvalue";
        /// The kind of the value; see [`AttributeKind`].
        pub kind: i32 => SignedInt, "mtype";
    }
}

/// Kind of the value of an attribute.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum AttributeKind {
    /// 0: a text.
    Text = 0,
    /// 1: a whole number.
    Integer = 1,
    /// 2: a number.
    Number = 2,
}

impl Attribute {
    /// Returns the kind of the value, if it is known.
    #[must_use]
    pub const fn kind(&self) -> Option<AttributeKind> {
        Some(match self.kind {
            0 => AttributeKind::Text,
            1 => AttributeKind::Integer,
            2 => AttributeKind::Number,
            _ => return None,
        })
    }
}

impl Attributes {
    /// The names in the order of the DBF file.
    pub fn names(&self) -> impl Iterator<Item = Text> {
        let names = self.order.as_bytes().split(|&byte| byte == b';');
        names.filter(|name| !name.is_empty()).map(Text::from_bytes)
    }

    /// The attributes in the order of the DBF file; those that its list lacks come last.
    #[must_use]
    pub fn in_order(&self) -> Vec<&Attribute> {
        let mut left: HashMap<&Text, &Attribute> = self.values.iter().collect();
        let listed = self.names().filter_map(|name| left.remove(&name));
        let mut all: Vec<_> = listed.collect();
        let rest = self.values.iter().filter(|(name, _)| left.contains_key(name));
        all.extend(rest.map(|(_, attribute)| attribute));
        all
    }

    /// The value of an attribute.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Text> {
        self.values.get(name).map(|attribute| &attribute.value)
    }

    /// Sets an attribute. A new one comes last in the order of the DBF file.
    pub fn set(&mut self, name: Text, value: Text, kind: AttributeKind) {
        let kind = kind as i32;
        if let Some(there) = self.values.get_mut(&name) {
            (there.value, there.kind) = (value, kind);
            return;
        }
        if !self.names().any(|there| there == name) {
            let mut order = self.order.as_bytes().to_vec();
            order.extend_from_slice(name.as_bytes());
            order.push(b';');
            self.order = Text::from_bytes(order);
        }
        let attribute = Attribute { address: 0, name: name.clone(), value, kind };
        self.values.insert(name, attribute);
    }

    /// Takes an attribute away, from the order of the DBF file, too.
    pub fn remove(&mut self, name: &str) -> Option<Attribute> {
        let removed = self.values.remove(name)?;
        let mut order = Vec::with_capacity(self.order.as_bytes().len());
        for there in self.names().filter(|there| *there != name) {
            order.extend_from_slice(there.as_bytes());
            order.push(b';');
        }
        self.order = Text::from_bytes(order);
        Some(removed)
    }
}
