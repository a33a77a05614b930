//! Mutations that know what they change.

mod list;
mod number;

use arbitrary::{Result, Unstructured};
use formwork_records::schema::Layout;

use super::node::Node;
use super::{Tree, donor, letters};

macro_rules! mutations {
    ($( $(#[doc = $doc:literal])+ $variant:ident = $name:literal, $weight:literal; )+) => {
        /// The mutation that [`mutate`] made.
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        #[non_exhaustive]
        pub enum Mutation { $( $(#[doc = $doc])+ $variant, )+ }

        impl Mutation {
            /// Every mutation.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// A short name, fit for the name of a file.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// How often it is chosen where it can be done, next to the others.
            const fn weight(self) -> u32 {
                match self { $( Self::$variant => $weight, )+ }
            }
        }
    };
}

mutations! {
    /// A number became a boundary value of its width, a small number, or a neighbour.
    Number = "number", 24;
    /// A flag or another part of a word changed, and the fields that depend on it were removed or added.
    Part = "part", 6;
    /// A count or length changed, and nothing with it.
    Lie = "lie", 4;
    /// A type id changed, and nothing with it.
    Retype = "retype", 2;
    /// A text changed.
    Text = "text", 10;
    /// An element of a packed array changed, or some came or went.
    Block = "block", 8;
    /// Elements or fields were dropped.
    Drop = "drop", 10;
    /// An element or field is there more than once.
    Duplicate = "duplicate", 10;
    /// Two elements changed places, or one moved.
    Swap = "swap", 5;
    /// New elements came into a list, mostly one.
    Insert = "insert", 8;
    /// A value was replaced by a new one.
    Generate = "generate", 10;
    /// A value was replaced by another of this packet, or of another one.
    Splice = "splice", 10;
    /// A value was put into a new array, once or many times.
    Wrap = "wrap", 4;
    /// A value was replaced by one that was in it.
    Unwrap = "unwrap", 4;
    /// The end is missing.
    Cut = "cut", 2;
    /// Bytes follow that do not belong to it.
    Append = "append", 1;
    /// A byte changed, whatever it is.
    Byte = "byte", 2;
}

impl std::fmt::Display for Mutation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// Changes a tree in one way, chosen by `u`, and says in which. The donors are other packets or files
/// of the same format, from which values may come.
///
/// First the kind of mutation is chosen, by weight among those that can be done, and then one of all
/// the places where it can be, each as likely as any other. Nothing is returned, and nothing changed,
/// where no choice came to a change: bytes that are empty have nothing to change.
///
/// ```
/// use formwork_variant::generate::arbitrary::Unstructured;
/// use formwork_kit::tree::{Tree, mutate};
/// use formwork_kit::Format;
/// use formwork_variant::Dialect;
///
/// let bytes = [2, 0, 0, 0, 7, 0, 0, 0];
/// let mut tree = Tree::of(&bytes, Format::Variant(Dialect::GODOT3));
/// let choices: Vec<u8> = (0..200).collect();
/// assert!(mutate(&mut tree, &mut Unstructured::new(&choices), &[])?.is_some());
/// assert_ne!(tree.write(), bytes);
/// # Ok::<(), formwork_variant::generate::arbitrary::Error>(())
/// ```
///
/// # Errors
///
/// Those of [`Unstructured`]. Choices that run out are no error.
pub fn mutate(
    tree: &mut Tree,
    u: &mut Unstructured<'_>,
    donors: &[Tree],
) -> Result<Option<Mutation>> {
    let Some((mutation, bytes)) = tree.mutated(u, donors)? else { return Ok(None) };
    *tree = Tree::of_vec(bytes, tree.format());
    Ok(Some(mutation))
}

/// Choices that came to nothing before there is none.
const TRIES: usize = 8;

/// Most elements that come at once, most arrays put around a value.
const MANY: usize = 600;

impl Tree {
    /// The bytes with one mutation.
    pub(crate) fn mutated(
        &self,
        u: &mut Unstructured<'_>,
        donors: &[Self],
    ) -> Result<Option<(Mutation, Vec<u8>)>> {
        let all: u32 = Mutation::ALL.iter().map(|mutation| mutation.weight()).sum();
        for _ in 0..TRIES {
            let mut choice = u.int_in_range(0..=all - 1)?;
            let mut chosen = Mutation::Byte;
            for &mutation in Mutation::ALL {
                if choice < mutation.weight() {
                    chosen = mutation;
                    break;
                }
                choice -= mutation.weight();
            }
            let made = self.mutated_by(chosen, u, donors)?;
            if let Some(made) = made.filter(|made| *made != self.bytes) {
                return Ok(Some((chosen, made)));
            }
        }
        // What can always be done, unless there is nothing.
        let made = self.mutated_by(Mutation::Byte, u, donors)?;
        Ok(made.map(|made| (Mutation::Byte, made)))
    }

    /// The bytes with a mutation of one kind, at a place that `u` chooses.
    fn mutated_by(
        &self,
        mutation: Mutation,
        u: &mut Unstructured<'_>,
        donors: &[Self],
    ) -> Result<Option<Vec<u8>>> {
        let place = match mutation {
            Mutation::Cut | Mutation::Append | Mutation::Byte => 0,
            _ => {
                // Counted first and then chosen: one draw, however many places there are.
                let places = self.places(mutation);
                let count = places.clone().count();
                if count == 0 {
                    return Ok(None);
                }
                let chosen = u.int_in_range(0..=count - 1)?;
                places.clone().nth(chosen).unwrap_or_default()
            }
        };
        let Some(node) = self.node(place) else { return Ok(None) };
        match mutation {
            Mutation::Number => self.mutate_number(place, node, u),
            Mutation::Part => self.mutate_part(place, node, u),
            Mutation::Lie => self.lie(place, node, u),
            Mutation::Retype => self.retype(place, node, u),
            Mutation::Text => {
                letters::mutated(self.bytes_of(node), u).map(|text| self.with_block(place, text))
            }
            Mutation::Block => self.mutate_block(place, node, u),
            Mutation::Drop => self.drop_elements(place, u),
            Mutation::Duplicate => self.duplicate(place, node, u),
            Mutation::Swap => self.swap(place, node, u),
            Mutation::Insert => self.insert(place, u, donors),
            Mutation::Generate => {
                Ok(donor::generated(u, self.format)?.and_then(|made| self.with_value(place, &made)))
            }
            Mutation::Splice => self.splice(place, u, donors),
            Mutation::Wrap => self.wrap(place, u),
            Mutation::Unwrap => self.unwrap_value(place, node, u),
            Mutation::Cut => self.cut(u),
            Mutation::Append => {
                let mut bytes = self.bytes.clone();
                let count = u.int_in_range(1..=12)?;
                bytes.extend_from_slice(u.bytes(usize::min(count, u.len()))?);
                bytes.resize(self.bytes.len() + count, 0);
                Ok(Some(bytes))
            }
            Mutation::Byte => self.mutate_byte(u),
        }
    }

    /// Returns the nodes to which a mutation applies.
    fn places(&self, mutation: Mutation) -> impl Iterator<Item = usize> + Clone + '_ {
        let nodes = self.nodes.iter().enumerate().skip(1);
        nodes
            .filter(move |&(index, node)| self.can_be(mutation, index, node))
            .map(|(index, _)| index)
    }

    fn can_be(&self, mutation: Mutation, index: usize, node: &Node) -> bool {
        match mutation {
            Mutation::Number => {
                node.number().is_some_and(|shape| !matches!(shape, Layout::Word(_)))
            }
            Mutation::Part => node.word().is_some(),
            Mutation::Lie => node.number().is_some() && self.counts(index),
            Mutation::Retype => node.number().is_some() && self.type_part(index, node).is_some(),
            Mutation::Text => node.block().is_some() && self.is_text(index),
            Mutation::Block => node.block().is_some() && !self.is_text(index),
            Mutation::Drop | Mutation::Duplicate | Mutation::Swap => self.is_element(index),
            Mutation::Insert => !node.is_leaf && self.takes_elements(index),
            Mutation::Generate | Mutation::Splice | Mutation::Wrap => node.is_value(),
            Mutation::Unwrap => {
                node.is_value()
                    && self
                        .nodes
                        .get(index + 1..node.next)
                        .is_some_and(|inside| inside.iter().any(Node::is_value))
            }
            Mutation::Cut | Mutation::Append | Mutation::Byte => false,
        }
    }

    fn cut(&self, u: &mut Unstructured<'_>) -> Result<Option<Vec<u8>>> {
        let Some(last) = self.bytes.len().checked_sub(1) else { return Ok(None) };
        let end = match u.int_in_range(0..=3_u8)? {
            0 | 1 => self.node(u.choose_index(self.nodes.len())?).map_or(0, |node| node.start),
            // In the padding at the end, if there is some.
            2 => last - u.int_in_range(0..=2)?.min(last),
            _ => u.int_in_range(0..=last)?,
        };
        Ok(self.bytes.get(..end).map(<[u8]>::to_vec))
    }

    fn mutate_byte(&self, u: &mut Unstructured<'_>) -> Result<Option<Vec<u8>>> {
        if self.bytes.is_empty() {
            return donor::generated(u, self.format);
        }
        let mut bytes = self.bytes.clone();
        let at = u.choose_index(bytes.len())?;
        let other = u.int_in_range(1..=u8::MAX)?;
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= other;
        }
        Ok(Some(bytes))
    }
}
