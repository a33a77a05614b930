//! A packet taken apart as far as a breach needs it: what stands where, and in which order a reader
//! looks at it.

use std::ops::Range;

use formwork::Format;
use formwork::inspect::Layout;
use formwork::variant::VariantType;
use formwork::variant::dialect::Dialect;
use formwork::variant::packet::{ArrayHeader, DictionaryHeader};
use formwork::wire::Padding;

use crate::tree::{Name, Node, Tree};

/// A packet, or one that is nested in it.
#[derive(Clone, Debug)]
pub(super) struct Packet {
    pub(super) variant_type: VariantType,
    /// What the dialect calls the type.
    pub(super) name: &'static str,
    /// Its header word.
    pub(super) header: u32,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The container around it.
    pub(super) around: Option<usize>,
    pub(super) role: Role,
    /// Where its count stands, if it holds values.
    pub(super) count_at: Option<usize>,
    /// Whether its payload is read as one: packets of the type always have this length.
    fixed: bool,
}

/// What a packet is to the one around it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Role {
    Alone,
    Element,
    Key,
    Value,
    /// The value of an object's property.
    Property,
    /// The class name in front of a typed array's elements (Pandemonium 5).
    ElementClass,
}

/// What a [`Site`] is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Place {
    /// The header word of a value.
    Header,
    /// The header word of an element class.
    ClassHeader,
    /// The length of a text.
    Text,
    /// The length of a text in a NodePath.
    PathText,
    /// The length of a text in a string array: the text ends with a zero byte.
    Terminated,
    /// The count of a byte array.
    Bytes,
    /// The count of another packed array, but one of strings.
    Packed,
    /// The count of a string array.
    Strings,
    /// The count of an array or dictionary.
    Count,
    /// The count of an object's properties.
    Properties,
    /// The first count of a NodePath.
    Path,
    /// The type of a container's elements, keys or values.
    ElementType,
    /// The length of the class name or script path that stands for it.
    ElementName,
    /// The type of the elements of a Pandemonium typed array.
    ElementWord,
    /// The first word of an image's payload.
    Image,
    /// The first word of an input event's payload.
    Event,
}

/// A word that can be changed so that a rule is broken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) place: Place,
    /// The packet it belongs to.
    pub(super) packet: usize,
    /// Where it stands.
    pub(super) at: usize,
    /// What the word says; of a packed array, bytes of an element.
    pub(super) length: usize,
    /// The look at which a reader believes the count or length, or does not.
    pub(super) look: usize,
}

/// A reader makes sure that something is there before it goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    /// Where it says that the input is cut, if it is.
    pub(super) at: usize,
    /// Where the input may end at the soonest.
    pub(super) need: usize,
    /// Whether that counts what all open containers still need.
    pub(super) promise: bool,
}

/// The shortest value, and the shortest text: a word.
const LEAST: usize = 4;

/// See [the module](self).
#[derive(Clone, Debug, Default)]
pub(super) struct Survey {
    /// In the order of their headers.
    pub(super) packets: Vec<Packet>,
    pub(super) sites: Vec<Site>,
    /// In the order in which a reader takes them.
    pub(super) looks: Vec<Look>,
    /// Where the input may end without being missed, if it ends there.
    pub(super) loose: Vec<Range<usize>>,
    /// Bytes that open containers need at least.
    promised: usize,
}

/// The little-endian word at `at`; 0 where there is none.
pub(super) fn word(bytes: &[u8], at: usize) -> u32 {
    let rest = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>());
    rest.map_or(0, |word| u32::from_le_bytes(*word))
}

impl Survey {
    /// Takes a packet apart that is whole and canonical.
    pub(super) fn of(bytes: &[u8], dialect: Dialect) -> Self {
        let tree = Tree::of(bytes, Format::Variant(dialect));
        let mut survey = Self::default();
        // The packet that each node is, or is in.
        let mut owners: Vec<Option<usize>> = Vec::with_capacity(tree.nodes().len());
        for node in tree.nodes() {
            let around = owners.get(node.parent).copied().flatten();
            let mut owner = around;
            match (node.is_leaf, node.layout) {
                (false, Layout::Packet(name)) => {
                    owner = survey.packet(node, name, around, bytes, dialect);
                }
                // The names or subnames of a NodePath: so many words at least.
                (false, Layout::Many(_, count)) => {
                    survey.path_texts(around, node.start, count as usize);
                }
                (false, _) => {}
                (true, _) => survey.leaf(node, around, bytes),
            }
            owners.push(owner);
        }
        survey
    }

    /// A packet; where it stands among the packets.
    fn packet(
        &mut self,
        node: &Node,
        name: &'static str,
        around: Option<usize>,
        bytes: &[u8],
        dialect: Dialect,
    ) -> Option<usize> {
        let start = node.start;
        let header = word(bytes, start);
        let row = dialect.row(dialect.quirks().type_id(header))?;
        let holder = around.and_then(|around| self.packets.get(around));
        let role = match (node.name, holder.map(|packet| packet.variant_type)) {
            (_, None) => Role::Alone,
            (Name::Index, _) => Role::Element,
            (Name::Field("key"), _) => Role::Key,
            (Name::Field("class"), _) => Role::ElementClass,
            (_, Some(VariantType::Object)) => Role::Property,
            _ => Role::Value,
        };
        let index = self.packets.len();
        self.packets.push(Packet {
            variant_type: row.variant_type,
            name,
            header,
            start,
            end: node.end,
            around,
            role,
            count_at: None,
            fixed: node.is_fixed,
        });
        self.look(start, start + LEAST);
        if role == Role::ElementClass {
            self.site(Place::ClassHeader, index, start, 0);
        } else {
            self.promised = self.promised.saturating_sub(LEAST);
            self.site(Place::Header, index, start, 0);
        }
        if node.is_fixed && node.len() > LEAST {
            self.look(start + LEAST, node.end);
        }
        Some(index)
    }

    fn leaf(&mut self, node: &Node, owner: Option<usize>, bytes: &[u8]) {
        let Some(index) = owner else { return };
        let Some(packet) = self.packets.get(index) else { return };
        if packet.fixed {
            return;
        }
        let (at, end) = (node.start, node.end);
        let number = word(bytes, at) as usize;
        let Name::Field(name) = node.name else { return };
        use VariantType as T;
        match (packet.variant_type, name) {
            (T::Image, "format") => {
                self.site(Place::Image, index, at, 0);
                self.look(at, at + 20);
            }
            (T::Image, "data") => self.look(at, end),
            (T::Image | T::PackedByteArray, "padding") => self.loose.push(at..end),
            (T::Image, _) => {}
            (T::InputEvent, "event_type") => {
                self.site(Place::Event, index, at, 0);
                self.look(at, at + 8);
                // Engines miss the length only where something comes behind it.
                if has_words(number as u32) {
                    self.look(at + 8, at + 12);
                } else {
                    self.loose.push(at + 8..at + 12);
                }
            }
            // Records of two words are read as one.
            (T::InputEvent, "modifiers" | "axis") => self.look(at, at + 8),
            (T::InputEvent, "number") => self.look(at, end),
            (T::InputEvent, _) => {}
            (T::NodePath, "name_count") => {
                self.site(Place::Path, index, at, 0);
                self.look(at, at + 12);
            }
            (T::NodePath, "length") => self.text(Place::PathText, index, at, number),
            (T::PackedStringArray, "count") => {
                self.look(at, end);
                self.site(Place::Strings, index, at, number);
                self.promise(at, LEAST * number);
            }
            (T::PackedStringArray, "length") => {
                self.promised = self.promised.saturating_sub(LEAST);
                self.text(Place::Terminated, index, at, number);
            }
            (T::PackedByteArray, "count") => {
                self.look(at, end);
                self.site(Place::Bytes, index, at, number);
                self.look(end, end + number);
            }
            (T::Array | T::Dictionary | T::TypedArray | T::PackedTypedArray, "count") => {
                let least = if packet.variant_type == T::Dictionary { 2 * LEAST } else { LEAST };
                // Where containers are shared the top bit says so.
                let number = number & 0x7fff_ffff;
                self.count(Place::Count, index, at, number, least);
            }
            (T::Object, "property_count") => {
                self.count(Place::Properties, index, at, number, 2 * LEAST);
            }
            (T::Array | T::Dictionary, "type_id") => {
                self.look(at, end);
                self.site(Place::ElementType, index, at, number);
            }
            (T::Array | T::Dictionary, "length") => {
                self.site(Place::ElementName, index, at, number);
                self.text(Place::Text, index, at, number);
            }
            (T::TypedArray | T::PackedTypedArray, "element_type") => {
                self.look(at, end);
                self.site(Place::ElementWord, index, at, number);
            }
            (_, "length") => {
                if packet.variant_type == T::Object && packet.count_at.is_some() {
                    // The name of a property.
                    self.promised = self.promised.saturating_sub(LEAST);
                }
                self.text(Place::Text, index, at, number);
            }
            (T::Signal, "object_id") => self.look(at, end),
            (_, "count") => self.look(at, end),
            (T::NodePath | T::String | T::StringName | T::Signal | T::Object, _) => {}
            (T::PackedByteArray, _) => {}
            (_, "elements") => {
                let size = match node.layout {
                    Layout::Many(shape, _) => shape.size().unwrap_or_default(),
                    _ => 0,
                };
                self.site(Place::Packed, index, at.saturating_sub(4), size);
                self.look(at, end);
            }
            _ => {}
        }
    }

    /// A text whose length word stands at `at`, with its bytes and padding.
    fn text(&mut self, place: Place, packet: usize, at: usize, length: usize) {
        let end = at + 4 + length;
        self.look(at, at + 4);
        self.site(place, packet, at, length);
        self.look(at + 4, end);
        self.look(end, end + Padding::needed(length));
    }

    /// The count of a container at `at`.
    fn count(&mut self, place: Place, packet: usize, at: usize, count: usize, least: usize) {
        if let Some(packet) = self.packets.get_mut(packet) {
            packet.count_at = Some(at);
        }
        self.look(at, at + 4);
        self.site(place, packet, at, count);
        self.promise(at, count * least);
    }

    /// The texts of a NodePath; other lists have looks of their own.
    fn path_texts(&mut self, owner: Option<usize>, at: usize, count: usize) {
        let packet = owner.and_then(|owner| self.packets.get(owner));
        if packet.is_some_and(|packet| packet.variant_type == VariantType::NodePath) {
            self.look(at, at + LEAST * count);
        }
    }

    fn promise(&mut self, at: usize, bytes: usize) {
        self.promised += bytes;
        self.looks.push(Look { at, need: at + 4 + self.promised, promise: true });
    }

    fn look(&mut self, at: usize, need: usize) {
        self.looks.push(Look { at, need, promise: false });
    }

    fn site(&mut self, place: Place, packet: usize, at: usize, length: usize) {
        self.sites.push(Site { place, packet, at, length, look: self.looks.len() });
    }

    /// Where a reader says that the input is cut, if it ends at `end`.
    pub(super) fn cut(&self, end: usize) -> Option<usize> {
        let missing = |look: &&Look| look.need > end;
        self.looks.iter().find(missing).map(|look| look.at)
    }

    /// Whether a value of any type may stand in the packet's place: not in a typed container, and not
    /// as a key, which another one may be the same as.
    pub(super) fn is_free(&self, packet: &Packet) -> bool {
        let Some(around) = packet.around.and_then(|around| self.packets.get(around)) else {
            return true;
        };
        match (packet.role, around.variant_type) {
            (Role::Property, _) => true,
            (Role::Element, VariantType::Array) => self.kind_of(around) == 0,
            (Role::Value, _) => self.kind_of(around) == 0,
            _ => false,
        }
    }

    /// What a container's header says of the types it holds: 0 where it says nothing.
    pub(super) fn kind_of(&self, container: &Packet) -> u8 {
        if container.variant_type == VariantType::Dictionary {
            DictionaryHeader::from(container.header).value_kind()
        } else {
            ArrayHeader::from(container.header).element_kind()
        }
    }
}

/// Whether words of its own follow the head of an input event of this type.
pub(super) fn has_words(event_type: u32) -> bool {
    matches!(event_type, 1 | 3..=6)
}
