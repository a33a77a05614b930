//! Paths to nodes and their properties.

use super::VariantString;

/// A path through a scene tree, taken apart: `/root/Player:position:x` is absolute, has the names
/// `root` and `Player` and the subnames `position` and `x`.
#[derive(Clone, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct NodePath {
    /// Whether the path starts at the root (`/` in front).
    pub absolute: bool,
    /// The node names.
    pub names: Vec<VariantString>,
    /// The parts after the names, each after a `:`.
    pub subnames: Vec<VariantString>,
    /// Godot 2 only: the last `:` part, which that engine stores separately as the property. Other engines count it
    /// as one more subname.
    pub property: Option<VariantString>,
}

impl NodePath {
    /// Parses the engine's text of a path, as Godot 3 and 4 do: names are split at `/`, and empty ones dropped; the
    /// text after the first `:` is split at `:`.
    #[must_use]
    pub fn parse(text: &VariantString) -> Self {
        let bytes = text.as_bytes();
        let (names, subnames) = match bytes.iter().position(|&byte| byte == b':') {
            Some(colon) => (&bytes[..colon], Some(&bytes[colon + 1..])),
            None => (bytes, None),
        };
        // Splitting at ASCII bytes never cuts a sequence apart.
        let piece = |bytes: &[u8]| {
            VariantString::from_decoded(
                String::from_utf8(bytes.to_vec()).map_err(|error| error.into_bytes()),
            )
        };
        let pieces = |bytes: &[u8], at: u8| {
            bytes
                .split(|&byte| byte == at)
                .filter(|name| !name.is_empty())
                .map(piece)
                .collect::<Vec<_>>()
        };
        Self {
            absolute: bytes.first() == Some(&b'/'),
            names: pieces(names, b'/'),
            subnames: subnames.map(|bytes| pieces(bytes, b':')).unwrap_or_default(),
            property: None,
        }
    }

    /// The engine's text of the path.
    #[must_use]
    pub fn to_text(&self) -> VariantString {
        let mut bytes = Vec::new();
        if self.absolute {
            bytes.push(b'/');
        }
        for (position, name) in self.names.iter().enumerate() {
            if position > 0 {
                bytes.push(b'/');
            }
            bytes.extend_from_slice(name.as_bytes());
        }
        for subname in self.subnames.iter().chain(&self.property) {
            bytes.push(b':');
            bytes.extend_from_slice(subname.as_bytes());
        }
        VariantString::from_decoded(String::from_utf8(bytes).map_err(|error| error.into_bytes()))
    }

    /// The path as Godot 2 has it: the last subname is the property.
    #[must_use]
    pub fn with_property(mut self) -> Self {
        if self.property.is_none() {
            self.property = self.subnames.pop();
        }
        self
    }

    /// The path as Godot 3, 4 and Pandemonium have it: the property is the last subname.
    #[must_use]
    pub fn without_property(mut self) -> Self {
        self.subnames.extend(self.property.take());
        self
    }
}

impl std::fmt::Display for NodePath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.to_text().fmt(f)
    }
}
