//! Every breach: which rule, where it can be broken, and how the bytes change.
//!
//! A breach is one row. Those that [`Attitude::Engine`] refuses make near-valid packets; those that only
//! [`Attitude::Canonical`] refuses make edge cases.

use arbitrary::Result;

use super::edit::Edit;
use super::survey::Place;
use super::{accepted, refused};
use crate::error::Rule;
use crate::variant::codec::Attitude;
use crate::variant::dialect::{NullObject, ObjectForms, Rules};
use crate::wire::utf8::Utf8;

/// A way to break a rule.
pub(super) struct Breach {
    /// Which rule is broken.
    pub(super) rule: Rule,
    /// The most lenient attitude that refuses it.
    pub(super) attitude: Attitude,
    /// How, in a few words.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests say which breach does not come up"))]
    pub(super) how: &'static str,
    /// At which sites.
    pub(super) places: &'static [Place],
    /// In which dialects; the second argument says whether objects in full form are accepted.
    pub(super) when: fn(&Rules, bool) -> bool,
    /// Changes the bytes and says where a reader reports the breach; [`None`] where the site does
    /// not lend itself to it, and the bytes are as they were.
    pub(super) change: fn(&mut Edit<'_, '_, '_>) -> Result<Option<usize>>,
}

macro_rules! breaches {
    ($( $rule:ident $attitude:ident [$($place:ident)+] $how:literal $change:path, if $when:expr; )+) => {
        /// Every breach.
        pub(super) const BREACHES: &[Breach] = &[ $( Breach {
            rule: Rule::$rule,
            attitude: Attitude::$attitude,
            how: $how,
            places: &[$(Place::$place),+],
            when: $when,
            change: $change,
        }, )+ ];
    };
}

const ALWAYS: fn(&Rules, bool) -> bool = |_, _| true;
const GODOT2: fn(&Rules, bool) -> bool = |rules, _| rules.whole_header;
const FLAGS: fn(&Rules, bool) -> bool = |rules, _| !rules.whole_header;
const OBJECTS: fn(&Rules, bool) -> bool =
    |rules, objects| objects && rules.objects == ObjectForms::IdOrFull;
const TYPED: fn(&Rules, bool) -> bool = |rules, _| rules.typed_arrays;
const LAX: fn(&Rules, bool) -> bool = |rules, _| rules.utf8 != Utf8::Strict;
const JOINED: fn(&Rules, bool) -> bool = |rules, _| rules.utf8 == Utf8::LaxJoined;

breaches! {
    InputComplete Engine [Header] "cut" refused::cut, if ALWAYS;
    InputComplete Engine [Count Properties Strings] "one element more, at the end" refused::one_more, if ALWAYS;
    InputComplete Engine [Count Properties Strings] "a count that the rest cannot fill" refused::count, if ALWAYS;
    InputComplete Engine [Packed Bytes] "a packed count that the rest cannot fill" refused::packed_count, if ALWAYS;
    InputComplete Engine [Packed] "a packed count whose bytes overflow 32 bits" refused::product, if ALWAYS;
    InputComplete Engine [Text PathText Terminated] "a length beyond the end" refused::length, if ALWAYS;
    InputComplete Engine [Path] "a name count that the rest cannot fill" refused::names, if ALWAYS;
    InputComplete Engine [Path] "a subname count that the rest cannot fill" refused::subnames, if ALWAYS;
    InputComplete Engine [Image] "image data beyond the end" refused::image_length, if GODOT2;
    SizeLimit Engine [Count Properties Strings] "a count of more than two gibibytes" refused::huge_count, if ALWAYS;
    HeaderTypeId Engine [Header] "no such type" refused::type_id, if ALWAYS;
    HeaderTypeId Engine [Header] "a flag where there are none" refused::flag_in_type_id, if GODOT2;
    StringLength Engine [Text Terminated] "a negative length" refused::negative, if ALWAYS;
    StringUtf8 Engine [Text PathText Terminated] "a stray byte" refused::stray_byte, if ALWAYS;
    StringUtf8 Engine [Text PathText Terminated] "a cut character" refused::cut_character, if ALWAYS;
    StringUtf8 Engine [Text PathText Terminated] "an overlong form" refused::overlong, if ALWAYS;
    StringUtf8 Engine [Text PathText Terminated] "a surrogate or more than U+10FFFF" refused::not_unicode, if |rules, _| rules.utf8 == Utf8::Strict;
    NodePathForm Engine [Path] "the form of one text" refused::path_form, if ALWAYS;
    ArrayCount Engine [Packed Bytes] "a negative count" refused::negative, if ALWAYS;
    ContainerElementType Engine [ElementType] "no such type of elements" refused::element_type, if TYPED;
    ContainerElementForm Engine [ElementName] "a script outside of res://" refused::script, if |rules, objects| rules.typed_arrays && objects;
    ContainerElementForm Engine [ClassHeader] "a class that is no StringName" refused::class_header, if ALWAYS;
    ObjectAllowed Engine [Header] "an object in full form" refused::object, if |rules, objects| !objects && rules.objects == ObjectForms::IdOrFull;
    ImageFormat Engine [Image] "no such format" refused::image_format, if GODOT2;
    DepthLimit Engine [Header] "one container too many around a value" refused::depth, if |rules, _| rules.depth.is_some();

    InputTrailing Canonical [Header] "bytes behind the value" accepted::trailing, if ALWAYS;
    InputComplete Canonical [Bytes Image Event] "the last bytes, which engines do not miss" accepted::unpadded, if ALWAYS;
    HeaderFlags Canonical [Header ClassHeader] "flags that mean nothing" accepted::flags, if FLAGS;
    HeaderFlags Canonical [ElementWord] "elements that are no objects as ids" accepted::as_id, if ALWAYS;
    HeaderFlags Canonical [Event] "keys that are no modifiers" accepted::modifiers, if GODOT2;
    BoolValue Canonical [Header] "a bool of more than 1" accepted::bool_value, if ALWAYS;
    IntWidth Canonical [Header] "an int in the other width" accepted::int_width, if FLAGS;
    FloatWidth Canonical [Header] "a float in the other width" accepted::float_width, if FLAGS;
    FloatNan Canonical [Header] "a signalling NaN" accepted::signalling, if GODOT2;
    RealPrecision Canonical [Header Packed] "components in the other precision" accepted::precision, if |rules, _| rules.real_flag;
    StringCanonical Canonical [Text PathText Terminated] "more behind a zero byte" accepted::behind_zero, if ALWAYS;
    StringCanonical Canonical [Text PathText Terminated] "a byte order mark" accepted::byte_order_mark, if |rules, _| !rules.byte_order_mark;
    StringCanonical Canonical [Text PathText Terminated] "an overlong form" accepted::overlong, if LAX;
    StringCanonical Canonical [Text PathText Terminated] "a pair of surrogates" accepted::surrogates, if JOINED;
    StringCanonical Canonical [Text PathText Terminated] "a lone surrogate for a blank" accepted::lone_surrogate, if JOINED;
    StringPadding Canonical [Text PathText Terminated] "padding that is not zero" accepted::padding, if ALWAYS;
    BytesPadding Canonical [Bytes] "padding that is not zero" accepted::padding, if ALWAYS;
    BytesPadding Canonical [Image] "padding that is not zero" accepted::image_padding, if GODOT2;
    StringTerminator Canonical [Terminated] "no zero byte at the end" accepted::no_terminator, if ALWAYS;
    NodePathFlags Canonical [Path] "flags that mean nothing" accepted::path_flags, if ALWAYS;
    NodePathFlags Canonical [Path] "the last subname as property" accepted::path_property, if |rules, _| !rules.node_path_property;
    NodePathFlags Canonical [Path] "absolute without a name" accepted::path_root, if |rules, _| !rules.node_path_root;
    NodePathCounts Canonical [Path] "counts that wrap around" accepted::path_counts, if ALWAYS;
    ArrayCount Canonical [Strings] "a negative count of no strings" accepted::negative, if ALWAYS;
    ContainerShared Canonical [Count] "a shared container" accepted::shared, if |rules, _| !rules.shared_containers;
    ContainerElementType Canonical [ElementWord] "the top bit of the element type" accepted::element_top_bit, if ALWAYS;
    ContainerElementType Canonical [ElementWord] "no such type of elements" accepted::unknown_element, if ALWAYS;
    ContainerElementForm Canonical [Count] "elements of the type null" accepted::nil_elements, if TYPED;
    ContainerElementForm Canonical [ElementName] "a class that becomes another" accepted::element_class, if |rules, objects| rules.typed_arrays && !objects;
    ContainerElementForm Canonical [ElementType] "objects of the class without a name" accepted::nameless_class, if |rules, objects| rules.typed_arrays && objects;
    ContainerElementForm Canonical [ElementWord] "objects of a StringName without a name" accepted::nameless_class_word, if ALWAYS;
    ContainerElement Canonical [ElementType ElementName] "an element or key of another type" accepted::element, if TYPED;
    ContainerElement Canonical [ElementWord] "an element of another type" accepted::element, if ALWAYS;
    DictionaryKeys Canonical [Count] "a key twice" accepted::key_twice, if ALWAYS;
    ObjectForm Canonical [Header] "a null as an object" accepted::null_object, if |rules, _| rules.objects == ObjectForms::IdOrFull && rules.null_object == NullObject::Nil;
    ObjectForm Canonical [Header] "a null object without a class" accepted::null_class, if |rules, objects| objects && rules.objects == ObjectForms::IdOrFull && rules.null_object == NullObject::Object;
    ObjectPropertyCount Canonical [Properties] "a negative count of no properties" accepted::negative, if OBJECTS;
    ImageFormat Canonical [Image] "an image that engines drop" accepted::image_size, if GODOT2;
    ImageFormat Canonical [Image] "a negative length" accepted::image_length, if GODOT2;
    InputEventType Canonical [Event] "no such type of event" accepted::event_type, if GODOT2;
    InputEventLength Canonical [Event] "another length" accepted::event_length, if GODOT2;
}
