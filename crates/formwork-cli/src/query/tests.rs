//! Filters on a value of many types: what they give, and that none ends the program.

use std::path::Path;

use formwork_variant::Dialect;
use formwork_variant::json::{Json, Style, to_json};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::guard::with_stack;
use super::run::{Feed, Filter};
use super::value::Value;
use super::variables::Variables;
use crate::failure::Failure;

const RICH: &str = r#"{
    "gold": 100, "big": 9007199254740993, "least": -9223372036854775808, "hp": 72.5, "whole": 11.0,
    "nan": {"$float": "nan"}, "inf": {"$float": "-inf"}, "minus": {"$float": "-0"}, "alive": true, "pet": null,
    "name": "Ada Ü", "id": {"$StringName": "hero"}, "way": {"$NodePath": "/root/a:b"},
    "position": {"$Vector2": [0.1, 4.0]}, "cell": {"$Vector2i": [3, 4]}, "box": {"$Rect2": [1.0, 2.0, 3.0, 4.0]},
    "color": {"$Color": [0.2, 0.4, 0.6, 1.0]}, "turn": {"$Basis": [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]},
    "bytes": {"$PackedByteArray": "AQIDBA=="}, "longs": {"$PackedInt64Array": [1, -9223372036854775808]},
    "floats": {"$PackedFloat32Array": [0.1, 1.5]}, "points": {"$PackedVector2Array": [1.0, 2.0, 3.0, 4.0]},
    "texts": {"$PackedStringArray": ["a", "b"]}, "bag": [{"n": "rope", "w": 2}, {"n": "lamp", "w": 1.5}, [], {}],
    "cells": {"$dictionary": [[3, "three"], [3.5, "more"], [{"$Vector2": [1.0, 2.0]}, "there"], [null, 0]]},
    "none": {"$Rid": 7}
}"#;

fn rich() -> Value<f32> {
    let value = Json::lossless(Dialect::GODOT4).read(RICH.as_bytes()).expect("it is in the form");
    Value::of(&value, Dialect::GODOT4).expect("it is not deep")
}

/// The variables that every filter knows.
fn variables() -> Result<Vec<(String, Value<f32>)>, Failure> {
    Variables::default().all(Path::new("rich.save"), Some(Dialect::GODOT4))
}

/// Runs a filter on the rich value; what it gives, at most so many values.
fn run(code: &str, most: usize) -> Result<Vec<String>, Failure> {
    let filter = Filter::<f32>::new(code, variables()?, Some(Dialect::GODOT4))?;
    let mut made = Vec::new();
    let mut stopped = false;
    let ended = filter.run(vec![rich()], Feed::Each, |value| {
        made.push(to_json(&value.to_variant(Dialect::GODOT4), Dialect::GODOT4, Style::Compact));
        stopped = made.len() == most;
        if stopped { Err(Failure::unread()) } else { Ok(()) }
    });
    if stopped { Ok(made) } else { ended.map(|()| made) }
}

fn gives(code: &str) -> String {
    let made = with_stack(|| run(code, 100)).expect("a thread can be started");
    made.unwrap_or_else(|failure| panic!("{code}: {failure:?}")).join(" ")
}

/// What jq 1.6 and 1.8 agree about.
#[test]
fn filters_give_what_jq_gives() {
    for (filter, expected) in [
        (r#"["a",null,1,true]|join(" ")"#, r#""a  1 true""#),
        ("[]|join(\",\")", r#""""#),
        ("5.9 % 3.1, -5 % 3, 5.5 % -2", "2 -2 1"),
        ("[1,2,3,4,5]|.[1.2:3.5]", "[2,3,4]"),
        ("[1,2,3]|pick(.[2],.[0])", "[1,null,3]"),
        ("{\"a\":1,\"b\":2}|pick(.a)", r#"{"a":1}"#),
        ("[[1,2],3]|pick(first)", "[[1,2]]"),
        ("{}|flatten", "[]"),
        ("[1,[2,[3]]]|flatten, flatten(1), flatten(0)", "[1,2,3] [1,2,[3]] [1,[2,[3]]]"),
        ("2.5, 3.5|nearbyint", "2.0 4.0"),
        ("5|gamma|. * 1000|floor", "3178"),
        ("null, [1,2], \"ab\"|reverse", r#"[] [2,1] "ba""#),
        ("[1]|.[3]=5", "[1,null,null,5]"),
        ("[limit(2;1,2,3)], [limit(0;1)], nth(1;1,2)", "[1,2] [] 2"),
        ("try (1 / 0) catch \"no\", try (5 % 0.5) catch \"no\"", r#""no" "no""#),
        ("try flatten(-1) catch \"no\", try ([limit(-1;1)]) catch \"no\"", r#""no" "no""#),
        ("try nth(-1;1) catch \"no\", try input catch .", r#""no" "No more inputs""#),
    ] {
        assert_eq!(gives(filter), expected, "{filter}");
    }
}

#[test]
fn values_keep_what_their_types_hold() {
    for (filter, expected) in [
        (".big, .big + 1", "9007199254740993 9007199254740994"),
        (".least, -.least", "-9223372036854775808 9.223372036854776e18"),
        (".nan, .inf, .minus", r#"{"$float":"nan"} {"$float":"-inf"} {"$float":"-0"}"#),
        (".whole, .whole + 1, .gold / 4, .gold / 3 * 3", "11.0 12.0 25 100.0"),
        (".position.x, .position[1], .position.x == 0.1", "0.1 4.0 true"),
        (".floats[0], (.floats | map(. * 2))", "0.1 [0.2,3.0]"),
        (".floats[0] = 7 | .floats", r#"{"$PackedFloat32Array":[7.0,1.5]}"#),
        (".position.x = 5 | .position", r#"{"$Vector2":[5.0,4.0]}"#),
        (
            ".position * 2, .position + .position",
            r#"{"$Vector2":[0.2,8.0]} {"$Vector2":[0.2,8.0]}"#,
        ),
        (
            ".box.size, (.box.position.y = 9 | .box)",
            r#"{"$Vector2":[3.0,4.0]} {"$Rect2":[1.0,9.0,3.0,4.0]}"#,
        ),
        (
            ".points[1].y, (.points[1].y |= . + 1 | .points)",
            r#"4.0 {"$PackedVector2Array":[1.0,2.0,3.0,5.0]}"#,
        ),
        (".bytes[1:3] | ., length", r#"{"$PackedByteArray":"AgM="} 2"#),
        (".longs | map(. == .)", "[true,true]"),
        (".cells[3], .cells[3.5], .cells[null]", "\"three\" \"more\" 0"),
        (".cells[[1, 2] | of_type(\"Vector2\")]", "\"there\""),
        (".cells | keys | length", "4"),
        ("del(.cells[3]) | .cells | length", "3"),
        (".id, (.id | length), .id == \"hero\"", r#"{"$StringName":"hero"} 4 true"#),
        (
            ".way, (.way | tostring), (.way | startswith(\"/root\"))",
            r#"{"$NodePath":"/root/a:b"} "/root/a:b" true"#,
        ),
        (
            "[.gold, .whole, .position, .bytes, .texts, .bag, .cells, .none] | map(type_name)",
            r#"["int","float","Vector2","PackedByteArray","PackedStringArray","Array","Dictionary","RID"]"#,
        ),
        (
            "[.gold, .position, .bytes, .cells, .pet, .alive, .name] | map(type)",
            r#"["number","Vector2","array","object","null","boolean","string"]"#,
        ),
        (".bag | map(.n?) | map(strings)", r#"["rope","lamp"]"#),
        (".bag[0] | tojson | fromjson", r#"{"n":"rope","w":2}"#),
        (".position | tojson | fromjson", r#"{"$Vector2":[0.1,4.0]}"#),
        ("[.nan] | sort, (.[0] == .[0])", r#"[{"$float":"nan"}] false"#),
        (
            "[infinite, -infinite, nan] | map(isinfinite, isnan)",
            "[true,false,true,false,false,true]",
        ),
        ("[1.5, infinite, 0] | map(isnormal)", "[true,false,false]"),
        ("[1e300, 1.5, -2.5] | map(floor, round, ceil)", "[1e300,1e300,1e300,1,2,2,-3,-3,-2]"),
        ("[3, null, \"a\", true, 1.5, [], {}] | sort", "[null,true,1.5,3,\"a\",[],{}]"),
        ("[.bag[0:2][].w] | add, min, max", "3.5 1.5 2"),
        ("[1, 1.0, 2] | unique", "[1,2]"),
        ("first(range(10; 0; -3)), [limit(3; repeat(1))]", "10 [1,1,1]"),
        ("\"a,b\" | split(\",\"), ascii_upcase, test(\"A\"; \"i\")", r#"["a","b"] "A,B" true"#),
        ("[97, 220] | implode", "\"aÜ\""),
        ("try error(\"no\") catch .", "\"no\""),
        ("[.bag[] | select(type == \"object\") | length]", "[2,2,0]"),
        ("reduce .bag[0, 1] as $it (0; . + $it.w)", "3.5"),
        ("[paths(type == \"boolean\")]", "[[\"alive\"]]"),
    ] {
        assert_eq!(gives(filter), expected, "{filter}");
    }
}

#[test]
fn a_filter_without_end_is_stopped_before_the_stack_ends() {
    for filter in [
        "def f: [f]; f",
        "def f: 1 + f; f",
        "def f: .[0] |= f; [0] | f",
        "def f: path(f); f",
        "last(limit(100000; recurse([.])))",
        "reduce range(100000) as $i (.; [.])",
        "reduce range(100000) as $i (.; {a: .}) | tojson",
        "[[]] | until(false; [.])",
    ] {
        let ended = with_stack(|| run(filter, 10).map(drop)).expect("the thread ends");
        assert!(ended.is_err(), "{filter}");
    }
    let brackets = "[".repeat(20_000);
    let ended = with_stack(|| run(&brackets, 10).map(drop)).expect("the thread ends");
    assert!(ended.is_err());
    let nested = format!("{}1{}", "[".repeat(8000), "]".repeat(8000));
    let ended = with_stack(|| run(&nested, 10).map(|made| made[0] == nested)).expect("it ends");
    assert!(ended.expect("it is not too deep"));
}

/// Filters out of small parts, none of which goes on for ever.
fn filter(random: &mut Xoshiro256PlusPlus, depth: u32) -> String {
    const LEAVES: &[&str] = &[
        ".",
        "..",
        ".[]",
        ".[]?",
        ".gold",
        ".bag",
        ".position",
        ".position.x",
        ".bytes",
        ".points[1]",
        ".cells[3]",
        ".none",
        ".nan",
        ".name",
        ".way",
        ".id",
        ".least",
        "null",
        "true",
        "0",
        "-1",
        "1.5",
        "1e300",
        "\"a\"",
        "\"\"",
        "[]",
        "{}",
        "[1,[2]]",
        "{a:1}",
        "{(.name?):.}",
        "keys",
        "length",
        "add",
        "type",
        "type_name",
        "tojson",
        "fromjson",
        "tostring",
        "tonumber",
        "explode",
        "implode",
        "sort",
        "unique",
        "reverse",
        "flatten",
        "min",
        "max",
        "floor",
        "sqrt",
        "not",
        "first",
        "last",
        "to_entries",
        "from_entries",
        "paths",
        "transpose",
        "ascii_downcase",
        "@base64",
        "@base64d",
        "@csv?",
        "@uri",
        "@sh",
        "@html",
        "todate",
        "fromdate",
        "gmtime",
        "mktime",
        "input",
        "[inputs]",
        "any",
        "all",
        "halt",
        "error",
        "empty",
        "splits(\"a\")",
        "test(\"a.\"; \"g\")",
        "ltrimstr(\"a\")",
        "of_type(\"Vector2\")",
        "of_type(\"PackedByteArray\")",
        "of_type(\"int\")",
        ".[0]",
        ".[-1]",
        ".[1:]",
        ".[:-1]",
        ".[\"a\"]",
        ".[null]",
        ".[[0]]",
        ".[{start:1}]",
        "9223372036854775807",
        "-9223372036854775808",
        "range(3)",
        "getpath([\"bag\",0])",
        "tojson|fromjson",
        "significand",
        "frexp",
        "ldexp(.;2)",
        "abs",
        "trim",
        "toarray",
        "combinations?",
        "walk(.)",
        "env|length",
        "now|type",
        "splits(\"\")",
        "ascii",
        "@text",
        "isvalid(.)",
    ];
    let pick = |random: &mut Xoshiro256PlusPlus, count: usize| random.next_u64() as usize % count;
    if depth == 0 {
        return LEAVES[pick(random, LEAVES.len())].to_owned();
    }
    let mut part = || filter(random, depth - 1);
    let (one, other) = (part(), part());
    let forms: &[&dyn Fn() -> String] = &[
        &|| format!("({one}) | ({other})"),
        &|| format!("({one}) + ({other})"),
        &|| format!("({one}) - ({other})"),
        &|| format!("({one}) * ({other})"),
        &|| format!("({one}) / ({other})"),
        &|| format!("({one}) % ({other})"),
        &|| format!("({one}) == ({other}), ({one}) < ({other})"),
        &|| format!("({one}) |= ({other})"),
        &|| format!("({one}) = ({other})"),
        &|| format!("({one}) += ({other})"),
        &|| format!("({one}) //= ({other})"),
        &|| format!("del({one})"),
        &|| format!("[{one}]"),
        &|| format!("[.[]? | {one}]"),
        &|| format!("map({one})"),
        &|| format!("sort_by({one}), group_by({other})"),
        &|| format!("try ({one}) catch ({other})"),
        &|| format!("if {one} then {other} end"),
        &|| format!(". as $x | {one} | . as [$y, {{a: $z}}] | {other}"),
        &|| format!("reduce limit(9; {one}) as $x (.; {other})"),
        &|| format!("[limit(9; {one})] | .[({other})]"),
        &|| format!("path({one})"),
        &|| format!("with_entries({one})"),
        &|| format!("indices({one}), contains({other}), has({other})"),
        &|| format!(".[({one}):({other})]"),
        &|| format!(".[({one})] |= ({other})"),
        &|| format!("def f: {one}; def g(h): h | f; g({other})"),
        &|| format!("\"\\({one})\" | {other}"),
    ];
    forms[pick(random, forms.len())]()
}

#[test]
fn no_filter_ends_the_program() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(16);
    let filters: Vec<_> = (0..3000).map(|number| filter(&mut random, 1 + number % 2)).collect();
    let ended = with_stack(|| {
        let tried = filters.iter().map(|filter| (filter, run(filter, 30).is_ok()));
        tried.filter(|(_, is_ok)| *is_ok).count()
    });
    let good = ended.expect("no filter panics");
    assert!(good > 500, "{good}");
}

#[test]
fn regular_expressions_find_what_jq_finds() {
    for (filter, expected) in [
        (r#""foo bar foo" | test("FOO"), test("FOO"; "i"), test(["FOO", "i"])"#, "false true true"),
        (r#""foo bar foo" | match("foo"; "g") | .offset, .length"#, "0 3 8 3"),
        (
            r#""xyz ünï" | match("(?<n>ün)(x)?") | .offset, .string, .captures[].name, .captures[].offset"#,
            r#"4 "ün" "n" null 4 -1"#,
        ),
        (
            r#""ab" | [match(""; "g").offset], [match("(a)?"; "g").string]"#,
            r#"[0,1,2] ["a","",""]"#,
        ),
        (
            r#""xyzzy-14" | capture("(?<a>[a-z]+)-(?<n>\\d+)(?<more>!)?")"#,
            r#"{"a":"xyzzy","n":"14","more":null}"#,
        ),
        (
            r#""abAB" | [scan("c")], [scan("a"; "i")], [scan("(a)(b)")]"#,
            r#"[] ["a","A"] [["a","b"]]"#,
        ),
        (
            r#""a, b;c" | split(", "), split("[,;] *"; null), [splits("B"; "i")]"#,
            r#"["a","b;c"] ["a","b","c"] ["a, ",";c"]"#,
        ),
        (
            r#""aXbxc" | sub("x"; "-"), gsub("x"; "-"; "i"), gsub("(?<l>[a-z])"; "\(.l)\(.l)")"#,
            r#""aXb-c" "a-b-c" "aaXbbxxcc""#,
        ),
        (
            r#""ab" | [gsub("(?<l>.)"; "1\(.l)", "2\(.l)")], gsub(""; "-"), gsub("$"; "!")"#,
            r#"["1a1b","2a2b"] "-a-b-" "ab!""#,
        ),
        (
            r#""foo bar" | test("foo(?= bar)"), test("(o)\\1"), test("\\p{L}"), test("[[:alpha:]]")"#,
            "true true true true",
        ),
        (
            r#""É٣\n" | test("é"; "i"), test("^\\w\\d$"), test("^..$"; "p"), test("É . \\n"; "x")"#,
            "true true true true",
        ),
        (
            r#""abab" | [match("a|ab"; "gl").string], [match("x*"; "gn").string]"#,
            r#"["ab","ab"] []"#,
        ),
        (r#".id | sub("e"; "E"), test("^hero$")"#, r#""hEro" true"#),
    ] {
        assert_eq!(gives(filter), expected, "{filter}");
    }
    for (filter, expected) in [
        (r#""a" | test("(")"#, "valid regex"),
        (r#""a" | test("a"; "q")"#, "q is not a valid modifier"),
        (r#"3 | test("a")"#, "3 cannot be matched"),
        (r#""a" | sub("a"; 3)"#, "3"),
    ] {
        let failure = with_stack(|| run(filter, 9)).unwrap().expect_err(filter);
        assert!(format!("{failure:?}").contains(expected), "{filter}: {failure:?}");
    }
}

#[test]
fn definitions_of_jq_are_all_there() {
    for (filter, expected) in [
        (
            r#"["a\"b", 1, null, true, "t\tu\\"] | @csv, @tsv"#,
            r#""\"a\"\"b\",1,,true,\"t\tu\\\"" "a\"b\t1\t\ttrue\tt\\tu\\\\""#,
        ),
        ("[.bag[0] | tostream]", r#"[[["n"],"rope"],[["w"],2],[["w"]]]"#),
        ("fromstream(.bag | tostream) == .bag", "true"),
        ("[1 | truncate_stream([[0], 1], [[1, 0], 2], [[1, 0]], [[1]])]", "[[[0],2],[[0]]]"),
        ("[1, 2, 3, 4] | del(.[0, 2]), delpaths([[0], [1], [9]])", "[2,4] [3,4]"),
        (r#"del(.bag[0].n, .none, .missing.x) | .bag[0], has("none")"#, r#"{"w":2} false"#),
        (r#"INDEX(.bag[:2][]; .n) | keys"#, r#"["lamp","rope"]"#),
        (r#"1 | IN(1, 2), IN(3)"#, "true false"),
        (
            r#"[{"name": "a", "value": 1}, {"k": "b", "v": 2}, {"key": false}] | from_entries | length"#,
            "3",
        ),
        (
            r#""abcab" | ltrimstr("ab"), rtrimstr("ab"), trimstr("ab"), ltrimstr(1)"#,
            r#""cab" "abc" "c" "abcab""#,
        ),
        ("[leaf_paths] | length > 20", "true"),
        (r#"$ENV | type"#, r#""object""#),
        ("$ARGS", r#"{"positional":[],"named":{}}"#),
    ] {
        assert_eq!(gives(filter), expected, "{filter}");
    }
}
