//! Filters on a value of many types: what they give, and that none ends the program.

use std::path::Path;

use formwork::document::Json;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::filter::{Feed, Filter};
use super::stack::with_stack;
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
    "list": {"$Array": [1, 2], "element": "int"},
    "node": {"$Object": {"class": "Node", "properties": [["name", "a"], ["hp", 5]]}},
    "none": {"$Rid": 7}
}"#;

fn rich() -> Value {
    Value::from(Json::read(RICH.as_bytes()).expect("it is JSON"))
}

/// Runs a filter on the rich value; what it gives, at most so many values.
fn run(code: &str, most: usize) -> Result<Vec<String>, Failure> {
    let variables = Variables::default().all(Path::new("rich.save"))?;
    let (mut made, mut stopped) = (Vec::new(), false);
    let ended = Filter::new(code, variables)?.run(vec![rich()], Feed::Each, |value| {
        made.push(value.to_string());
        stopped = made.len() == most;
        if stopped { Err(Failure::unread()) } else { Ok(()) }
    });
    if stopped { Ok(made) } else { ended.map(|()| made) }
}

fn gives(code: &str) -> String {
    let made = with_stack(|| run(code, 100)).expect("a thread can be started");
    made.unwrap_or_else(|failure| panic!("{code}: {failure:?}")).join(" ")
}

/// What jq and jaq agree about.
#[test]
fn filters_give_what_jq_gives() {
    for (filter, expected) in [
        ("[]|join(\",\")", r#""""#),
        ("[1,2,3]|pick(.[2],.[0])?", ""),
        ("{\"a\":1,\"b\":2}|pick(.a)", r#"{"a":1}"#),
        ("[1,[2,[3]]]|flatten, flatten(1), flatten(0)", "[1,2,3] [1,2,[3]] [1,[2,[3]]]"),
        ("null[1:2], [1,2]|reverse?", "[2,1]"),
        ("[1]|.[3]=5", "[1,null,null,5]"),
        ("null|.a.b[1]=5", r#"{"a":{"b":[null,5]}}"#),
        ("[0,1,2,3]|.[1:3]=[9], .[:1]=[], (.[2:] |= map(. * 2))", "[0,9,3] [1,2,3] [0,1,4,6]"),
        ("[limit(2;1,2,3)], [limit(0;1)], nth(1;1,2)", "[1,2] [] 2"),
        ("{c:1,a:2,b:3}|del(.c)", r#"{"a":2,"b":3}"#),
        ("try input catch .", "\"No more inputs\""),
        ("try (1 / 0) catch \"no\", try (5 % 0.0) catch \"no\"", r#""no" "no""#),
        ("\"abcab\"|indices(\"ab\"), index(\"b\"), rindex(\"b\")", "[0,3] 1 4"),
        ("[1,2,1]|indices(1), indices([2,1]), bsearch(1)?", "[0,2] [1] 0"),
        ("[1,2]|contains([2]), has(1), has(2)", "true true false"),
        ("{a:{b:\"xyz\"}}|contains({a:{b:\"y\"}}), contains({c:1})", "true false"),
        ("-5, null, \"Ü\", [1], {a:1} | length", "5 0 1 1 1"),
        ("{a:null,b:[null,1],c:{}} | fromstream(tostream)", r#"{"a":null,"b":[null,1],"c":{}}"#),
        ("[{id:1,x:null},null]|INDEX(.id)", r#"{"1":{"id":1,"x":null},"null":null}"#),
        (
            "({}|setpath([\"a\"];null)), ([1]|setpath([1];null)), ({a:{}}|setpath([\"a\",\"b\"];null))",
            r#"{"a":null} [1,null] {"a":{"b":null}}"#,
        ),
        (
            "{a:[1,2]}|setpath([\"a\",0];9), setpath([\"a\",{start:1}];[7,8])",
            r#"{"a":[9,2]} {"a":[1,7,8]}"#,
        ),
    ] {
        assert_eq!(gives(filter), expected, "{filter}");
    }
}

#[test]
fn values_keep_what_their_types_hold() {
    for (filter, expected) in [
        (".big, .big + 1", "9007199254740993 9007199254740994"),
        (
            ".least, -.least, .least - 1",
            "-9223372036854775808 9223372036854775808 -9223372036854775809",
        ),
        ("18446744073709551615, 1.50, 1e3, -0", "18446744073709551615 1.50 1e3 0"),
        (".nan, .inf, .minus", r#"{"$float":"nan"} {"$float":"-inf"} {"$float":"-0"}"#),
        ("nan, infinite, -infinite", r#"{"$float":"nan"} {"$float":"inf"} {"$float":"-inf"}"#),
        (".whole, .whole + 1, .gold / 4, .gold / 3 * 3", "11.0 12.0 25.0 100.0"),
        (".position.x, .position[1], .position.x == 0.1", "0.1 4.0 true"),
        (".floats[0], [.floats[] * 2]", "0.1 [0.2,3.0]"),
        (".floats[0] = 7 | .floats", r#"{"$PackedFloat32Array":[7,1.5]}"#),
        (".position.x = 5 | .position", r#"{"$Vector2":[5,4.0]}"#),
        ("(.position | x, y) = 5 | .position", r#"{"$Vector2":[5,5]}"#),
        (".position |= (x += 1 | y -= 1) | .position", r#"{"$Vector2":[1.1,3.0]}"#),
        (".position | map_values(. * 2), [items[]]", r#"{"$Vector2":[0.2,8.0]} [0.1,4.0]"#),
        (
            ".box.size, (.box.position.y = 9 | .box), (.box.size = [5, 6] | .box)",
            r#"{"$Vector2":[3.0,4.0]} {"$Rect2":[1.0,9,3.0,4.0]} {"$Rect2":[1.0,2.0,5,6]}"#,
        ),
        (
            ".points[1].y, (.points[1].y |= . + 1 | .points), (.points[-1] = [7, 8] | .points)",
            r#"4.0 {"$PackedVector2Array":[1.0,2.0,3.0,5.0]} {"$PackedVector2Array":[1.0,2.0,7,8]}"#,
        ),
        (
            "[.points[].x], (.points | length, map_values(.x += 1))",
            r#"[1.0,3.0] 2 {"$PackedVector2Array":[2.0,2.0,4.0,4.0]}"#,
        ),
        (
            "[.points | reverse, .[1:], .[:1], (sort_by(-.x) | first), max_by(.y)] | map(tojson) | unique[]",
            r#""[{\"$Vector2\":[1.0,2.0]}]" "[{\"$Vector2\":[3.0,4.0]},{\"$Vector2\":[1.0,2.0]}]" "[{\"$Vector2\":[3.0,4.0]}]" "{\"$Vector2\":[3.0,4.0]}""#,
        ),
        ("[.bytes, .id, .way, .texts, .points | length]", "[4,4,9,2,2]"),
        (".longs | map(. == .), .[1:]", "[true,true] [-9223372036854775808]"),
        (
            "{\"$dictionary\":[[1,\"int\"],[1.0,\"float\"],[{\"$StringName\":\"k\"},2]]} | .[1], .[1.0], .k, (.k = 3 | .k), (.[1.0] = 0 | .[1])",
            "\"int\" \"float\" 2 3 \"int\"",
        ),
        (
            "{\"$Transform3D\":[1.0,0.0,0.0,0.0,1.0,0.0,0.0,0.0,1.0,7.0,8.0,9.0]} | .basis.y, (.basis.x.y = 3 | .basis.x)",
            r#"{"$Vector3":[0.0,1.0,0.0]} {"$Vector3":[1.0,3,0.0]}"#,
        ),
        (".cells[3], .cells[3.5], .cells[null], .cells[4]", "\"three\" \"more\" 0 null"),
        (".cells[[1, 2] | of_type(\"Vector2\")], (.cells | entry(3))", "\"there\" \"three\""),
        (
            ".cells | (keys | length), length, has(3), has(\"3\"), [.[]][1]",
            "4 4 true false \"more\"",
        ),
        ("del(.cells[3]) | .cells | length, ([entries.key][0])", "3 3.5"),
        (
            ".cells[3] |= \"x\" | .cells[9] = 1 | .cells | .[\"$dictionary\"][0, 4]",
            "[3,\"x\"] [9,1]",
        ),
        (".list[1], .list[], (.list[0] = 7 | .list)", r#"2 1 2 {"$Array":[7,2],"element":"int"}"#),
        (".node.hp, (.node.hp = 6 | .node.hp), (.node | keys)", r#"5 6 ["hp","name"]"#),
        (
            "[.gold, .whole, .position, .bytes, .texts, .bag, .cells, .none] | map(type_name)",
            r#"["int","float","Vector2","PackedByteArray","PackedStringArray","Array","Dictionary","Rid"]"#,
        ),
        (
            "[.gold, .position, .bag, .cells, .pet, .alive, .name] | map(type)",
            r#"["number","object","array","object","null","boolean","string"]"#,
        ),
        (
            "3.0 | of_type(\"int\"), (3 | of_type(\"float\")), ([1] | of_type(\"PackedByteArray\"))",
            r#"3 3.0 {"$PackedByteArray":[1]}"#,
        ),
        ("[.. | numbers] | length > 30", "true"),
        ("walk(.) == ., (map_values(.) == .)", "true true"),
        ("path(.position.x), getpath([\"box\", \"size\", \"x\"])", r#"["position","x"] 3.0"#),
        (".position.q, .gold.q?, .position.q?", "null null"),
        (".bag[0] | tojson | fromjson", r#"{"n":"rope","w":2}"#),
        ("[1e300, 1.5, -2.5] | map(floor) | .[1:]", "[1,-3]"),
        ("[3, null, \"a\", true, 1.5, [], {}] | sort", "[null,true,1.5,3,\"a\",[],{}]"),
        ("try error(\"no\") catch .", "\"no\""),
        ("[paths(type == \"boolean\")]", "[[\"alive\"]]"),
    ] {
        assert_eq!(gives(filter), expected, "{filter}");
    }
}

#[test]
fn a_null_is_put_where_no_value_is_and_what_is_passed_over_is_not() {
    for (filter, expected) in [
        ("{} | .new = null", r#"{"new":null}"#),
        ("{} | .a.b = null", r#"{"a":{"b":null}}"#),
        ("[1] | .[1] = null | .[3] = null", "[1,null,null,null]"),
        (
            "{a: null, b: 1, c: [null]} | reduce to_entries[] as $e ({}; .[$e.key] = $e.value)",
            r#"{"a":null,"b":1,"c":[null]}"#,
        ),
        ("{a: 1} | .a = null", r#"{"a":null}"#),
        ("{} | .a += null", r#"{"a":null}"#),
        ("{} | setpath([\"a\", 1]; null)", r#"{"a":[null,null]}"#),
        (".cells[7] = null | .cells | length, has(7)", "5 true"),
        ("{} | (.a | select(. != null)) |= 5", "{}"),
        ("{} | .a.b |= empty", "{}"),
        ("{} | (.a.b | select(. != null)) |= 5", "{}"),
        ("{b: 1} | (.a, .b | select(. != null)) += 5", r#"{"b":6}"#),
    ] {
        assert_eq!(gives(filter), expected, "{filter}");
    }
}

#[test]
fn lists_and_entries_keep_the_type_of_the_engine() {
    for (filter, expected) in [
        (r#".texts += ["c"] | .texts"#, r#"{"$PackedStringArray":["a","b","c"]}"#),
        (".list += [3] | .list -= [1] | .list", r#"{"$Array":[2,3],"element":"int"}"#),
        (".points += [[5, 6]] | .points", r#"{"$PackedVector2Array":[1.0,2.0,3.0,4.0,5,6]}"#),
        (".points |= . + .[:1] | .points | length", "3"),
        (".points -= .points[:1] | .points", r#"{"$PackedVector2Array":[3.0,4.0]}"#),
        (".floats + .floats | length, tag", r#"4 "$PackedFloat32Array""#),
        (".texts[1:] = [\"x\", \"y\"] | .texts", r#"{"$PackedStringArray":["a","x","y"]}"#),
        (
            ".cells | with_entries(.value |= 1)",
            r#"{"$dictionary":[[3,1],[3.5,1],[{"$Vector2":[1.0,2.0]},1],[null,1]]}"#,
        ),
        (
            ".cells | with_entries(select(.key == 3) | .key = \"three\")",
            r#"{"$dictionary":[["three","three"]]}"#,
        ),
        (
            ".node | with_entries(.value |= tostring)",
            r#"{"$Object":{"class":"Node","properties":[["name","a"],["hp","5"]]}}"#,
        ),
        ("{a: 1} | with_entries(.key |= ascii_upcase)", r#"{"A":1}"#),
    ] {
        assert_eq!(gives(filter), expected, "{filter}");
    }
}

#[test]
fn what_would_be_no_json_or_too_large_is_refused() {
    for (filter, expected) in [
        ("{b: 2} | .[3] = 1", "cannot index"),
        ("[{key: 1, value: 2}] | from_entries", "key of an object"),
        ("{} | .[5]", "cannot index"),
        (".box.size = [1]", "expected 2 numbers"),
        ("\"ab\" * 1e12", "too large"),
        ("reduce range(40) as $i (2; . * .)", "too large"),
        ("[] | .[70000] = 1", "no such place"),
        (".position * 2", "cannot calculate"),
        ("\"[\" * 100000 | fromjson", "no JSON"),
    ] {
        let failure = with_stack(|| run(filter, 9)).expect("no panic").expect_err(filter);
        assert!(format!("{failure:?}").contains(expected), "{filter}: {failure:?}");
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
        "reduce range(30) as $i ([1]; . as $all | (.. | scalars) |= $all)",
        "reduce range(100000) as $i (null; [.][0:1])",
        "{a: 1} | walk([.]) | walk([.]) | [recurse([.]; true)]",
        "{a: {def: 1}} | def g: def f: [g]; f; g",
    ] {
        let ended = with_stack(|| run(filter, 10).map(drop)).expect("the thread ends");
        assert!(ended.is_err(), "{filter}");
    }
    let brackets = "[".repeat(20_000);
    let ended = with_stack(|| run(&brackets, 10).map(drop)).expect("the thread ends");
    assert!(ended.is_err());
    let nested = format!("{}1{}", "[".repeat(1000), "]".repeat(1000));
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
        ".box.size",
        ".points[]",
        ".node.hp",
        ".list",
        "items",
        "x",
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
    let filters: Vec<_> = (0..formwork_testkit::rounds(500, 4000))
        .map(|number| filter(&mut random, 1 + number % 2))
        .collect();
    let ended = with_stack(|| {
        let tried = filters.iter().map(|filter| (filter, run(filter, 30).is_ok()));
        tried.filter(|(_, is_ok)| *is_ok).count()
    });
    let good = ended.expect("no filter panics");
    assert!(good > formwork_testkit::rounds(60, 500), "{good}");
}

#[test]
fn definitions_of_jq_are_there() {
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
            r#""abcab" | ltrimstr("ab"), rtrimstr("ab"), test("C"; "i"), sub("b"; "-")"#,
            r#""cab" "abc" true "a-cab""#,
        ),
        ("[leaf_paths] | length > 20", "true"),
        ("0 | todate, gmtime[0]", r#""1970-01-01T00:00:00Z" 1970"#),
        (r#"$ENV | type"#, r#""object""#),
        ("$ARGS", r#"{"positional":[],"named":{}}"#),
    ] {
        assert_eq!(gives(filter), expected, "{filter}");
    }
}
