//! The losses of a conversion.

use std::fmt;

use super::counterpart::Pair;
use formwork::Path;
use formwork_variant::VariantType;
use formwork_variant::dialect::{FloatWidth, IntWidth};

macro_rules! losses {
    ($( $kind:ident = $name:literal $says:literal => $becomes:literal, if $applies:expr; )+) => {
        /// The kinds of [`Loss`]. The names are stable: scripts may rely on them.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        #[non_exhaustive]
        pub enum LossKind {
            $(
                #[doc = concat!("The target ", $says, ". Nearest: ", $becomes, ".")]
                $kind,
            )+
        }

        impl LossKind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[ $( Self::$kind, )+ ];

            /// The stable name, such as `int_range`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$kind => $name, )+ }
            }

            /// Returns the reason in the target for the loss, as the end of a sentence that starts with the name of
            /// the dialect.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $( Self::$kind => $says, )+ }
            }

            /// Returns a description of the value that is written instead.
            #[must_use]
            pub const fn nearest(self) -> &'static str {
                match self { $( Self::$kind => $becomes, )+ }
            }

            /// Returns whether a conversion between these dialects can lose anything in this way.
            pub(super) fn applies(self, pair: Pair) -> bool {
                let applies: fn(Pair) -> bool = match self { $( Self::$kind => $applies, )+ };
                applies(pair)
            }
        }
    };
}

losses! {
    Type = "type"
        "has no such type"
        => "the nearest type that it has",
        if |pair| pair.from.rows().iter().any(|row| pair.to.row_of(row.variant_type).is_none());
    Misread = "misread"
        "has this type, but does not read back what is written of it"
        => "the nearest type that it reads",
        if |pair| {
            let rows = pair.from.rows().iter();
            rows.map(|row| row.variant_type).any(|it| pair.to.row_of(it).is_some() && !pair.holds(it))
        };
    ElementType = "element_type"
        "has no containers whose elements are declared to be of this type"
        => "the container without its element type",
        if |pair| {
            let typed = |quirks: &formwork_variant::dialect::Quirks| (quirks.typed_arrays, quirks.typed_dictionaries);
            let from_typed = pair.from.type_id(VariantType::TypedArray).is_some()
                || pair.from.quirks().typed_arrays;
            let (to, from) = (typed(pair.to.quirks()), typed(pair.from.quirks()));
            from_typed && (!pair.is_same_engine() || to < from || !pair.has_typed_arrays())
        };
    IntRange = "int_range"
        "keeps whole numbers in 32 bits"
        => "the nearest number with a fraction",
        if |pair| pair.narrows_ints() && pair.from.quirks().int_width != IntWidth::Narrow;
    Rounded = "rounded"
        "keeps these numbers with fewer digits"
        => "the nearest numbers",
        if |pair| {
            pair.narrows_floats() && pair.from.quirks().float_width != FloatWidth::Narrow
                || pair.narrows_reals()
                || pair.rounds_ints()
                || pair.from.precision() != pair.to.precision()
        };
    Characters = "characters"
        "has no such characters in its texts"
        => "the text with U+FFFD in their place (pairs of surrogates joined, U+0000 and a U+FEFF in front left out)",
        if |_| true;
    NodePathRoot = "node_path_root"
        "has no path that is only a /"
        => "the empty path",
        if |pair| pair.from.quirks().node_path_root && !pair.to.quirks().node_path_root;
    Rid = "rid"
        "does not store the numbers of RIDs"
        => "the empty RID",
        if |pair| pair.from.quirks().rid_id && !pair.to.quirks().rid_id;
    ObjectId = "object_id"
        "does not have the object with this number, which lived in the engine that wrote it"
        => "the number, which is no object's (in Godot 2 null)",
        if |pair| !pair.is_same_engine();
    Shared = "shared"
        "shares every container between the variables that hold it; this one would be copied"
        => "a container that is shared",
        if |pair| pair.from.quirks().shared_containers && !pair.to.quirks().shared_containers;
    Object = "object"
        "has other classes, with other properties"
        => "a dictionary of the properties, with the name of the class under @class",
        if |pair| !pair.is_same_engine();
    Script = "script"
        "stores the script of an object in another form"
        => "null in place of the script",
        if |pair| {
            pair.is_same_engine()
                && pair.from.quirks().script_by_path != pair.to.quirks().script_by_path
        };
    Key = "key"
        "takes this key of a dictionary for the same as another one"
        => "one pair, in the place of the first, with the value of the last",
        if |_| true;
    Depth = "depth"
        "does not read values inside so many others"
        => "the innermost container without its content",
        if Pair::may_be_too_deep;
    Image = "image"
        "keeps no image whose data has not just the size that its format demands"
        => "an empty image",
        if |pair| pair.from.type_id(VariantType::Image).is_some() && pair.holds(VariantType::Image);
    JoystickValue = "joystick_value"
        "stores joystick motion in another form: before Godot 2.1 without the position of the axis"
        => "the same event without the position, or with the position 0",
        if |pair| {
            pair.from.quirks().joystick_value != pair.to.quirks().joystick_value
                && pair.holds(VariantType::InputEvent)
        };
}

/// A value without an exact counterpart in the target.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Loss {
    /// The kind of loss.
    pub kind: LossKind,
    /// The path in the names of the wire records: `dictionary[3].value.array[0]`; empty for the outermost value.
    pub path: Path,
    /// The place in the names that the user stored: `player/items/0`.
    pub place: String,
    /// The type of the value.
    pub variant_type: VariantType,
    /// The value, shortened.
    pub found: String,
    /// The value that is written instead, shortened.
    pub nearest: String,
    /// The reason, as a sentence that starts with the name of the target.
    pub why: String,
}

/// Formats the loss in one line: `player/cell: Vector2i(3, 4) becomes Vector2(3, 4): godot3.6 has no such type,
/// ...`.
impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, found, nearest, why, .. } = self;
        if !place.is_empty() {
            write!(f, "{place}: ")?;
        }
        write!(f, "{found} becomes {nearest}: {why}")
    }
}
