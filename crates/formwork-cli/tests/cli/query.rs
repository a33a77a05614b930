//! `query`: filters that read or change files.

use std::fs;
use std::path::{Path, PathBuf};

use snapbox::str;

use crate::cases::formats;
use crate::files::plain_files;
use crate::run::{run, run_with};

/// Returns a new folder for this test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// Makes a file from JSON.
fn made(folder: &Path, json: &str, options: &[&str]) -> String {
    let path = folder.join("made.save").to_str().expect("a plain name").to_owned();
    let arguments = [&["encode", "-", "-o", &path], options].concat();
    run_with(&arguments, json.as_bytes()).with_status(0);
    path
}

fn query(file: &str, filter: &str) -> String {
    run(&["query", file, filter, "-c"]).with_status(0).text().trim_end().to_owned()
}

#[test]
fn the_identity_prints_what_decode_prints_and_changes_no_byte() {
    let folder = folder("query-identity");
    let mut filters = [".", "walk(.)", "map_values(.)"].into_iter().cycle();
    for plain in plain_files() {
        let options = plain.options();
        let decoded = run(&[&["decode", plain.path()], &options[..]].concat()).with_status(0);
        // A file with several values gives them one after the other.
        let slurp = if plain.values == 1 { &[][..] } else { &["-s"] };
        let asked = run(&[&["query", plain.path()], slurp, &options].concat()).with_status(0);
        assert!(asked.stdout == decoded.stdout, "{}", plain.path());
        let copy = folder.join("copy").to_str().unwrap().to_owned();
        fs::copy(plain.path(), &copy).unwrap();
        for filter in filters.by_ref().take(formwork_testkit::rounds(1, 3)) {
            // Only some values have entries.
            let ended = run(
                &[&["query", "-i", &copy, &format!("({filter})? // .")], &options[..]].concat()
            );
            let ended = ended.with_status(0);
            ended.prints("[..]copy: nothing changed");
            assert!(fs::read(&copy).unwrap() == plain.bytes(), "{}: {filter}", plain.path());
        }
    }
    assert!(!folder.join("copy.bak").exists());
}

#[test]
fn a_filter_that_begins_with_a_path_gives_the_same_as_behind_a_pipe() {
    let folder = folder("query-path");
    let json = r#"{"a":{"b":[1,{"x":2}],"c":{"$StringName":"s"},"t":{"$tag":{"x":1}}},"v":{"$Vector2":[1.5,2.0]},"n":null,
        "m":{"$dictionary":[[1,"one"],["x",{"y":5}],[{"$StringName":"z"},6],[{"$NodePath":"w"},7]]},
        "l":{"$Array":[1,2],"element":"int"},"o":{"$Object":{"class":"Node","properties":[["x",1]]}},
        "typed":{"$Dictionary":[["x",{"y":1}]],"key":"String","value":"Dictionary"}}"#;
    let save = made(&folder, &json.replace("$tag", "tag"), &["--format", "godot4"]);
    let text = folder.join("made.json").to_str().unwrap().to_owned();
    fs::write(&text, json).unwrap();
    let paths = [
        ".a.b",
        ".a.b[1].x",
        ".a.b[1:]",
        ".a.b[]",
        ".a[\"b\"]",
        ".a.c",
        ".a.t.x",
        ".v",
        ".v.x",
        ".n",
        ".n.x",
        ".m.x.y",
        ".m.z",
        ".m.w",
        ".m[1]",
        ".l",
        ".l[0]",
        ".o.x",
        ".typed.x.y",
        ".none",
        ".none.x",
        ".a?",
        ".a.b.x?",
        ".a | .b | length",
        ".a, .v",
        ".a.b + [1]",
        ".a[.n]?",
        ".a.b // 5",
        ".a as $x | .v",
        "..",
        ".a | path(.b[0])",
        ".a.b = 1",
    ];
    for file in [&save, &text] {
        for path in paths {
            let (lone, whole) = (
                run(&["query", file, path, "-c"]),
                run(&["query", file, &format!(". | {path}"), "-c"]),
            );
            let answer = |ended: &crate::run::Ended| (ended.status, ended.text().to_owned());
            assert_eq!(answer(&lone), answer(&whole), "{file}: {path}");
        }
    }
}

#[test]
fn a_change_is_written_where_it_is_and_the_rest_stays() {
    let folder = folder("query-change");
    let json = r#"{"gold":100,"hp":7.5,"whole":11.0,"id":{"$StringName":"a"},"at":{"$Vector2":[1.0,2.0]},
        "bag":["rope"],"cells":{"$dictionary":[[3,"x"]]}}"#;
    for options in [
        &["--format", "godot4", "--wrapper", "zstd"][..],
        &["--format", "godot4", "--framing", "frames-be"],
        &["--format", "godot4-double", "--framing", "frames"],
    ] {
        let file = made(&folder, json, options);
        for (filter, path, expected) in [
            (".gold += 1", "gold", "101"),
            (".gold /= 2", "gold", "50.5"),
            (".whole = 12", "whole", "12.0"),
            (".id = \"b\"", "id", r#"{"$StringName":"b"}"#),
            (".at = [3, 4]", "at", r#"{"$Vector2":[3.0,4.0]}"#),
            (".at.y -= 1", "at", r#"{"$Vector2":[3.0,3.0]}"#),
            (".bag += [\"lamp\"]", "bag", r#"["rope","lamp"]"#),
            (".cells[3] = \"y\"", "cells", r#"{"$dictionary":[[3,"y"]]}"#),
            ("del(.bag[0])", "bag", r#"["lamp"]"#),
        ] {
            let ended = run(&["query", &file, "-i", filter, "--no-backup"]).with_status(0);
            assert!(ended.text().starts_with(path), "{filter}: {}", ended.text());
            assert_eq!(query(&file, &format!(".{path}")), expected, "{options:?} {filter}");
        }
        run(&["verify", &file]).with_status(0);
        // A float that is a whole number stays the int that was there.
        let same = run(&["query", &file, "-i", ".gold = 50.5 * 2 / 2"]).with_status(0);
        same.prints("[..]made.save: nothing changed");
    }
}

#[test]
fn a_changed_file_keeps_a_backup_and_a_dry_run_writes_nothing() {
    let folder = folder("query-backup");
    let file = made(&folder, r#"{"gold":100}"#, &["--format", "godot4", "--framing", "frames"]);
    let before = fs::read(&file).unwrap();
    let ended = run(&["query", &file, "-i", ".gold = 7", "--dry-run"]).with_status(0);
    assert_eq!(ended.text(), "would change gold: 100 -> 7\n");
    assert_eq!(fs::read(&file).unwrap(), before);
    run(&["query", &file, "-i", ".gold = 7"]).with_status(0).prints("gold: 100 -> 7");
    assert_eq!(fs::read(format!("{file}.bak")).unwrap(), before);
    let other = folder.join("other.save").to_str().unwrap().to_owned();
    run(&["query", &file, "-i", "-o", &other, ".gold = 100"]).with_status(0);
    assert_eq!((fs::read(&other).unwrap(), query(&file, ".gold")), (before, "7".to_owned()));
    // A filter that gives no value or several writes no file.
    let now = fs::read(&file).unwrap();
    for (filter, status) in
        [("empty", 1), (".gold, 1", 1), ("error", 1), (".gold |", 2), ("nothing_known", 2)]
    {
        run(&["query", &file, "-i", filter]).with_status(status);
        assert_eq!(fs::read(&file).unwrap(), now, "{filter}");
    }
    run(&["query", &file, "--dry-run", "."]).with_status(2);
    run(&["query", &file, "-i", "-r", "."]).with_status(2);
}

#[test]
fn filters_are_those_of_jaq() {
    for (filter, expected) in [
        ("reduce range(3) as $x (1; . + $x)", "4\n"),
        // jaq goes on with all values of an update, and with none.
        ("reduce range(5) as $x (0; empty)", ""),
        ("reduce range(1; 3) as $x (0; . + $x, 5)", "3\n5\n7\n5\n"),
    ] {
        let ended = run(&["query", "-n", "-c", filter]).with_status(0);
        assert_eq!(ended.text(), expected, "{filter}");
    }
    // A reduction may be a path.
    let filter = r#"{"a": {"b": 1}} | (reduce ("a", "b") as $k (.; .[$k])) = 2"#;
    let ended = run(&["query", "-n", "-c", &format!("null | {filter}")]).with_status(0);
    assert_eq!(ended.text(), "{\"a\":{\"b\":2}}\n");
}

#[test]
fn the_options_of_jq_for_colours_text_and_several_files_are_known() {
    let folder = folder("query-options");
    let options = ["--format", "godot4", "--framing", "frames"];
    let file = made(&folder, r#"{"gold":100}"#, &options);
    let other = folder.join("other.save").to_str().expect("a plain name").to_owned();
    run(&["convert", &file, "--to", "godot3", "-o", &other]).with_status(0);
    let asked = |arguments: &[&str]| {
        run(&[&["query", "-c"], arguments].concat()).with_status(0).text().to_owned()
    };
    let coloured = "{\u{1b}[36m\"gold\"\u{1b}[0m:\u{1b}[33m100\u{1b}[0m}\n";
    assert_eq!(asked(&[&file, "-C"]), coloured);
    assert_eq!(asked(&[&file, "-M"]), "{\"gold\":100}\n");
    assert_eq!(asked(&[&file, "--seq", ".gold, 1"]), "\u{1e}100\n\u{1e}1\n");
    // The filter comes first, as in jq, or after the first file.
    assert_eq!(asked(&[".gold", &file, &other]), "100\n100\n");
    assert_eq!(asked(&[&file, "[., input] | length", &other]), "2\n");
    assert_eq!(asked(&["-s", "map(.gold) | add", &file, &other]), "200\n");
    run(&["query", "-i", ".gold = 1", &file, &other]).with_status(2);
    let lines = |arguments: &[&str]| {
        let all = [&["query", "-c", "-R"], arguments].concat();
        run_with(&all, b"one\n2\n").with_status(0).text().to_owned()
    };
    assert_eq!(lines(&["."]), "\"one\"\n\"2\"\n");
    assert_eq!(lines(&["-", "-s"]), "\"one\\n2\\n\"\n");
    assert_eq!(lines(&["-", "-n", "[inputs]"]), "[\"one\",\"2\"]\n");
}

#[test]
fn several_values_are_inputs_one_after_the_other() {
    let folder = folder("query-several");
    let options = ["--format", "godot4", "--framing", "frames", "--all"];
    let file = made(&folder, r#"[1, {"a": 2}, "three"]"#, &options);
    assert_eq!(query(&file, "."), "1\n{\"a\":2}\n\"three\"");
    for (index, expected) in [("0", "1\n"), ("-1", "\"three\"\n"), ("-3", "1\n")] {
        let decoded = run(&["decode", &file, "--index", index]).with_status(0);
        assert_eq!(decoded.text(), expected, "{index}");
        for words in [&["get", &file, ""][..], &["query", &file, "."]] {
            let found = run(&[words, &["--index", index]].concat()).with_status(0);
            assert_eq!(found.text(), expected, "{words:?} {index}");
        }
    }
    for index in ["3", "-4", "-9223372036854775808"] {
        let expected = "there is no value number";
        let expected = format!("error: [..]: {expected} {index}; the file has 3, numbers 0 to 2");
        for words in [
            &["decode", &file][..],
            &["get", &file, ""],
            &["query", &file, "."],
            &["set", &file, "a", "1"],
            &["rm", &file, "a"],
        ] {
            run(&[words, &["--index", index]].concat()).with_status(1).says(&expected);
        }
    }
    let asked = |options: &[&str]| {
        run(&[&["query", &file, "-c"], options].concat()).with_status(0).text().to_owned()
    };
    assert_eq!(asked(&["length", "-s"]), "3\n");
    assert_eq!(asked(&["[inputs]", "-n"]), "[1,{\"a\":2},\"three\"]\n");
    assert_eq!(asked(&["[., (input? // null)]"]), "[1,{\"a\":2}]\n[\"three\",null]\n");
    let ended = run(&["query", &file, "-c", "[., input]"]).with_status(1);
    ended.prints("[1,{\"a\":2}]").says(str!["error: the filter: No more inputs"]);
    assert_eq!(asked(&[".", "--index", "2", "-r"]), "three\n");
    assert_eq!(
        asked(&[
            "$x, $y[1]",
            "-n",
            "--arg",
            "x",
            "-1",
            "--argjson",
            "y",
            "[1, {\"$Vector2\":[1,2]}]"
        ]),
        "\"-1\"\n{\"$Vector2\":[1,2]}\n"
    );
    run(&["query", &file, "-e", "false"]).with_status(1);
    run(&["query", &file, "-e", "1"]).with_status(0);
    run(&["query", &file, "-i", "if type == \"object\" then .a = 5 else . end"]).with_status(0);
    assert_eq!(query(&file, "."), "1\n{\"a\":5}\n\"three\"");
    let list = ["query", &file, "-i", "-s", ".[:2] + [true, null]"];
    run(&list).with_status(2).says(str![[r#"
error: [..]made.save: the whole value, a string, would become a boolean: true
  hint: to change a value in it, write its path with = or |=, such as: .player.gold = 5
  hint: to print a value, leave out -i; to write it all the same, use --force
"#]]);
    run(&[&list[..], &["--force"]].concat()).with_status(0);
    assert_eq!(query(&file, "."), "1\n{\"a\":5}\ntrue\nnull");
}

#[test]
fn results_are_printed_and_variables_given_with_the_options_of_jq() {
    let folder = folder("query-options");
    let file = made(&folder, r#"{"b": [{"z": "é😀", "a": 2}], "a": "x"}"#, &["--format", "godot4"]);
    let path = |name: &str, text: &str| {
        fs::write(folder.join(name), text).unwrap();
        folder.join(name).to_str().unwrap().to_owned()
    };
    let (several, filter) = (path("several.json", "1 [2]\n\"3\""), path("filter.jq", ".a # a"));
    for (options, expected) in [
        (
            &["."][..],
            "{\n  \"b\": [\n    {\n      \"z\": \"é😀\",\n      \"a\": 2\n    }\n  ],\n  \"a\": \"x\"\n}\n",
        ),
        (&[".b[0]", "--tab"], "{\n\t\"z\": \"é😀\",\n\t\"a\": 2\n}\n"),
        (&[".b[0]", "--indent", "4"], "{\n    \"z\": \"é😀\",\n    \"a\": 2\n}\n"),
        (&["--indent", "0"], "{\"b\":[{\"z\":\"é😀\",\"a\":2}],\"a\":\"x\"}\n"),
        (&["-S", "-c"], "{\"a\":\"x\",\"b\":[{\"a\":2,\"z\":\"é😀\"}]}\n"),
        (&["-a", "-c", ".b[0].z"], "\"\\u00e9\\ud83d\\ude00\"\n"),
        (&["-j", ".a, 1, .a"], "x1x"),
        (&["--raw-output0", ".a, 1"], "x\u{0}1\u{0}"),
        (&["-c", "$ARGS.positional", "--args", "1", "b"], "[\"1\",\"b\"]\n"),
        (
            &["-c", "$ARGS.positional", "--jsonargs", "1", "{\"$Vector2\":[1,2]}"],
            "[1,{\"$Vector2\":[1,2]}]\n",
        ),
        (
            &["-c", "$x, $ARGS.named.x", "--slurpfile", "x", &several],
            "[1,[2],\"3\"]\n[1,[2],\"3\"]\n",
        ),
        (&["$x", "-r", "--rawfile", "x", &several], "1 [2]\n\"3\"\n"),
        (&["--from-file", &filter], "\"x\"\n"),
        (&["1, halt, 2"], "1\n"),
        (&["input_filename | test(\"made.save$\")"], "true\n"),
    ] {
        let ended = run(&[&["query", &file], options].concat()).with_status(0);
        assert_eq!(ended.text(), expected, "{options:?}");
    }
    let ended = run(&["query", &file, "1, (\"bye\" | halt_error)"]).with_status(5);
    assert_eq!((ended.text(), ended.stderr.as_str()), ("1\n", "bye"));
    run(&["query", &file, "--raw-output0", "\"a\\u0000b\""]).with_status(1);
    for wrong in [&["--tab", "-i"][..], &["-j", "-i"], &["--indent", "8"], &["--slurpfile", "x"]] {
        run(&[&["query", &file, ".a = 1"], wrong].concat()).with_status(2);
    }
    run(&["query", &file, ".", "--rawfile", "x", "nowhere"]).with_status(3);
}

#[test]
fn a_file_in_a_pack_is_asked_and_changed() {
    let folder = folder("query-pack");
    let pack = folder.join("game.pck").to_str().unwrap().to_owned();
    fs::copy(formats().join("pack/samples/3.2.3/export.pck"), &pack).unwrap();
    let before = fs::read(&pack).unwrap();
    let member = format!("{pack}!project.binary");
    let name = ".[\"application/config/name\"]";
    let old = query(&member, name);
    let ended = run(&["query", &member, "-i", &format!("{name} = \"New\""), "--dry-run"]);
    ended
        .with_status(0)
        .prints(str![[r#"would change application/config/name: "Pack sample" -> "New""#]]);
    assert!(fs::read(&pack).unwrap() == before);
    run(&["query", &member, "-i", &format!("{name} = \"New\"")]).with_status(0);
    assert_eq!(query(&member, name), "\"New\"");
    assert!(fs::read(format!("{pack}.bak")).unwrap() == before);
    run(&["verify", &pack]).with_status(0);
    run(&["query", &member, "-i", &format!("{name} = {old}"), "--no-backup"]).with_status(0);
    assert_eq!(query(&member, name), old);
    assert_eq!(
        run(&["query", &member, "."]).with_status(0).stdout,
        run(&["decode", &member]).with_status(0).stdout
    );
    // An output with the name of a pack is a pack with the new file. With another name it is the file alone.
    let (other, alone) = (folder.join("other.pck"), folder.join("project.binary"));
    let (other, alone) = (other.to_str().unwrap(), alone.to_str().unwrap());
    run(&["set", &member, "application/config/name", "Else", "-o", other]).with_status(0);
    run(&["verify", other]).with_status(0);
    assert_eq!(query(&format!("{other}!project.binary"), name), "\"Else\"");
    assert_eq!(query(&member, name), old);
    run(&["convert", &member, "--to", "godot3.2", "-o", other]).with_status(0);
    assert_eq!(query(&format!("{other}!project.binary"), name), old);
    run(&["rm", &member, "application/config/name", "-o", alone]).with_status(0);
    assert_eq!(query(alone, "keys | contains([\"application/config/name\"])"), "false");
    // The pack as a whole has no values.
    run(&["query", &pack, "."]).with_status(2);
}

#[test]
fn a_fault_in_a_filter_is_shown_in_its_place() {
    let folder = folder("query-fault");
    let file = made(&folder, "1", &["--format", "godot4"]);
    let ended = run(&["query", &file, ".a | foo(1)"]).with_status(2);
    assert_eq!(
        ended.stderr,
        "error: the filter, column 6: there is no filter 'foo'\n  .a | foo(1)\n       ^\n  hint: for the value at \
         a key, write .foo\n"
    );
    let ended = run(&["query", &file, ".a"]).with_status(1);
    assert_eq!(ended.stderr, "error: the filter: cannot index 1 with \"a\"\n");
}

#[test]
fn settings_and_other_files_are_asked_like_saves() {
    let folder = folder("query-config");
    let file = folder.join("a.cfg").to_str().unwrap().to_owned();
    let text = "; mine\n[video]\n\nsize=Vector2( 1, 2 )\nfull=false\n";
    fs::write(&file, text).unwrap();
    let format = ["--format", "godot4"];
    let ended = run(&[&["query", &file, "-c", ".video.size.x"], &format[..]].concat());
    assert_eq!(ended.with_status(0).text(), "1.0\n");
    run(&[&["query", &file, "-i", ".video.full = true"], &format[..]].concat()).with_status(0);
    assert_eq!(fs::read_to_string(&file).unwrap(), text.replace("false", "true"));
    let script = formats().join("script/samples/godot-4.6.3-packed.gdc");
    run(&["query", script.to_str().unwrap(), "type"]).with_status(0);
    let resource = formats().join("resource/samples/godot-4.6.3/hero.res");
    let resource = resource.to_str().unwrap();
    assert_eq!(run(&["query", resource, "."]).stdout, run(&["decode", resource]).stdout);
    // Nothing changes: the file stays as it is.
    run(&["query", resource, "-i", "."]).with_status(0);
}

/// Returns the samples of Terrain Builder. (The tests of ALB1 read real files.)
fn documents() -> Vec<PathBuf> {
    let own = formats().join("alb1/samples");
    let (mut waiting, mut files) = (Vec::from([own]), Vec::new());
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if fs::read(&path)
            .is_ok_and(|bytes| bytes.starts_with(b"ALB1") && bytes.len() < 2_000_000)
        {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn documents_of_terrain_builder_are_printed_as_decode_does_and_stay_as_they_are() {
    let folder = folder("query-documents");
    let files = documents();
    for from in &files {
        let name = from.to_str().unwrap();
        let decoded = run(&["decode", name, "--compact"]);
        if decoded.status != 0 {
            // This sample is damaged on purpose.
            continue;
        }
        assert!(run(&["query", name, "-c"]).with_status(0).stdout == decoded.stdout, "{name}");
        let copy = folder.join("copy.tv4l").to_str().unwrap().to_owned();
        fs::copy(from, &copy).unwrap();
        // The filter writes the document as JSON and reads it again.
        run(&["query", "-i", &copy, "map_values(.)"]).with_status(0);
        assert!(fs::read(&copy).unwrap() == fs::read(from).unwrap(), "{name}");
    }
    println!("{} files", files.len());
    assert!(files.len() >= 3);
}

#[test]
fn fields_of_terrain_builder_are_found_and_changed_by_tag() {
    let folder = folder("query-tags");
    let from = formats().join("alb1/samples/valley.Layers/houses.tv4l");
    let file = folder.join("houses.tv4l").to_str().unwrap().to_owned();
    fs::copy(&from, &file).unwrap();
    let name = run(&["get", &file, "mname"]).with_status(0).text().trim_end().to_owned();
    assert_eq!(query(&file, ".mname"), name);
    assert_eq!(query(&file, ".class"), "\"CLayer\"");
    let upper = run(&["query", &file, "-i", ".mname |= ascii_upcase", "--no-backup"]);
    upper.with_status(0).prints(str![[r#"mname: "houses" -> "HOUSES""#]]);
    run(&["set", &file, "mname", name.trim_matches('"'), "--no-backup"]).with_status(0);
    assert!(fs::read(&file).unwrap() == fs::read(&from).unwrap());
    let objects = run(&["query", &file, "--tree", "[.tree.parts[].groups[]?.objects[]] | length"]);
    assert!(objects.with_status(0).text().trim_end().parse::<u32>().unwrap() > 0);
    run(&["query", &file, "-i", ".mname = 5"]).with_status(1);
    run(&["query", &file, "-i", ".mname"]).with_status(2);
    assert!(fs::read(&file).unwrap() == fs::read(&from).unwrap());
}

#[test]
fn whole_numbers_of_any_length_keep_their_digits() {
    const LONG: &str = "18446744073709551615";
    let made = |filter: &str| {
        run(&["query", "-n", "-c", filter]).with_status(0).text().trim_end().replace('\n', " ")
    };
    for (filter, expected) in [
        ("L", "L"),
        ("(-L)", "-L"),
        ("(-9223372036854775808)", "-9223372036854775808"),
        ("[L, {a: L}]", r#"[L,{"a":L}]"#),
        ("L | tojson, tostring, length, type", r#""L" "L" L "number""#),
        ("(-L) | length", "L"),
        ("L | floor, round, ceil", "L L L"),
        (r#"{a: L} | tojson | fromjson | .a, "\(.)""#, r#"L "{\"a\":L}""#),
        ("[1e30, L, 5, -L, -1e30, L] | unique", "[-1e30,-L,5,L,1e30]"),
        ("[L == L, L > 18446744073709551614, L <= 18446744073709551616.0]", "[true,true,true]"),
        ("[L > 5, L < 1e30, L > -1e30, -L < L, L > infinite]", "[true,true,true,true,false]"),
        ("L + 0, (L | of_type(\"float\")), L % 10", "L # 5"),
    ] {
        let float = "1.8446744073709552e19";
        let [filter, expected] = [filter, expected].map(|text| text.replace('L', LONG));
        assert_eq!(made(&filter), expected.replace('#', float), "{filter}");
    }
    let argument = ["query", "-n", "$x", "--argjson", "x", LONG];
    assert_eq!(run(&argument).with_status(0).text().trim_end(), LONG);
    let json = format!("{{\"id\":{LONG},\"all\":[-{LONG}0,1.5]}}\n");
    let same = run_with(&["query", "-", ".", "-c"], json.as_bytes()).with_status(0);
    assert_eq!(same.text(), json);
}

#[test]
fn an_object_of_json_has_no_numbers_for_keys() {
    let folder = folder("query-json-keys");
    let file = folder.join("lines.save").to_str().expect("a plain name").to_owned();
    fs::copy(formats().join("json_text/samples/3.2.3.lines.save"), &file).unwrap();
    let bytes = fs::read(&file).unwrap();
    for filter in [".[0].gold += 1", ".[5] = 1", ".[0]", ".[5]? // {} | .[5]"] {
        run(&["query", "-i", &file, filter]).with_status(1);
        assert!(fs::read(&file).unwrap() == bytes, "{filter}");
    }
    run(&["query", &file, ".[0]"]).with_status(1);
    assert_eq!(query(&file, ".[0]?"), "");
}

#[test]
fn several_files_of_json_are_one_sequence_of_values() {
    let folder = folder("query-several-json");
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).expect("it can be written");
        path.to_str().expect("a plain name").to_owned()
    };
    let (one, lines) =
        (file("one.json", "{\"gold\":1}"), file("lines", "{\"gold\":2}\n{\"gold\":3}\n"));
    let printed = |arguments: &[&str]| {
        let ended = run(&[&["query", "-c"], arguments].concat()).with_status(0);
        ended.text().trim_end().replace('\n', " ")
    };
    assert_eq!(printed(&[".gold", &one, &lines]), "1 2 3");
    assert_eq!(printed(&[&lines, ".gold", &one]), "2 3 1");
    assert_eq!(printed(&["-s", "map(.gold)", &one, &lines]), "[1,2,3]");
    assert_eq!(printed(&["-n", "[inputs.gold]", &one, &lines]), "[1,2,3]");
    let save = made(&folder, "{\"gold\":4}", &["--format", "godot4"]);
    assert_eq!(printed(&[".gold", &one, &save]), "1 4");
    run(&["query", ".gold", &one, &lines, "--index", "0"]).with_status(2);
}

#[test]
fn values_that_move_keep_their_types_and_nothing_is_added() {
    let folder = folder("query-moved");
    let file = folder.join("moved.save").display().to_string();
    let json = r#"{"items":[{"n":"a","q":1.5},{"n":"b","q":2},{"n":"c","q":3}]}"#;
    let made = ["encode", "-", "--format", "godot4", "--framing", "frames", "-o", &file];
    let change = |filter: &str| {
        run_with(&made, json.as_bytes()).with_status(0);
        run(&["query", &file, "-i", filter]).with_status(0);
        run(&["get", &file, "items", "--compact"]).with_status(0).text().to_owned()
    };
    let sorted = r#"[{"n":"c","q":3},{"n":"b","q":2},{"n":"a","q":1.5}]"#;
    assert_eq!(change(".items |= sort_by(-.q)"), format!("{sorted}\n"));
    assert_eq!(change("del(.items[0])"), "[{\"n\":\"b\",\"q\":2},{\"n\":\"c\",\"q\":3}]\n");
    let same = r#"[{"n":"a","q":1.5},{"n":"b","q":2},{"n":"c","q":3}]"#;
    assert_eq!(change("(.items[].r | select(. > 2)) = 2"), format!("{same}\n"));
    assert_eq!(change("(.items[].tags[]?) |= 1"), format!("{same}\n"));
}

#[test]
fn the_filter_may_come_first() {
    let folder = std::env::temp_dir();
    let missing = folder.join("formwork-no-such.save");
    let missing = missing.to_str().unwrap();
    run(&["query", ".gold", missing])
        .with_status(3)
        .says(str!["error: [..]formwork-no-such.save: could not be read: no such file or folder"]);
    let sample = crate::cases::formats().join("godot3/golden/3.6.2/files/small.save");
    let sample = sample.to_str().unwrap();
    let whole = run(&["query", sample, "."]).with_status(0);
    assert_eq!(run(&["query", ".", sample]).with_status(0).stdout, whole.stdout);
}
