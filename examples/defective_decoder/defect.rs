//! The mistakes that can be planted: each has a row in this table and an `if` at one place of the decoder.

use std::sync::atomic::{AtomicBool, Ordering};

/// The formats in which a mistake shows.
type Formats = &'static [&'static str];

pub(crate) const GODOT3: Formats = &["godot3"];
pub(crate) const GODOT4: Formats = &["godot4"];
pub(crate) const ALB1: Formats = &["alb1"];
const VARIANT: Formats = &["godot3", "godot4"];
const ALL: Formats = &["godot3", "godot4", "alb1"];

macro_rules! defects {
    ($($defect:ident = $name:literal, $formats:expr, $description:literal;)+) => {
        /// A mistake that authors of decoders make.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Defect {
            $(#[doc = $description] $defect,)+
        }

        impl Defect {
            pub(crate) const ALL: &[Self] = &[$(Self::$defect),+];

            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$defect => $name,)+ }
            }

            pub(crate) fn formats(self) -> Formats {
                match self { $(Self::$defect => $formats,)+ }
            }

            /// Describes the wrong behaviour of the decoder.
            pub(crate) fn description(self) -> &'static str {
                match self { $(Self::$defect => $description,)+ }
            }
        }
    };
}

defects! {
    // Requests and answers.
    AnswersTwice = "answers-twice", VARIANT, "answers again for what stands behind the value";
    SilentOnEmpty = "silent-on-empty", ALL, "does not answer an empty packet";
    ErrorAsNull = "error-as-null", VARIANT, "reports a packet that it refused as an accepted null";
    PanicOnShort = "panic-on-short", VARIANT,
        "takes the first four bytes without looking whether they are there";
    ConsumedWithoutHeader = "consumed-without-header", VARIANT,
        "forgets the header when it counts the bytes that were consumed";
    ConsumedWithoutPadding = "consumed-without-padding", VARIANT,
        "forgets the padding of the last string or byte array when it counts what was consumed";
    UnusualWithoutValue = "unusual-without-value", VARIANT,
        "answers without the value where it would write other bytes than it read";
    TrailingRefused = "trailing-refused", VARIANT, "refuses bytes behind the value";
    Packet16Bits = "packet-16-bits", ALL,
        "takes the length of a request for 16 bits: packets of 64 KiB and more are cut";
    StaleBuffer = "stale-buffer", ALL,
        "reads packets into one buffer: what is missing is taken from the packet before";
    ErrorSticks = "error-sticks", ALL, "does not clear the error of the packet before";
    Leak = "leak", VARIANT, "keeps a buffer for each string that it reads";
    TextRemembered = "text-remembered", VARIANT, "keeps the string before where a string is empty";
    EmptyDictionaryRemembered = "empty-dictionary-remembered", VARIANT,
        "takes an empty dictionary for the dictionary that was read last";
    // Headers.
    TypeId16Bits = "type-id-16-bits", VARIANT,
        "takes 16 bits of the header for the type id, as the documentation says";
    LastTypeRefused = "last-type-refused", VARIANT, "refuses the last type id of the table";
    UnknownTypeNull = "unknown-type-null", VARIANT, "takes a type id behind the table for a null";
    FlagsRefused = "flags-refused", VARIANT, "refuses flags that it does not know";
    IntFlagMissed = "int-flag-missed", VARIANT, "does not look at the 64-bit flag of ints";
    FloatFlagMissed = "float-flag-missed", VARIANT, "does not look at the 64-bit flag of floats";
    ObjectFlagMissed = "object-flag-missed", VARIANT, "takes every object for a bare header";
    RealFlagMissed = "real-flag-missed", GODOT4,
        "does not look at the 64-bit flag of vectors and matrices";
    PackedRealFlagMissed = "packed-real-flag-missed", GODOT4,
        "does not look at the 64-bit flag of arrays of vectors";
    RealFlagTaken = "real-flag-taken", GODOT3,
        "takes the 64-bit flag of vectors and matrices for one, which it is in Godot 4 only";
    ColorWide = "color-wide", VARIANT, "takes the 64-bit flag of a colour for one";
    // Numbers.
    BoolOneOnly = "bool-one-only", VARIANT, "takes only the word 1 for true";
    BoolByte = "bool-byte", VARIANT, "looks only at the lowest byte of a bool";
    IntUnsigned = "int-unsigned", VARIANT, "takes 32-bit ints for unsigned";
    IntHalves = "int-halves", VARIANT, "adds the halves of a 64-bit int as signed numbers";
    IntThroughDouble = "int-through-double", VARIANT,
        "keeps 64-bit ints as doubles: 53 bits are left";
    FloatThroughSingle = "float-through-single", VARIANT, "keeps floats in 32 bits";
    FloatNanPayload = "float-nan-payload", VARIANT, "makes one NaN of all";
    FloatMinusZero = "float-minus-zero", VARIANT, "makes 0 of -0 in floats";
    FloatSubnormal = "float-subnormal", VARIANT, "flushes subnormal floats to zero";
    FloatInfinity = "float-infinity", VARIANT, "refuses infinite floats";
    WholeFloatInt = "whole-float-int", VARIANT, "makes ints of floats that are whole, as JSON does";
    RealNanRefused = "real-nan-refused", VARIANT, "refuses a NaN in a vector or matrix";
    RealMinusZero = "real-minus-zero", VARIANT, "makes 0 of -0 in vectors and matrices";
    ShortScalar = "short-scalar", ALL, "reads a number that is cut as if zeros followed";
    // Strings.
    TextPaddingFour = "text-padding-four", VARIANT,
        "pads strings that need no padding with four bytes";
    TextPaddingMissing = "text-padding-missing", VARIANT,
        "does not look whether the padding of a string is there";
    PaddingChecked = "padding-checked", VARIANT, "refuses padding of strings that is not zero";
    TextNegativeEmpty = "text-negative-empty", VARIANT,
        "takes a negative length for an empty string";
    TextCut = "text-cut", VARIANT, "accepts strings that are cut";
    TextReserve = "text-reserve", VARIANT, "fills a buffer of the length that a string announces";
    TextNulKept = "text-nul-kept", VARIANT, "does not end a string at its first zero byte";
    BomKept = "bom-kept", GODOT3, "keeps a byte order mark";
    BomDropped = "bom-dropped", GODOT4, "drops a byte order mark";
    TextLatin1 = "text-latin-1", VARIANT, "takes text that is UTF-8 for Latin-1";
    TextLossy = "text-lossy", VARIANT, "replaces what is not UTF-8 with U+FFFD";
    TextStrict = "text-strict", GODOT3,
        "refuses surrogates and forms that are too long, which Godot 3 accepts";
    TextSurrogatesKept = "text-surrogates-kept", GODOT3, "keeps surrogates as they are";
    TextPairsLost = "text-pairs-lost", GODOT3, "makes blanks of surrogates that are a pair";
    TextOverlong = "text-overlong", VARIANT,
        "accepts overlong forms in UTF-8 that the engine refuses";
    TextSurrogates = "text-surrogates", GODOT4, "accepts surrogates in UTF-8";
    TextBeyondUnicode = "text-beyond-unicode", GODOT4, "accepts characters above U+10FFFF";
    StringsLastPadding = "strings-last-padding", VARIANT,
        "does not pass over the padding of the last string in an array";
    StringsTerminator = "strings-terminator", VARIANT,
        "cuts the last byte of a string in an array, whether it is zero or not";
    StringsNegativeRefused = "strings-negative-refused", VARIANT,
        "refuses a negative count of strings, which the engines take for none";
    StringsEmptyDropped = "strings-empty-dropped", VARIANT, "leaves empty strings in an array out";
    StringsQuadratic = "strings-quadratic", VARIANT,
        "joins the strings of an array anew for each of them";
    EmptyTextNull = "empty-text-null", VARIANT, "makes a null of an empty string";
    StringNameAsString = "string-name-as-string", GODOT4, "makes a String of a StringName";
    // Vectors, matrices, colours.
    Rect2Swapped = "rect2-swapped", VARIANT, "takes the size of a Rect2 for its position";
    Rect2End = "rect2-end", VARIANT, "takes the size of a Rect2 for its end";
    Transform2DRows = "transform2d-rows", VARIANT, "takes the columns of a Transform2D for rows";
    QuaternionWFirst = "quaternion-wfirst", VARIANT, "takes w for the first number of a quaternion";
    PlaneDistanceFirst = "plane-distance-first", VARIANT,
        "takes the distance for the first number of a plane";
    AabbSwapped = "aabb-swapped", VARIANT, "takes the size of an AABB for its position";
    BasisColumns = "basis-columns", VARIANT,
        "takes the rows of a basis for columns, as the documentation says";
    ProjectionRows = "projection-rows", GODOT4, "takes the columns of a projection for rows";
    ColorBgr = "color-bgr", VARIANT, "swaps red and blue";
    ColorClamped = "color-clamped", VARIANT, "clamps the channels of a colour to 0 and 1";
    Vector4Short = "vector4-short", GODOT4,
        "takes a Vector4 in a container for 12 bytes, as Pandemonium does";
    IntVectorsAsReals = "int-vectors-as-reals", GODOT4, "keeps the ints of vectors as floats";
    // Paths.
    PathOldForm = "path-old-form", VARIANT, "accepts the old form of a NodePath";
    PathPropertyMissed = "path-property-missed", VARIANT,
        "does not look at the flag for one more string of a NodePath";
    PathCountsSwapped = "path-counts-swapped", VARIANT, "swaps the two counts of a NodePath";
    PathEmptyNames = "path-empty-names", VARIANT, "leaves the empty names of a NodePath out";
    PathRoot = "path-root", VARIANT, "mistakes the path without names: the other engine reads / so";
    PathRelative = "path-relative", VARIANT, "loses whether a NodePath is absolute";
    PathSubnamesMerged = "path-subnames-merged", VARIANT, "makes one subname of several";
    PathThroughText = "path-through-text", VARIANT,
        "keeps a NodePath as text and takes it apart again";
    // Handles and objects.
    RidEmpty = "rid-empty", GODOT4, "takes a RID for a bare header, as it is in Godot 3";
    CallableAsSignal = "callable-as-signal", GODOT4,
        "expects the payload of a Signal behind a Callable";
    SignalId32Bits = "signal-id-32-bits", GODOT4, "takes the object id of a Signal for 32 bits";
    ObjectId32Bits = "object-id-32-bits", VARIANT, "keeps 32 bits of an object id";
    ObjectNullAccepted = "object-null-accepted", VARIANT,
        "accepts a null object in full form where objects are not allowed";
    ObjectFullAccepted = "object-full-accepted", VARIANT,
        "accepts objects in full form and makes nulls of them";
    // Containers.
    CountSharedBit = "count-shared-bit", VARIANT, "takes the shared bit for a part of the count";
    CountByte = "count-byte", VARIANT, "keeps 8 bits of a container's count";
    Count16Bits = "count-16-bits", VARIANT, "keeps 16 bits of a container's count";
    CountLimit = "count-limit", VARIANT, "refuses containers of more than 4096 elements";
    CountChecked = "count-checked", VARIANT,
        "asks for eight bytes an element before it reads a container";
    CountReserve = "count-reserve", VARIANT,
        "reserves memory for as many elements as the count of an array says";
    CountReserveNested = "count-reserve-nested", VARIANT,
        "reserves memory for as many elements as the input has room for, in each nested array";
    PairMissingNull = "pair-missing-null", VARIANT, "ends a dictionary where the input ends";
    ElementsMissingNull = "elements-missing-null", VARIANT,
        "fills an array with nulls where the input ends";
    ElementsMissingSkipped = "elements-missing-skipped", VARIANT,
        "counts on through the elements of an array when the input has ended";
    NullsDropped = "nulls-dropped", VARIANT, "leaves nulls in arrays out";
    MeasuredFirst = "measured-first", VARIANT,
        "reads each array twice, first for its size: nested ones take exponential time";
    DepthUnlimited = "depth-unlimited", VARIANT, "reads however many containers are in each other";
    DepthOffByOne = "depth-off-by-one", VARIANT, "refuses the deepest value that the engine reads";
    DepthShort = "depth-short", VARIANT, "reads 64 containers in each other only";
    DepthArraysOnly = "depth-arrays-only", VARIANT,
        "does not count dictionaries for the depth limit";
    // Typed containers.
    TypedArrayMissed = "typed-array-missed", GODOT4, "does not know typed arrays";
    TypedDictionaryMissed = "typed-dictionary-missed", GODOT4, "does not know typed dictionaries";
    TypedValueMissed = "typed-value-missed", GODOT4, "does not know the value type of a dictionary";
    TypedBuiltinOnly = "typed-builtin-only", GODOT4,
        "knows only built-in element types, no classes and scripts";
    TypedScriptRefused = "typed-script-refused", GODOT4, "refuses scripts as element types";
    TypedEmptyUntyped = "typed-empty-untyped", GODOT4, "loses the element type of an empty array";
    TypedForgotten = "typed-forgotten", GODOT4, "loses the element type of arrays";
    TypedUnchecked = "typed-unchecked", GODOT4, "keeps elements of other types in a typed array";
    TypedMismatchRefused = "typed-mismatch-refused", GODOT4,
        "refuses a typed array with an element that does not convert";
    TypedOneEmpties = "typed-one-empties", GODOT4,
        "empties a typed array where one of the elements does not convert";
    TypedNotConverted = "typed-not-converted", GODOT4,
        "leaves elements of other types out, where the engine converts them";
    TypedKeysUnchecked = "typed-keys-unchecked", GODOT4,
        "keeps keys of other types in a typed dictionary";
    TypedClassKept = "typed-class-kept", GODOT4,
        "keeps the class of the elements where objects are not allowed";
    TypedIdUnchecked = "typed-id-unchecked", GODOT4,
        "takes an unknown built-in element type for none";
    TypedIdMasked = "typed-id-masked", GODOT4, "looks only at the low byte of an element type";
    // Keys.
    DuplicateFirstWins = "duplicate-first-wins", VARIANT,
        "keeps the first value of a key that comes again";
    DuplicateMoved = "duplicate-moved", VARIANT, "moves a key that comes again to the end";
    DuplicateNewKey = "duplicate-new-key", VARIANT, "replaces the key with the one that came again";
    DuplicatesKept = "duplicates-kept", VARIANT, "keeps all pairs of a key that comes again";
    DictionarySorted = "dictionary-sorted", VARIANT, "sorts dictionaries by key";
    KeysQuadratic = "keys-quadratic", VARIANT, "compares each key with all before it";
    KeyIntText = "key-int-text", VARIANT, "makes texts of keys that are ints, as JavaScript does";
    KeyProto = "key-proto", VARIANT, "loses the key __proto__, as JavaScript does";
    KeyNullDropped = "key-null-dropped", VARIANT, "leaves pairs with a null key out";
    KeyNumbersMerged = "key-numbers-merged", VARIANT,
        "takes the int 1 and the float 1.0 for one key";
    KeyNanApart = "key-nan-apart", VARIANT, "takes two keys that are NaN for two";
    KeyZerosApart = "key-zeros-apart", VARIANT, "takes 0.0 and -0.0 for two keys";
    KeyCaseFolded = "key-case-folded", VARIANT,
        "takes keys that differ in upper and lower case for one";
    KeyArraysApart = "key-arrays-apart", VARIANT, "takes arrays for two keys, whatever they hold";
    KeyDictionariesMerged = "key-dictionaries-merged", GODOT3,
        "takes dictionaries of the same content for one key, which Godot 3 does not";
    KeyNamesApart = "key-names-apart", GODOT4, "takes a String and a StringName for two keys";
    // Packed arrays.
    BytesPaddingFour = "bytes-padding-four", VARIANT,
        "pads byte arrays that need no padding with four bytes";
    BytesPaddingMissed = "bytes-padding-missed", VARIANT,
        "does not pass over the padding of a byte array in a container";
    BytesPaddingRequired = "bytes-padding-required", VARIANT,
        "refuses a byte array at the end whose padding is missing";
    BytesPaddedOverflow = "bytes-padded-overflow", VARIANT,
        "adds the padding of a byte array in 32 bits: huge counts pass";
    PackedNegativeEmpty = "packed-negative-empty", VARIANT,
        "takes a negative count of a packed array for none, and a large one for what is there";
    PackedProduct32Bits = "packed-product-32-bits", VARIANT,
        "multiplies count and size in 32 bits: huge counts pass";
    PackedReserve = "packed-reserve", VARIANT,
        "fills memory for as many elements as a packed array announces";
    PackedExactRefused = "packed-exact-refused", VARIANT,
        "refuses a packed array that ends where the packet does";
    PackedCut = "packed-cut", VARIANT, "accepts packed arrays that are cut";
    PackedInt64Narrow = "packed-int64-narrow", GODOT4,
        "keeps 32 bits of the ints of a PackedInt64Array";
    PackedInt64Double = "packed-int64-double", GODOT4,
        "keeps the ints of a PackedInt64Array as doubles";
    PackedFloat64Narrow = "packed-float64-narrow", GODOT4,
        "keeps 32 bits of the floats of a PackedFloat64Array";
    PackedNanZero = "packed-nan-zero", VARIANT, "makes 0 of each NaN in an array of floats";
    PackedVectorSwapped = "packed-vector-swapped", VARIANT, "swaps x and y of vectors in arrays";
    PackedColorOpaque = "packed-color-opaque", VARIANT, "loses the alpha of colours in arrays";
    // ALB1: header and tables.
    Alb1MagicMissed = "alb1-magic-missed", ALB1, "does not look at the four letters in front";
    Alb1VersionMissed = "alb1-version-missed", ALB1, "does not look at the format version";
    Alb1ReservedChecked = "alb1-reserved-checked", ALB1,
        "refuses a file whose last header word is not 0";
    Alb1ProjectVersionLost = "alb1-project-version-lost", ALB1,
        "loses the project version in the header";
    Alb1ConsumedRoot = "alb1-consumed-root", ALB1, "counts only the header as consumed";
    Alb1TablesRemembered = "alb1-tables-remembered", ALB1,
        "keeps the tables of the first file for all";
    Alb1TableTypeMissed = "alb1-table-type-missed", ALB1,
        "does not look at the type byte of a table";
    Alb1TableCountByte = "alb1-table-count-byte", ALB1, "keeps 8 bits of a table's count";
    Alb1TableReserve = "alb1-table-reserve", ALB1,
        "reserves memory for as many names as a table announces";
    Alb1TableDuplicate = "alb1-table-duplicate", ALB1, "keeps one name for each id";
    Alb1TableAscending = "alb1-table-ascending", ALB1, "refuses tables whose ids do not ascend";
    Alb1TableSorted = "alb1-table-sorted", ALB1, "sorts the tables by id";
    // ALB1: objects and fields.
    Alb1TagChecked = "alb1-tag-checked", ALB1, "refuses tags that the table does not name";
    Alb1ClassChecked = "alb1-class-checked", ALB1,
        "refuses a root of a class that the table does not name";
    Alb1ClassNegative = "alb1-class-negative", ALB1, "refuses classes that are negative";
    Alb1AddressAligned = "alb1-address-aligned", ALB1,
        "refuses addresses that are not multiples of four";
    Alb1AddressSigned = "alb1-address-signed", ALB1,
        "takes addresses for signed and negative ones for 0";
    Alb1TailIgnored = "alb1-tail-ignored", ALB1,
        "ignores one or two bytes behind the last field of an object";
    Alb1TagsOnce = "alb1-tags-once", ALB1, "keeps one field for each tag of an object";
    Alb1TagsQuadratic = "alb1-tags-quadratic", ALB1,
        "moves all fields of an object for each that it reads";
    // ALB1: values.
    Alb1SignedCharUnsigned = "alb1-signed-char-unsigned", ALB1, "loses the sign of a signed char";
    Alb1UnsignedCharSigned = "alb1-unsigned-char-signed", ALB1, "takes an unsigned char for signed";
    Alb1UnsignedShortSigned = "alb1-unsigned-short-signed", ALB1,
        "takes an unsigned short for signed";
    Alb1UnsignedIntSigned = "alb1-unsigned-int-signed", ALB1,
        "takes unsigned ints and longs for signed";
    Alb1LongWide = "alb1-long-wide", ALB1, "takes a signed long for 64 bits";
    Alb1IntThroughFloat = "alb1-int-through-float", ALB1, "keeps ints as floats: 24 bits are left";
    Alb1BoolChecked = "alb1-bool-checked", ALB1, "refuses bools that are neither 0 nor 1";
    Alb1BoolNormal = "alb1-bool-normal", ALB1, "makes 1 of every bool that is not 0";
    Alb1FloatNan = "alb1-float-nan", ALB1, "makes 0 of a float that is a NaN";
    Alb1FloatMinusZero = "alb1-float-minus-zero", ALB1, "makes 0 of -0 in floats";
    Alb1DoubleAsFloat = "alb1-double-as-float", ALB1, "keeps doubles in 32 bits";
    Alb1DoublesAsFloats = "alb1-doubles-as-floats", ALB1, "keeps arrays of doubles in 32 bits";
    Alb1StringSigned = "alb1-string-signed", ALB1,
        "takes the length of a string for signed and a negative one for 0";
    Alb1StringByte = "alb1-string-byte", ALB1, "keeps 8 bits of a string's length";
    Alb1StringNul = "alb1-string-nul", ALB1, "ends a string at its first zero byte";
    Alb1StringUtf8 = "alb1-string-utf8", ALB1, "replaces what is not UTF-8 in strings with U+FFFD";
    Alb1StringTrimmed = "alb1-string-trimmed", ALB1, "trims blanks at the end of strings";
    Alb1NumbersSigned = "alb1-numbers-signed", ALB1,
        "takes the count of an array of numbers for signed and a negative one for 0";
    Alb1NumbersFour = "alb1-numbers-four", ALB1,
        "reads at most four numbers of an array of numbers";
    Alb1EmptyByte = "alb1-empty-byte", ALB1, "passes over a byte behind an empty field";
    Alb1EmptyObject = "alb1-empty-object", ALB1, "makes an empty field of an object without fields";
    Alb1PointerSwapped = "alb1-pointer-swapped", ALB1, "swaps class and address of a pointer";
    Alb1PointerNull = "alb1-pointer-null", ALB1, "loses the class of a pointer to nothing";
    Alb1PairDepth = "alb1-pair-depth", ALB1, "does not count pairs for the depth limit";
    Alb1PairSwapped = "alb1-pair-swapped", ALB1, "sorts the two fields of a pair by tag";
    Alb1PairSecondLost = "alb1-pair-second-lost", ALB1,
        "loses the second field of a pair whose tags are the same";
    // ALB1: sizes and counts.
    Alb1UnknownTypeEmpty = "alb1-unknown-type-empty", ALB1,
        "takes an unknown field type for an empty field";
    Alb1SizeOffByOne = "alb1-size-off-by-one", ALB1, "accepts sizes that reach one byte too far";
    Alb1SizeBeyondParent = "alb1-size-beyond-parent", ALB1,
        "checks sizes against the file and not against what is around";
    Alb1ArraySizeIgnored = "alb1-array-size-ignored", ALB1,
        "goes by the count of an array alone and does not look at its size";
    Alb1ArrayRest = "alb1-array-rest", ALB1,
        "passes over what is left in an array behind its elements";
    Alb1CountMissed = "alb1-count-missed", ALB1,
        "goes by the size of an array alone and does not look at its count";
    Alb1CountReserve = "alb1-count-reserve", ALB1,
        "reserves memory for as many elements as the count of an array says";
    Alb1RawAsFields = "alb1-raw-as-fields", ALB1, "takes every array for one of fields";
    Alb1RawTrimmed = "alb1-raw-trimmed", ALB1, "loses the zeros at the end of raw bytes";
    Alb1ElementTag = "alb1-element-tag", ALB1, "refuses arrays whose elements have different tags";
    Alb1DepthUnlimited = "alb1-depth-unlimited", ALB1,
        "reads however many objects are in each other";
    Alb1DepthOffByOne = "alb1-depth-off-by-one", ALB1, "refuses the deepest object that may be";
}

static PLANTED: [AtomicBool; Defect::ALL.len()] =
    [const { AtomicBool::new(false) }; Defect::ALL.len()];

/// Returns whether the decoder makes this mistake.
pub(crate) fn defect(defect: Defect) -> bool {
    PLANTED[defect as usize].load(Ordering::Relaxed)
}

/// Makes the decoder make a mistake. Returns `false` if no mistake has this name.
pub(crate) fn plant(name: &str) -> bool {
    let found = Defect::ALL.iter().find(|defect| defect.name() == name);
    if let Some(&defect) = found {
        PLANTED[defect as usize].store(true, Ordering::Relaxed);
    }
    found.is_some()
}
