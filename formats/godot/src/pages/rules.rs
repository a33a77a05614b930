//! A dialect's rules in words.

use formwork_records::wire::utf8::Utf8;
use formwork_variant::VariantType;
use formwork_variant::dialect::{
    Dialect, FloatWidth, IntWidth, NullObject, ObjectForms, OtherElements, Precision, Quirks,
    SameKeys, TextStyle,
};

/// Returns the behaviour of the engine that a layout cannot express, a sentence or two for each rule.
pub(super) fn in_words(dialect: Dialect) -> Vec<String> {
    // Destructured by name, so that a new rule does not compile until it has a sentence.
    let Quirks {
        whole_header,
        int_width,
        float_width,
        real_flag,
        real_flag_missing,
        utf8,
        byte_order_mark,
        depth,
        shared_containers,
        node_path_property,
        node_path_root,
        joystick_value,
        bytes_padding_left,
        text_padding_left,
        objects,
        null_object,
        rid_id,
        same_keys,
        four_components_misread,
        typed_arrays,
        other_elements,
        typed_dictionaries,
        script_by_path,
        compressed_files,
        brotli_files,
        cfb_files,
        utf8_string_length,
        own_resource_types,
        text,
    } = *dialect.quirks();
    let double = dialect.precision() == Precision::Double;
    let mut words = vec![
        if whole_header {
            "The whole header word is the type id. There are no flags: a set bit makes an unknown type."
        } else {
            "The type id is the low 8 bits of the header word. Bits that mean nothing for a type are \
             written as 0 and ignored on reading."
        }
        .to_owned(),
        match int_width {
            IntWidth::Narrow => "Ints are written in 32 bits; larger numbers cannot be written.",
            IntWidth::Wide => "Ints are always written in 64 bits.",
            IntWidth::Shortest => "Ints are written in 64 bits only where 32 do not hold them.",
        }
        .to_owned(),
        match float_width {
            FloatWidth::Narrow => "Floats are written in 32 bits.",
            FloatWidth::Shortest => {
                "Floats are written in 32 bits where that keeps the number, else in 64. A NaN is \
                 always written in 64."
            }
        }
        .to_owned(),
        match (real_flag, double) {
            (false, _) => "Vectors and matrices are always of 32-bit numbers.",
            (true, false) => {
                "Vectors and matrices are written in 32 bits; both widths are read, by the flag."
            }
            (true, true) => {
                "Vectors and matrices are written in 64 bits; both widths are read, by the flag."
            }
        }
        .to_owned(),
        match utf8 {
            Utf8::Strict => {
                "Texts are UTF-8 as the standard has it: surrogates, overlong forms and numbers above \
                 U+10FFFF are refused."
            }
            Utf8::Lax => {
                "Texts may hold surrogates, forms of up to six bytes and most overlong forms, which \
                 are kept."
            }
            Utf8::LaxJoined => {
                "Texts may hold surrogates, forms of up to six bytes and most overlong forms. A pair \
                 of surrogates is read as one character, a lone one as a blank."
            }
        }
        .to_owned(),
        if byte_order_mark {
            "A text ends at its first zero byte. A byte order mark in front of it is written, although \
             the engine's own reader drops it."
        } else {
            "A text ends at its first zero byte, and a byte order mark in front of it is dropped."
        }
        .to_owned(),
        match depth {
            Some(depth) => format!("At most {depth} containers may stand around a value."),
            None => "Containers may nest as deep as the engine's stack reaches.".to_owned(),
        },
        if shared_containers {
            "The top bit of a container's count marks a container that is shared, as those made by \
             scripts are."
        } else {
            "The top bit of a container's count is masked off on reading and written as 0."
        }
        .to_owned(),
        if node_path_property {
            "The property of a NodePath stands apart, behind the subnames."
        } else {
            "The property of a NodePath is read as one more subname, and never written."
        }
        .to_owned(),
        match objects {
            ObjectForms::HeaderOnly => {
                "An object is a bare header; nothing of it is stored, and it is read as null."
            }
            ObjectForms::IdOrFull => {
                "An object is its number, or its class and properties; the latter is read only where \
                 the caller allows objects."
            }
        }
        .to_owned(),
        match null_object {
            NullObject::Object => "A null object is written as an object.",
            NullObject::Nil => "A null object is written as a plain null.",
        }
        .to_owned(),
    ];
    let mut add = |holds: bool, text: &str| {
        if holds {
            words.push(text.to_owned());
        }
    };
    add(
        real_flag_missing && double,
        "A Vector4 or Projection is written in 64 bits without the flag, so it can be read only by \
         who knows the precision of the build.",
    );
    add(
        true,
        "A NodePath whose first word has its top bit clear (an old form, a single text, that no \
         engine writes) is refused.",
    );
    add(
        bytes_padding_left,
        "The padding of byte arrays is left as the memory was; it is written as zeros here.",
    );
    add(
        text_padding_left,
        "The padding of strings is left as the memory was, too; it is written as zeros here.",
    );
    add(
        !node_path_root,
        "A NodePath that is absolute but has no names is the empty one: there is no path `/`.",
    );
    // Only Godot 2 has input events among its types.
    let input_events = dialect.row_of(VariantType::InputEvent).is_some();
    add(
        input_events && !joystick_value,
        "The event of a joystick's axis has the axis' number only, not its position.",
    );
    add(
        same_keys == SameKeys::Godot4,
        "A String and a StringName of the same text are one key of a dictionary. So are two containers \
         of the same content, whatever types they declare.",
    );
    add(
        same_keys != SameKeys::Godot4,
        "Two dictionaries are never one key of a dictionary, whatever is in them.",
    );
    add(same_keys == SameKeys::Godot2, "As a key, a float that is NaN is the same as 0.");
    add(
        same_keys == SameKeys::Godot3_2,
        "As a key, a PoolRealArray with a NaN is not the same as itself.",
    );
    add(
        four_components_misread,
        "The engine's own reader misreads Vector4, Vector4i, their packed arrays and Projection; they \
         are read here as they were written.",
    );
    add(rid_id, "A RID carries its number.");
    add(!rid_id, "A RID carries nothing, and is read as the empty one.");
    add(typed_arrays, "An array may be typed; elements keep their headers.");
    add(typed_dictionaries, "A dictionary may be typed; keys and values keep their headers.");
    add(
        typed_arrays && other_elements == OtherElements::Converted,
        "While a typed container is read, elements and keys of another type are converted, or left out \
         where they do not convert. The values of a dictionary stay as they are.",
    );
    add(
        dialect.row_of(VariantType::TypedArray).is_some()
            && other_elements == OtherElements::LeftOut,
        "Elements of a typed array that are of another type are left out.",
    );
    add(
        objects == ObjectForms::IdOrFull && script_by_path,
        "The script of an object in full is a path that starts with `res://`, or null.",
    );
    add(
        objects == ObjectForms::IdOrFull && !script_by_path,
        "The script of an object in full is an object itself, and may hold source text.",
    );
    add(!compressed_files, "Scripts can open encrypted files, but no compressed ones.");
    add(
        brotli_files,
        "Compressed files may be packed with Brotli, which the engine reads but does not write.",
    );
    add(
        cfb_files,
        "Encrypted files are in CFB mode, behind a head with the initialization vector; those of other \
         engines, which are in ECB mode, cannot be opened.",
    );
    add(
        !cfb_files,
        "Encrypted files are in ECB mode; those of Godot 4, which are in CFB mode, cannot be opened.",
    );
    add(
        own_resource_types,
        "Binary resources number the types that came after Godot 3 in a way of their own.",
    );
    add(!utf8_string_length, "A StreamPeer puts a string in UTF-8 without its length in front.");
    add(
        text == TextStyle::Godot4_5,
        "`var_to_str` prints the shortest digits that read back; earlier releases print six.",
    );
    words
}
