//! Compares the text form with the output of the real engines.

use formwork_testkit::Noise;
use formwork_variant::dialect::Family;
use formwork_variant::text::{self, TextForm, from_text, to_text};
use formwork_variant::{Decoder, Dialect, Rule};
use formwork_variant::{FullObject, Object, Variant, VariantString};

use crate::cases::{Case, ENGINES, Engine};

/// Whether the bytes do not hold everything that the engine printed.
fn tells_more_than_the_bytes(engine: &Engine, name: &str) -> bool {
    // Objects that were written as a bare number, the class of an array of such, and the variables
    // of a script that is not there any more.
    name.starts_with("obj_as_id")
        || name.starts_with("obj_scripted")
        || name.starts_with("typed_array_class_") && !name.ends_with("_full")
        || name.starts_with("typed_dict_class_") && !name.ends_with("_full")
        || name.starts_with("packed_typed_array_class_") && !name.ends_with("_full")
        // The encoder of Godot 2 picks wrong subnames.
        || engine.dialect == "godot2" && name.starts_with("nodepath[") && name.matches(':').count() > 1
        // The encoder of Pandemonium loses the fourth component.
        || name.starts_with("vector4is_")
}

/// Returns the text that the engine printed, as bytes.
fn engine_text(case: &Case) -> Option<Vec<u8>> {
    case.text("text").map(|text| text.as_bytes().to_vec()).or_else(|| case.bytes("text_hex"))
}

/// The values that a golden line's text may be printed from.
fn values(engine: &Engine, case: &Case) -> Vec<Variant> {
    let written = case.text("name").is_some();
    let allow = case.flag(if written { "full_objects" } else { "allow_objects" });
    // An object that was read back has properties that its bytes did not have: they are in `reencoded`, in which
    // placeholders have other numbers.
    ["hex", "reencoded"]
        .into_iter()
        .filter_map(|field| case.bytes(field))
        .filter_map(|bytes| {
            let decoder = Decoder::new(engine.dialect()).allow_objects(allow);
            decoder.decode_prefix(&bytes).ok().map(|(value, _)| value)
        })
        .collect()
}

#[test]
fn values_print_as_the_engines_print_them() {
    let mut faults = Vec::new();
    for engine in &ENGINES {
        let mut counts = Vec::new();
        for file in ["values.jsonl", "decode.jsonl"] {
            let (mut same, mut re_encoded, mut left_out) = (0, 0, 0);
            for case in engine.lines(file) {
                let Some(text) = engine_text(&case) else { continue };
                let name = case.text("name").unwrap_or_default();
                let ours: Vec<_> = values(engine, &case)
                    .iter()
                    .map(|value| to_text(value, engine.dialect()))
                    .collect();
                if ours.first().is_some_and(|ours| ours.as_bytes() == text) {
                    same += 1;
                } else if ours.iter().any(|ours| ours.as_bytes() == text) {
                    // In some cases this crate reads another value than the engine does: the value that the engine
                    // read is printed in the same way.
                    re_encoded += 1;
                } else if case.flag("text_volatile") || tells_more_than_the_bytes(engine, name) {
                    left_out += 1;
                } else {
                    let label = case.text("name").or(case.text("kind")).unwrap_or_default();
                    let theirs = String::from_utf8_lossy(&text).into_owned();
                    faults.push(format!("{} {label}\n  {theirs:?}\n  {ours:?}", engine.name));
                }
            }
            counts.push(format!(
                "{same} of {file} ({re_encoded} of what the engine read instead, {left_out} not in \
                 the bytes)"
            ));
        }
        println!("{}: {}", engine.name, counts.join(", "));
    }
    for fault in &faults {
        println!("{}", fault.chars().take(1000).collect::<String>());
    }
    assert!(faults.is_empty(), "{} texts differ", faults.len());
}

/// Returns whether a text has a place where the engine prints nothing for a value.
fn has_hole(text: &str) -> bool {
    let blank = |line: &str| line.starts_with(": ") || line.ends_with(": ") || line.contains(": ,");
    text.is_empty()
        || text.contains("InputEvent()")
        || ["[ ,", ", ,", " , )", "  ]"].iter().any(|hole| text.contains(hole))
        || text.lines().any(blank)
}

/// Whether even the engine reads something else than it printed.
fn changes_when_read(text: &str) -> bool {
    let odd_path = ["//", "::", ":\")", "/\")"].iter().any(|odd| text.contains(odd));
    text.contains("NodePath(") && odd_path && text != "NodePath(\"/\")"
        // The letters of these escapes are read as themselves.
        || text.contains("\\a")
        || text.contains("\\v")
        // Null and no object are two keys, and printed alike.
        || text.matches("\nnull: ").count() > 1
}

/// Returns the lines in sorted order: keys that the engine does not order are printed in the order in which they
/// were added to the dictionary.
fn sorted_lines(text: &VariantString) -> Vec<String> {
    let text = text.to_string_lossy().into_owned();
    let mut lines: Vec<_> =
        text.lines().map(|line| line.trim_end_matches(',').to_owned()).collect();
    lines.sort_unstable();
    lines
}

#[test]
fn texts_of_the_engines_read_and_print_again() {
    let mut faults = Vec::new();
    for engine in &ENGINES {
        let (mut same, mut other_order, mut holes, mut changed) = (0, 0, 0, 0);
        for case in ["values.jsonl", "decode.jsonl"].into_iter().flat_map(|file| engine.lines(file))
        {
            let Some(bytes) = engine_text(&case) else { continue };
            let text = match String::from_utf8(bytes) {
                Ok(text) => VariantString::from(text),
                Err(error) => VariantString::from_numbers(numbers(error.as_bytes())),
            };
            let lossy = text.to_string_lossy();
            match from_text(&text, engine.dialect()) {
                Ok(value) => {
                    let ours = to_text(&value, engine.dialect());
                    if ours == text {
                        same += 1;
                    } else if changes_when_read(&lossy) {
                        changed += 1;
                    } else if sorted_lines(&ours) == sorted_lines(&text) {
                        other_order += 1;
                    } else {
                        faults.push(format!("{}\n  {text:?}\n  {ours:?}", engine.name));
                    }
                }
                Err(error) if has_hole(&lossy) => {
                    assert_eq!(error.rule(), text::rule::SYNTAX);
                    holes += 1;
                }
                Err(error) => faults.push(format!("{}\n  {text:?}\n  {error}", engine.name)),
            }
        }
        println!(
            "{}: {same} texts come back, {other_order} with keys in another order, \
             {holes} have holes, {changed} are read otherwise",
            engine.name
        );
    }
    for fault in &faults {
        println!("{}", fault.chars().take(1000).collect::<String>());
    }
    assert!(faults.is_empty(), "{} texts differ", faults.len());
}

/// The characters of UTF-8 in its original, six-byte definition.
fn numbers(bytes: &[u8]) -> Vec<u32> {
    let mut numbers: Vec<u32> = Vec::new();
    for &byte in bytes {
        match (byte.leading_ones(), numbers.last_mut()) {
            (0, _) => numbers.push(byte.into()),
            (1, Some(last)) => *last = *last << 6 | u32::from(byte & 0x3f),
            (ones, _) => numbers.push(u32::from(byte) & (0x7f >> ones)),
        }
    }
    numbers
}

/// On a thread with as little stack as a program may give one.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(work);
    thread.expect("a thread starts").join().expect("the work is done");
}

/// `depth` containers around an int, of one kind or all in turn.
fn nested(depth: usize, kinds: &[usize]) -> Variant {
    let mut value = Variant::Int(0);
    for at in 0..depth {
        value = match kinds[at % kinds.len()] {
            0 => Variant::Array(vec![value].into()),
            1 => Variant::Dictionary(vec![(Variant::Int(0), value)].into()),
            2 => Variant::Dictionary(vec![(value, Variant::Int(0))].into()),
            _ => Variant::Object(Object::Full(Box::new(FullObject {
                class: "Node".into(),
                properties: vec![("p".into(), value)],
            }))),
        };
    }
    value
}

#[test]
fn deep_values_print_and_read_on_a_small_stack() {
    on_a_small_stack(|| {
        for kinds in [&[0][..], &[1], &[2], &[3], &[0, 1, 2], &[0, 3], &[1, 3, 2]] {
            let value = nested(4096, kinds);
            for dialect in Dialect::all() {
                if kinds.contains(&3) && dialect.family() == Family::Godot2 {
                    // Godot 2 prints no objects.
                    continue;
                }
                let text = to_text(&value, dialect);
                let limited = dialect.quirks().depth.is_some();
                assert_eq!(limited, text.as_bytes().len() < 4096, "{dialect}");
                let read = from_text(&text, dialect).expect("it is within the limit");
                assert_eq!(to_text(&read, dialect), text, "{dialect}");
            }
        }
    });
}

#[test]
fn the_depth_limit_is_the_engines() {
    on_a_small_stack(|| {
        for dialect in Dialect::all() {
            let limit = dialect.quirks().depth.unwrap_or(4096) as usize;
            let nest = |depth: usize| "[".repeat(depth) + "0" + &"]".repeat(depth);
            assert!(from_text(&nest(limit).into(), dialect).is_ok());
            let error = from_text(&nest(limit + 1).into(), dialect).expect_err("too deep");
            assert_eq!(error.rule(), Rule::DEPTH_LIMIT);
            assert_eq!(error.offset(), limit as u64 + 1);
            assert_eq!(error.path().steps().len(), 2 * (limit + 1));
            for deep in ["[", "{", "{0:", "{[", "[{0:"] {
                let error = from_text(&deep.repeat(100_000).into(), dialect);
                assert!(error.is_err(), "{deep}");
            }
        }
    });
}

#[test]
fn deep_keys_are_compared_on_a_small_stack() {
    on_a_small_stack(|| {
        // Before Godot 4 two dictionaries are two keys, whatever their contents.
        for (open, close, old) in [("[", "]", 12), ("{0:", "}", 13), ("{", ":0}", 13)] {
            for (depth, dialect, keys) in
                [(4000, Dialect::GODOT2, old), (1000, Dialect::GODOT4, 12)]
            {
                let key =
                    |inner: usize| open.repeat(depth) + &inner.to_string() + &close.repeat(depth);
                // More than a few keys, so that they are hashed too.
                let pairs: String = (0..12).map(|at| format!("{}: {at},", key(at))).collect();
                let text = format!("{{{pairs}{}: 0}}", key(11));
                let value = from_text(&text.into(), dialect).expect("within the limit");
                assert_eq!(value.as_dictionary().map(|dictionary| dictionary.len()), Some(keys));
                for dialect in Dialect::all() {
                    let _ = to_text(&value, dialect);
                }
            }
        }
    });
}

#[test]
fn faults_are_told_with_their_place() {
    for (text, dialect, rule, offset, path) in [
        ("", "godot4", text::rule::SYNTAX, 0, ""),
        ("[1, 2", "godot4", text::rule::SYNTAX, 5, "array[2]"),
        ("[1 2]", "godot4", text::rule::SYNTAX, 3, "array[1]"),
        ("{\"a\": [1, ]]}", "godot4", text::rule::SYNTAX, 11, "dictionary[1].key"),
        ("{\"a\" 1}", "godot4", text::rule::SYNTAX, 5, "dictionary[0].value"),
        ("[ , 1 ]", "godot3", text::rule::SYNTAX, 2, "array[0]"),
        ("Vector2(1)", "godot4", text::rule::SYNTAX, 7, ""),
        ("Vector2(1, x)", "godot4", text::rule::SYNTAX, 11, ""),
        ("Vector2i(1, 2)", "godot3", text::rule::SYNTAX, 0, ""),
        ("\"abc", "godot4", text::rule::SYNTAX, 4, ""),
        ("\"\\ud83d\"", "godot4", text::rule::SYNTAX, 1, ""),
        ("\"\\u12x\"", "godot4", text::rule::SYNTAX, 5, ""),
        ("1 2", "godot4", Rule::INPUT_TRAILING, 2, ""),
        ("Object(Node,\"a\":)", "godot4", text::rule::SYNTAX, 16, "object.properties[0]"),
        ("PoolByteArray( \"a\" )", "pandemonium", text::rule::SYNTAX, 17, ""),
        ("-", "godot4", text::rule::SYNTAX, 0, ""),
        ("#12345", "godot4", text::rule::SYNTAX, 1, ""),
        ("Resource(\"res://a.png\")", "godot4", text::rule::SYNTAX, 0, ""),
        ("InputEvent()", "godot2", text::rule::SYNTAX, 11, ""),
        ("@\"a\"", "godot3", text::rule::SYNTAX, 0, ""),
        ("&\"a\"", "pandemonium", text::rule::SYNTAX, 0, ""),
    ] {
        let dialect: Dialect = dialect.parse().expect("a dialect");
        let error = from_text(&text.into(), dialect).expect_err(text);
        let found = (error.rule(), error.offset(), error.path().to_string());
        assert_eq!(found, (rule, offset, path.to_owned()), "{text}: {error}");
    }
}

#[test]
fn what_the_parsers_accept_besides_what_is_printed() {
    for (text, dialect, same) in [
        (" ; a comment\n[1,2,] ; and one more", "godot4", "[1, 2]"),
        ("{1:2,}", "godot4", "{\n1: 2\n}"),
        ("{1:2, 1:3}", "godot4", "{\n1: 3\n}"),
        ("nil", "godot4", "null"),
        ("-inf", "godot4", "inf_neg"),
        ("-5", "godot4", "-5"),
        ("1e5", "godot4", "100000.0"),
        ("1E5", "godot4", "100000.0"),
        ("9223372036854775808", "godot4", "9223372036854775807"),
        ("-9223372036854775809", "godot4", "-9223372036854775808"),
        ("4294967297", "godot2", "1"),
        ("-2147483648", "godot2", "-2147483648"),
        ("#ff000080", "godot4", "Color(1, 0, 0, 0.5019608)"),
        ("#80ff0000", "godot3", "Color( 1, 0, 0, 0.501961 )"),
        ("#f00", "godot4", "Color(1, 0, 0, 1)"),
        ("Matrix32(1,2,3,4,5,6)", "godot4", "Transform2D(1, 2, 3, 4, 5, 6)"),
        ("PackedInt64Array(1, 2)", "godot3", "PoolIntArray( 1, 2 )"),
        ("PoolStringArray(\"a\", )", "godot4", "PackedStringArray(\"a\")"),
        ("PackedByteArray(\"AQID\")", "godot4", "PackedByteArray(1, 2, 3)"),
        ("PackedByteArray(256, -1)", "godot4", "PackedByteArray(0, 255)"),
        ("PackedVector2Array(1, 2, 3)", "godot4", "PackedVector2Array(1, 2)"),
        ("@\"a\"", "godot4", "&\"a\""),
        ("\"\\ud83d\\ude00\\U01f600\\q\"", "godot4", "\"\u{1f600}\u{1f600}q\""),
        ("\"\\ud83dx\"", "godot3", "\" x\""),
        ("Array[ int ]([1])", "godot4", "Array[int]([1])"),
        ("RID(-1)", "godot4", "RID(-1)"),
        ("Object(Node,)", "godot4", "Object(Node,)\n"),
        // As Godot 4.8 prints objects.
        (
            "Object(InputEventKey,\n\"device\": 0,\n\"pressed\": false\n)\n",
            "godot4",
            "Object(InputEventKey,\"device\":0,\"pressed\":false)\n",
        ),
        ("inf.0", "godot2", "inf.0"),
        ("Vector2( -inf, nan )", "godot3.2", "Vector2( -inf, nan )"),
        ("-nan.0", "godot3.2", "-nan.0"),
        ("InputEvent(KEY,65,sc)", "godot2", "InputEvent(KEY,65,SC)"),
        (
            "Array[Resource(\"uid://x\", \"res://a.gd\")]([])",
            "godot4",
            "Array[Resource(\"res://a.gd\")]([])",
        ),
    ] {
        let dialect: Dialect = dialect.parse().expect("a dialect");
        let value = from_text(&text.into(), dialect).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(to_text(&value, dialect), same, "{text}");
    }
}

#[test]
fn the_order_of_keys() {
    let value = "{&\"B\": 2, \"D\": 4, \"A\": 1, &\"C\": 3}".parse::<Variant>().expect("a value");
    assert_eq!(value.to_string(), "{\n\"A\": 1,\n&\"B\": 2,\n&\"C\": 3,\n\"D\": 4\n}");
    let old: Dialect = "godot4.3".parse().expect("a dialect");
    let printed = value.display(old).to_string();
    assert_eq!(printed, "{\n\"A\": 1,\n\"D\": 4,\n&\"B\": 2,\n&\"C\": 3\n}");
}

#[test]
fn large_texts_take_linear_time() {
    let dialect = Dialect::GODOT4;
    let many = formwork_testkit::rounds(60_000, 300_000);
    let texts = [
        format!("[{}]", "0,".repeat(many)),
        format!("PackedInt32Array({}0)", "0,".repeat(many)),
        format!("\"{}\"", "\\n".repeat(many)),
        format!("\"{}\"", "x\\".repeat(many)),
        format!("{{{}}}", (0..many).map(|at| format!("{at}:0,")).collect::<String>()),
        format!(
            "{{{}}}",
            (0..many).rev().map(|at| format!("[{at},{}]:0,", many - at)).collect::<String>()
        ),
        ";\n".repeat(many),
        "9".repeat(many),
        format!("0.{}", "9".repeat(many)),
        format!("Object(Node,{})", "\"a\":0,".repeat(many)),
        format!("Array[{}", "x".repeat(many)),
        format!("[{}", "Array[".repeat(many)),
    ];
    let ((), cost) = formwork_testkit::cost(|| {
        for text in texts {
            for dialect in [dialect, Dialect::GODOT3] {
                if let Ok(value) = from_text(&text.as_str().into(), dialect) {
                    let _ = to_text(&value, dialect);
                }
            }
        }
    });
    assert!(cost.as_secs() < 60, "{cost:?}");
}

#[test]
fn mutilated_texts_never_panic() {
    let seeds = [
        "{\n\"a\": [1, -2.5e+10, Vector2(1, inf_neg)],\n&\"b\": Array[int]([1])\n}",
        "Object(Node,\"x\":PackedByteArray(\"AQID\"),\"y\":NodePath(\"/a:b\"))",
        "[ TypedArray( int , 1 ), Image( 1, 1, 0, RGB, 1, 2, 3 ), InputEvent(KEY,65,S) ]",
        "\"\\ud83d\\ude00\\U01f600 \u{e9}\u{1f600}\" #ff0000 -nan.0 RID(7)",
    ];
    let mut noise = Noise::new(1);
    let mut next = |below| noise.below(below);
    let pieces =
        ["(", ")", "[", "]", "{", "}", ",", ":", "\"", "\\", "\\u", "-", ".", "e", "#", "\0", "9"];
    for _ in 0..20_000 {
        let mut numbers: Vec<u32> = seeds[next(seeds.len())].chars().map(u32::from).collect();
        for _ in 0..=next(4) {
            let at = next(numbers.len() + 1);
            match next(4) {
                0 => numbers.truncate(at),
                1 if at < numbers.len() => drop(numbers.remove(at)),
                2 => numbers.insert(at, next(0x7fff_ffff) as u32),
                _ => {
                    let piece = pieces[next(pieces.len())].chars().map(u32::from);
                    numbers.splice(at..at, piece);
                }
            }
        }
        let text = VariantString::from_numbers(numbers);
        for engine in &ENGINES {
            let dialect = engine.dialect();
            if let Ok(value) = TextForm::new(dialect).double().read(&text) {
                let _ = to_text(&value, dialect);
            }
        }
    }
}

/// As the engines' builds for x86-64 convert them.
#[test]
fn floats_beyond_whole_numbers_become_the_least_one() {
    let read = |text: &str| from_text(&text.into(), Dialect::GODOT4).map(|it| it.to_string());
    let least = "-2147483648";
    for number in ["3e9", "-3e9", "1e30", "nan", "inf"] {
        let expected = format!("PackedInt32Array({least}, 7)");
        assert_eq!(read(&format!("PackedInt32Array({number}, 7.9)")), Ok(expected), "{number}");
        assert_eq!(read(&format!("Vector2i({number}, 1)")), Ok(format!("Vector2i({least}, 1)")));
        let text = format!("PackedByteArray({number}, 300.0)");
        let bytes = from_text(&text.as_str().into(), Dialect::GODOT4);
        assert_eq!(bytes, Ok(Variant::PackedByteArray(vec![0, 44])), "{number}");
    }
    let long = "PackedInt64Array(3000000000, -9223372036854775808, -9223372036854775808)";
    assert_eq!(read("PackedInt64Array(3e9, 1e30, nan)"), Ok(long.to_owned()));
    // Of a whole number the lower bits stay.
    assert_eq!(
        read("PackedInt32Array(3000000000)"),
        Ok("PackedInt32Array(-1294967296)".to_owned())
    );
}
