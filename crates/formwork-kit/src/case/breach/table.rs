//! Every breach: which rule, where it can be broken, and how the bytes change.
//!
//! A breach is one row. Those that [`Strictness::Engine`] refuses make near-valid packets; those that only
//! [`Strictness::Canonical`] refuses make edge cases.

use arbitrary::Result;
use formwork_records::wire::utf8::Utf8;
use formwork_variant::Rule;
use formwork_variant::codec::{self, Strictness};
use formwork_variant::dialect::{NullObject, ObjectForms, Quirks};

use super::map::Kind;
use super::mutation::Mutation;
use super::{accepted, refused};

/// A way to break a rule.
pub(super) struct Breach {
    /// The broken rule.
    pub(super) rule: Rule,
    /// The most lenient strictness that refuses it.
    pub(super) strictness: Strictness,
    /// How, in a few words.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests say which breach does not come up"))]
    pub(super) how: &'static str,
    /// At which mutation points.
    pub(super) points: &'static [Kind],
    /// Selects the dialects; the second argument tells if objects in full form are accepted.
    pub(super) when: fn(&Quirks, bool) -> bool,
    /// Changes the bytes, and says whether the point lends itself to it. A reader then says whether the rule is broken.
    pub(super) change: fn(&mut Mutation<'_, '_, '_>) -> Result<bool>,
}

macro_rules! breaches {
    ($( $($rule:ident)::+ $strictness:ident [$($kind:ident)+] $how:literal $change:path, if $when:expr; )+) => {
        /// Every breach.
        pub(super) const BREACHES: &[Breach] = &[ $( Breach {
            rule: $($rule)::+,
            strictness: Strictness::$strictness,
            how: $how,
            points: &[$(Kind::$kind),+],
            when: $when,
            change: $change,
        }, )+ ];
    };
}

const ALWAYS: fn(&Quirks, bool) -> bool = |_, _| true;
const GODOT2: fn(&Quirks, bool) -> bool = |rules, _| rules.whole_header;
const FLAGS: fn(&Quirks, bool) -> bool = |rules, _| !rules.whole_header;
const OBJECTS: fn(&Quirks, bool) -> bool =
    |rules, objects| objects && rules.objects == ObjectForms::IdOrFull;
const TYPED: fn(&Quirks, bool) -> bool = |rules, _| rules.typed_arrays;
const LAX: fn(&Quirks, bool) -> bool = |rules, _| rules.utf8 != Utf8::Strict;
const JOINED: fn(&Quirks, bool) -> bool = |rules, _| rules.utf8 == Utf8::LaxJoined;

breaches! {
    Rule::INPUT_COMPLETE Engine [Header] "cut" refused::cut, if ALWAYS;
    Rule::INPUT_COMPLETE Engine [Count Properties Strings] "one element more, at the end" refused::one_more, if ALWAYS;
    Rule::INPUT_COMPLETE Engine [Count Properties Strings] "a count that the rest cannot fill" refused::count, if ALWAYS;
    Rule::INPUT_COMPLETE Engine [Packed Bytes] "a packed count that the rest cannot fill" refused::packed_count, if ALWAYS;
    Rule::INPUT_COMPLETE Engine [Packed] "a packed count whose bytes overflow 32 bits" refused::product, if ALWAYS;
    Rule::INPUT_COMPLETE Engine [Text PathText Terminated] "a length beyond the end" refused::length, if ALWAYS;
    Rule::INPUT_COMPLETE Engine [Path] "a name count that the rest cannot fill" refused::names, if ALWAYS;
    Rule::INPUT_COMPLETE Engine [Path] "a subname count that the rest cannot fill" refused::subnames, if ALWAYS;
    Rule::INPUT_COMPLETE Engine [Image] "image data beyond the end" refused::image_length, if GODOT2;
    Rule::SIZE_LIMIT Engine [Count Properties Strings] "a count of more than two gibibytes" refused::huge_count, if ALWAYS;
    codec::rule::HEADER_TYPE_ID Engine [Header] "no such type" refused::type_id, if ALWAYS;
    codec::rule::HEADER_TYPE_ID Engine [Header] "a flag where there are none" refused::flag_in_type_id, if GODOT2;
    codec::rule::STRING_LENGTH Engine [Text Terminated] "a negative length" refused::negative, if ALWAYS;
    codec::rule::STRING_UTF8 Engine [Text PathText Terminated] "a stray byte" refused::stray_byte, if ALWAYS;
    codec::rule::STRING_UTF8 Engine [Text PathText Terminated] "a cut character" refused::cut_character, if ALWAYS;
    codec::rule::STRING_UTF8 Engine [Text PathText Terminated] "an overlong form" refused::overlong, if ALWAYS;
    codec::rule::STRING_UTF8 Engine [Text PathText Terminated] "a surrogate or more than U+10FFFF" refused::not_unicode, if |rules, _| rules.utf8 == Utf8::Strict;
    codec::rule::NODE_PATH_FORM Engine [Path] "the form of one text" refused::path_form, if ALWAYS;
    codec::rule::ARRAY_COUNT Engine [Packed Bytes] "a negative count" refused::negative, if ALWAYS;
    codec::rule::CONTAINER_ELEMENT_TYPE Engine [ElementType] "no such type of elements" refused::element_type, if TYPED;
    codec::rule::CONTAINER_ELEMENT_FORM Engine [ElementName] "a script outside of res://" refused::script, if |rules, objects| rules.typed_arrays && objects;
    codec::rule::CONTAINER_ELEMENT_FORM Engine [ClassHeader] "a class that is no StringName" refused::class_header, if ALWAYS;
    codec::rule::OBJECT_ALLOWED Engine [Header] "an object in full form" refused::object, if |rules, objects| !objects && rules.objects == ObjectForms::IdOrFull;
    codec::rule::IMAGE_FORMAT Engine [Image] "no such format" refused::image_format, if GODOT2;
    Rule::DEPTH_LIMIT Engine [Header] "one container too many around a value" refused::depth, if |rules, _| rules.depth.is_some();

    Rule::INPUT_TRAILING Canonical [Header] "bytes behind the value" accepted::trailing, if ALWAYS;
    Rule::INPUT_COMPLETE Canonical [Bytes Image Event] "the last bytes, which engines do not miss" accepted::unpadded, if ALWAYS;
    codec::rule::HEADER_FLAGS Canonical [Header ClassHeader] "flags that mean nothing" accepted::flags, if FLAGS;
    codec::rule::HEADER_FLAGS Canonical [ElementWord] "elements that are no objects as ids" accepted::as_id, if ALWAYS;
    codec::rule::HEADER_FLAGS Canonical [Event] "keys that are no modifiers" accepted::modifiers, if GODOT2;
    codec::rule::BOOL_VALUE Canonical [Header] "a bool of more than 1" accepted::bool_value, if ALWAYS;
    codec::rule::INT_WIDTH Canonical [Header] "an int in the other width" accepted::int_width, if FLAGS;
    codec::rule::FLOAT_WIDTH Canonical [Header] "a float in the other width" accepted::float_width, if FLAGS;
    codec::rule::FLOAT_NAN Canonical [Header] "a signalling NaN" accepted::signalling, if GODOT2;
    codec::rule::REAL_PRECISION Canonical [Header Packed] "components in the other precision" accepted::precision, if |rules, _| rules.real_flag;
    codec::rule::STRING_CANONICAL Canonical [Text PathText Terminated] "more behind a zero byte" accepted::behind_zero, if ALWAYS;
    codec::rule::STRING_CANONICAL Canonical [Text PathText Terminated] "a byte order mark" accepted::byte_order_mark, if |rules, _| !rules.byte_order_mark;
    codec::rule::STRING_CANONICAL Canonical [Text PathText Terminated] "an overlong form" accepted::overlong, if LAX;
    codec::rule::STRING_CANONICAL Canonical [Text PathText Terminated] "a pair of surrogates" accepted::surrogates, if JOINED;
    codec::rule::STRING_CANONICAL Canonical [Text PathText Terminated] "a lone surrogate for a blank" accepted::lone_surrogate, if JOINED;
    codec::rule::STRING_PADDING Canonical [Text PathText Terminated] "padding that is not zero" accepted::padding, if ALWAYS;
    codec::rule::BYTES_PADDING Canonical [Bytes] "padding that is not zero" accepted::padding, if ALWAYS;
    codec::rule::BYTES_PADDING Canonical [Image] "padding that is not zero" accepted::image_padding, if GODOT2;
    codec::rule::STRING_TERMINATOR Canonical [Terminated] "no zero byte at the end" accepted::no_terminator, if ALWAYS;
    codec::rule::NODE_PATH_FLAGS Canonical [Path] "flags that mean nothing" accepted::path_flags, if ALWAYS;
    codec::rule::NODE_PATH_FLAGS Canonical [Path] "the last subname as property" accepted::path_property, if |rules, _| !rules.node_path_property;
    codec::rule::NODE_PATH_FLAGS Canonical [Path] "absolute without a name" accepted::path_root, if |rules, _| !rules.node_path_root;
    codec::rule::NODE_PATH_COUNTS Canonical [Path] "counts that wrap around" accepted::path_counts, if ALWAYS;
    codec::rule::ARRAY_COUNT Canonical [Strings] "a negative count of no strings" accepted::negative, if ALWAYS;
    codec::rule::CONTAINER_SHARED Canonical [Count] "a shared container" accepted::shared, if |rules, _| !rules.shared_containers;
    codec::rule::CONTAINER_ELEMENT_TYPE Canonical [ElementWord] "the top bit of the element type" accepted::element_top_bit, if ALWAYS;
    codec::rule::CONTAINER_ELEMENT_TYPE Canonical [ElementWord] "no such type of elements" accepted::unknown_element, if ALWAYS;
    codec::rule::CONTAINER_ELEMENT_FORM Canonical [Count] "elements of the type null" accepted::nil_elements, if TYPED;
    codec::rule::CONTAINER_ELEMENT_FORM Canonical [ElementName] "a class that becomes another" accepted::element_class, if |rules, objects| rules.typed_arrays && !objects;
    codec::rule::CONTAINER_ELEMENT_FORM Canonical [ElementType] "objects of the class without a name" accepted::nameless_class, if |rules, objects| rules.typed_arrays && objects;
    codec::rule::CONTAINER_ELEMENT_FORM Canonical [ElementWord] "objects of a StringName without a name" accepted::nameless_class_word, if ALWAYS;
    codec::rule::CONTAINER_ELEMENT Canonical [ElementType ElementName] "an element or key of another type" accepted::element, if TYPED;
    codec::rule::CONTAINER_ELEMENT Canonical [ElementWord] "an element of another type" accepted::element, if ALWAYS;
    codec::rule::DICTIONARY_KEYS Canonical [Count] "a key twice" accepted::key_twice, if ALWAYS;
    codec::rule::OBJECT_FORM Canonical [Header] "a null as an object" accepted::null_object, if |rules, _| rules.objects == ObjectForms::IdOrFull && rules.null_object == NullObject::Nil;
    codec::rule::OBJECT_FORM Canonical [Header] "a null object without a class" accepted::null_class, if |rules, objects| objects && rules.objects == ObjectForms::IdOrFull && rules.null_object == NullObject::Object;
    codec::rule::OBJECT_PROPERTY_COUNT Canonical [Properties] "a negative count of no properties" accepted::negative, if OBJECTS;
    codec::rule::IMAGE_FORMAT Canonical [Image] "an image that engines drop" accepted::image_size, if GODOT2;
    codec::rule::IMAGE_FORMAT Canonical [Image] "a negative length" accepted::image_length, if GODOT2;
    codec::rule::INPUT_EVENT_TYPE Canonical [Event] "no such type of event" accepted::event_type, if GODOT2;
    codec::rule::INPUT_EVENT_LENGTH Canonical [Event] "another length" accepted::event_length, if GODOT2;
}
