//! No file is lost: inputs, backups, `undo`, and files that other programs change meanwhile.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use snapbox::str;

use crate::run::{command, compare, run, run_with, verb_first};

/// A new folder with a save for a test.
struct Saves(tempfile::TempDir);

impl Saves {
    fn new(json: &str) -> Self {
        let saves = Self(tempfile::tempdir().expect("a folder"));
        let file = saves.path("a.save");
        let options = ["--format", "godot4", "--framing", "frames"];
        let arguments = [&["encode", "-", "-o", &file][..], &options].concat();
        run_with(&arguments, json.as_bytes()).with_status(0);
        saves
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a plain name").to_owned()
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect(name)
    }

    fn has(&self, name: &str) -> bool {
        Path::new(&self.path(name)).exists()
    }

    fn get(&self, name: &str, path: &str) -> String {
        let got = run(&["get", &self.path(name), path, "--compact"]).with_status(0);
        got.text().trim_end().to_owned()
    }

    fn count(&self) -> usize {
        fs::read_dir(self.0.path()).expect("the folder is there").count()
    }
}

/// The message of a command whose output would replace what it reads.
const ALSO_AN_INPUT: &str = "\
error: [..]: the output is also an input
  hint: nothing was written; choose another name for the output";

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../formats").join(name)
}

#[test]
fn commands_that_only_read_do_not_overwrite_what_they_read() {
    let saves = Saves::new(r#"{"gold":1}"#);
    let file = saves.path("a.save");
    let before = saves.bytes("a.save");
    fs::hard_link(&file, saves.path("hard.save")).expect("a link");
    #[cfg(unix)]
    std::os::unix::fs::symlink("a.save", saves.path("soft.save")).expect("a link");
    let links: &[&str] =
        if cfg!(unix) { &["a.save", "hard.save", "soft.save"] } else { &["a.save", "hard.save"] };
    for output in links {
        let output = saves.path(output);
        for reading in [
            &["info", &file][..],
            &["info", saves.0.path().to_str().expect("a plain name")],
            &["decode", &file],
            &["decode", &file, "--recover"],
            &["get", &file, "gold"],
            &["query", &file, ".gold"],
            &["dump", &file],
            &["convert", &file, "--to", "godot3"],
            &["diff", &file, &file],
        ] {
            let ended = run(&[reading, &["-o", &output]].concat()).with_status(2);
            ended.says(ALSO_AN_INPUT);
            assert!(saves.bytes("a.save") == before, "{reading:?}");
        }
        assert_eq!(saves.count(), links.len());
    }
    // A text that is made into a save is only an input too.
    let json = saves.path("a.json");
    fs::write(&json, r#"{"gold":2}"#).expect("it can be written");
    run(&["encode", &json, "--like", &file, "-o", &json]).with_status(2);
    run(&["query", &file, "--from-file", &json, "-o", &json]).with_status(2);
    assert_eq!(saves.bytes("a.json"), br#"{"gold":2}"#);
}

#[test]
fn commands_for_projects_do_not_overwrite_what_they_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a plain name").to_owned();
    fs::create_dir(path("valley.Layers")).expect("a folder");
    for name in ["valley.tv4p", "valley.Layers/houses.tv4l"] {
        fs::copy(sample("alb1/samples").join(name), path(name)).expect("the sample is there");
    }
    let (project, layer) = (path("valley.tv4p"), path("valley.Layers/houses.tv4l"));
    let before = [&project, &layer].map(|file| fs::read(file).expect("it is there"));
    for (verb, output) in [
        (&["objects"][..], &layer),
        (&["objects", "--layer", "houses"], &layer),
        (&["layers"], &project),
        (&["stats"], &layer),
        (&["shapes"], &project),
        // This changes a layer, and the project is another file.
        (&["objects", "move", "--layer", "houses", "--by", "1,1"], &project),
    ] {
        let arguments = verb_first(&project, &[verb, &["-o", output]].concat());
        let ended = run(&arguments).with_status(2);
        ended.says(ALSO_AN_INPUT);
    }
    let now = [&project, &layer].map(|file| fs::read(file).expect("it is there"));
    assert!(now == before);
    let by = ["terrain", "objects", "move", &project, "--layer", "houses", "--by", "1,1"];
    run(&[&by[..], &["-o", &layer]].concat()).with_status(0);
    assert!(fs::read(format!("{layer}.bak")).expect("a backup") == before[1]);
}

#[test]
fn whatever_replaces_a_file_keeps_it() {
    let saves = Saves::new(r#"{"gold":1}"#);
    let (file, other, base) = (saves.path("a.save"), saves.path("b.save"), saves.path("base"));
    let before = saves.bytes("a.save");
    fs::write(&base, &before).expect("it can be written");
    for changing in [
        &["set", &file, "gold", "9"][..],
        &["rm", &file, "gold"],
        &["query", &file, "-i", ".gold = 9"],
        &["merge", &base, &file, &base],
    ] {
        for output in [&file, &other] {
            fs::write(&file, &before).expect("it can be written");
            run_with(&["encode", "-", "--like", &file, "-o", &other], b"{\"gold\":5}");
            let old = fs::read(output).expect("it is there");
            let ended = run(&[changing, &["-o", output]].concat()).with_status(0);
            if fs::read(output).expect("it is there") != old {
                ended.says("note: the old [..].save is kept as [..].save.bak");
                assert!(fs::read(format!("{output}.bak")).expect("a backup") == old);
            }
        }
    }
    let text = saves.path("text");
    for gold in ["1", "2"] {
        fs::write(&file, &before).expect("it can be written");
        run(&["set", &file, "gold", gold, "--no-backup"]).with_status(0);
        run(&["get", &file, "gold", "-o", &text]).with_status(0);
    }
    assert_eq!(saves.bytes("text.bak"), b"1\n");
    run(&["get", &file, "-o", &text, "--no-backup"]).with_status(0);
    assert_eq!(saves.bytes("text.bak"), b"1\n");
    assert!(!saves.has("text.bak.2"));
}

#[test]
fn a_pack_and_a_file_of_terrain_builder_are_kept_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a plain name").to_owned();
    let pack = path("game.pck");
    fs::copy(sample("pack/samples/3.6.2/export.pck"), &pack).expect("the sample is there");
    let member = format!("{pack}!start.save");
    let before = fs::read(&pack).expect("it is there");
    let key = run(&["query", &member, "keys[0]", "-r"]).with_status(0).text().trim().to_owned();
    for output in [&["-o", &member][..], &[]] {
        fs::write(&pack, &before).expect("it can be written");
        let _ = fs::remove_file(path("game.pck.bak"));
        run(&[&["rm", &member, &key][..], output].concat()).with_status(0);
        assert!(fs::read(path("game.pck.bak")).expect("a backup") == before);
    }
    let now = fs::read(&pack).expect("it is there");
    run(&["get", &member, "-o", &member]).with_status(2);
    run(&["info", &pack, "-o", &member]).with_status(2);
    run(&["info", &member, "-o", &pack]).with_status(2);
    assert!(fs::read(&pack).expect("it is there") == now);
    run(&["undo", &member]).with_status(2);
    run(&["undo", &pack]).with_status(0);
    assert!(fs::read(&pack).expect("it is there") == before);

    let (layer, json) = (path("houses.tv4l"), path("houses.json"));
    fs::copy(sample("alb1/samples/valley.Layers/houses.tv4l"), &layer).expect("a sample");
    let old = fs::read(&layer).expect("it is there");
    run(&["decode", &layer, "-o", &json]).with_status(0);
    run(&["set", &layer, "mname", "other", "--no-backup"]).with_status(0);
    let changed = fs::read(&layer).expect("it is there");
    let encode = ["encode", &json, "--like", &layer, "-o", &layer, "--json"];
    let report: Value = serde_json::from_str(run(&encode).with_status(0).text()).expect("JSON");
    assert_eq!(
        (&report["written"], report["size"].as_u64()),
        (&true.into(), Some(old.len() as u64))
    );
    assert!(fs::read(&layer).expect("it is there") == old);
    assert!(fs::read(path("houses.tv4l.bak")).expect("a backup") == changed);
    run(&["encode", &json, "--like", &pack, "-o", &layer]).with_status(2);
}

#[test]
#[cfg(unix)]
fn a_write_protected_file_is_not_replaced() {
    use std::os::unix::fs::PermissionsExt;
    let saves = Saves::new("{\"gold\": 1}");
    let (file, before) = (saves.path("a.save"), saves.bytes("a.save"));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).expect("a mode");
    let (other, new) = (saves.path("b.save"), saves.path("new.save"));
    fs::copy(sample("godot4/golden/4.6.3/files/small.save"), &other).expect("a sample");
    for words in [
        &["set", &file, "gold", "2"][..],
        &["query", "-i", ".gold = 2", &file],
        &["convert", &other, "--to", "godot4.5", "-o", &file],
    ] {
        run(words).with_status(3).says(str![[r#"
error: [..]a.save: the file is write-protected; nothing was written
  hint: allow writing (chmod u+w), or write another file with -o
"#]]);
    }
    assert!(saves.bytes("a.save") == before && !saves.has("a.save.bak"));
    run(&["set", &file, "gold", "2", "-o", &new]).with_status(0);
    assert_eq!(saves.get("new.save", "gold"), "2");
}

#[test]
fn undo_goes_back_and_forth_and_further_back() {
    let saves = Saves::new(r#"{"gold":0}"#);
    let file = saves.path("a.save");
    for gold in 1..=3 {
        run(&["set", &file, "gold", &gold.to_string()]).with_status(0);
    }
    let states = |names: &[&str]| -> Vec<String> {
        names.iter().map(|name| saves.get(name, "gold")).collect()
    };
    let all = ["a.save", "a.save.bak", "a.save.bak.2", "a.save.bak.3"];
    assert_eq!(states(&all), ["3", "2", "1", "0"]);
    run(&["undo", &file, "--dry-run"])
        .with_status(0)
        .says(str!["[..]a.save: would be restored from [..]a.save.bak"]);
    run(&["undo", &file]).with_status(0);
    assert_eq!(states(&all), ["2", "3", "1", "0"]);
    run(&["undo", &file]).with_status(0);
    assert_eq!(states(&all), ["3", "2", "1", "0"]);
    run(&["undo", &file, "2"]).with_status(0);
    assert_eq!(states(&all), ["1", "3", "2", "0"]);
    run(&["undo", &file, "3"]).with_status(0);
    assert_eq!(states(&all), ["0", "1", "3", "2"]);
    run(&["undo", &file, "4"]).with_status(3);
    // A deleted file comes back.
    fs::remove_file(&file).expect("it is there");
    let json = run(&["undo", &file, "--json"]).with_status(0);
    let json: Value = serde_json::from_str(json.text()).expect("JSON");
    assert_eq!(json["written"], true);
    assert_eq!(states(&all[..3]), ["1", "3", "2"]);
    assert_eq!(saves.count(), 3);
    // The backups of the file have a gap.
    fs::rename(saves.path("a.save.bak.2"), saves.path("a.save.bak.4")).expect("it is there");
    run(&["undo", &file, "4"]).with_status(0);
    assert_eq!(states(&all[..3]), ["2", "1", "3"]);
    assert_eq!(saves.count(), 3);
}

#[test]
fn the_last_nine_backups_and_the_oldest_are_kept() {
    let saves = Saves::new(r#"{"gold":0}"#);
    let file = saves.path("a.save");
    for gold in 1..=14 {
        run(&["set", &file, "gold", &gold.to_string()]).with_status(0);
    }
    assert_eq!(saves.count(), 11);
    assert_eq!(saves.get("a.save.bak", "gold"), "13");
    assert_eq!(saves.get("a.save.bak.9", "gold"), "5");
    assert_eq!(saves.get("a.save.bak.10", "gold"), "0");
    // If no backup can be made, nothing is written.
    fs::remove_file(saves.path("a.save.bak.9")).expect("it is there");
    fs::create_dir(saves.path("a.save.bak.9")).expect("a folder");
    run(&["set", &file, "gold", "15"]).with_status(3).says(str!["error: [..]a.save: the file was not changed, because no backup could be made: this is a folder, not a file"]);
    assert_eq!(saves.get("a.save", "gold"), "14");
}

#[test]
fn changes_at_the_same_time_are_all_made() {
    let saves = Saves::new(r#"{"gold":1}"#);
    let file = saves.path("a.save");
    let children: Vec<_> = (0..12)
        .map(|number| {
            let key = format!("k{number}");
            command(&["set", &file, &key, "1", "--add"]).spawn().expect("it starts")
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(run(&["query", &file, "length"]).with_status(0).text(), "13\n");
    assert!(saves.has("a.save.bak.10") && saves.count() == 11);
}

/// Edits a file with a shell command as the editor. The command may also change the file itself.
#[cfg(unix)]
fn edit(file: &str, editor: &str) -> (i32, String) {
    let mut command = command(&["edit", file]);
    command
        .env_remove("VISUAL")
        .env("EDITOR", editor)
        .env("PROGRAM", env!("CARGO_BIN_EXE_formwork"));
    let output = command.stdin(std::process::Stdio::null()).output().expect("the program ends");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8(text).expect("messages are UTF-8");
    (output.status.code().expect("it is not killed"), text)
}

#[cfg(unix)]
#[test]
fn what_a_game_saves_while_the_editor_is_open_is_kept() {
    let saves = Saves::new(r#"{"gold":100,"level":3,"name":"Ada"}"#);
    let file = saves.path("a.save");
    let game = |change: &str, edit: &str| {
        format!(
            "f() {{ \"$PROGRAM\" set '{file}' {change} -q --no-backup && sed -i '{edit}' \"$1\"; }}; f"
        )
    };
    let (status, stderr) = edit(&file, &game("level 42", "s/100/555/"));
    assert_eq!(status, 0, "{stderr}");
    compare(
        &stderr,
        str![[r#"
level: 3 -> 42
gold: 100 -> 555
note: the old [..]a.save is kept as [..]a.save.bak
note: [..]a.save: another program changed the file while you edited it; both changes are kept
"#]],
    );
    assert_eq!(saves.get("a.save", ""), r#"{"gold":555,"level":42,"name":"Ada"}"#);
    // A value that both changed is left to the person.
    let (status, stderr) = edit(&file, &game("gold 7", "s/555/666/"));
    assert_eq!(status, 3, "{stderr}");
    compare(
        &stderr,
        str![[r#"
gold: 555 -> 7
error: [..]a.save: another program changed the same values while you edited them; nothing was written
  gold: in the file 7, in your text 666
  hint: your text is kept in [..].json
"#]],
    );
    let (_, kept) = stderr.rsplit_once("your text is kept in ").expect("it says where");
    let text = fs::read_to_string(kept.trim_end()).expect("the text is there");
    assert_eq!(text, "{\n  \"gold\": 666,\n  \"level\": 42,\n  \"name\": \"Ada\"\n}\n");
    fs::remove_file(kept.trim_end()).expect("the text is there");
    assert_eq!(saves.get("a.save", "gold"), "7");
}

#[cfg(unix)]
#[test]
fn what_terrain_builder_saves_while_the_editor_is_open_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("houses.tv4l").to_str().expect("a plain name").to_owned();
    fs::copy(sample("alb1/samples/valley.Layers/houses.tv4l"), &file).expect("a sample");
    let get = |path: &str| run(&["get", &file, path, "--raw"]).with_status(0).text().to_owned();
    let editor = format!(
        "f() {{ \"$PROGRAM\" set '{file}' mbVisible false -q --no-backup && sed -i 's/\"houses\"/\"barns\"/' \"$1\"; }}; f"
    );
    let (status, stderr) = edit(&file, &editor);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!((get("mname"), get("mbVisible")), ("barns\n".to_owned(), "false\n".to_owned()));
}

#[test]
fn an_empty_list_deletes_nothing_unless_it_is_forced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a plain name").to_owned();
    let layer = path("houses.tv4l");
    fs::copy(sample("alb1/samples/valley.Layers/houses.tv4l"), &layer).expect("a sample");
    let before = fs::read(&layer).expect("it is there");
    for mode in ["mirror", "replace"] {
        let import = ["terrain", "objects", &layer, "--import", "-", "--in-place", "--mode", mode];
        for place in [&import[..], &[&import[..], &["--dry-run"]].concat()] {
            run(place).with_status(2);
            assert!(fs::read(&layer).expect("it is there") == before);
        }
        run(&[&import[..], &["--force"]].concat()).with_status(0);
        assert_eq!(run(&["terrain", "objects", &layer]).with_status(0).text(), "");
        run(&["undo", &layer]).with_status(0);
    }
    let shapes = path("fields.tv4s");
    fs::copy(sample("alb1/samples/valley.Shapes/fields.tv4s"), &shapes).expect("a sample");
    let none = br#"{"type":"FeatureCollection","features":[]}"#;
    let import = ["terrain", "shapes", &shapes, "--import", "-", "--in-place", "--mode", "mirror"];
    run_with(&import, none).with_status(2);
    run_with(&[&import[..], &["--force"]].concat(), none).with_status(0);
}

#[test]
fn a_filter_prints_into_a_file_and_replaces_no_save_by_a_number() {
    let saves = Saves::new(r#"{"player":{"gold":100}}"#);
    let file = saves.path("a.save");
    let before = saves.bytes("a.save");
    run(&["query", &file, ".player.gold", "-o", &saves.path("out.txt")]).with_status(0);
    assert_eq!(saves.bytes("out.txt"), b"100\n");
    run(&["query", &file, "-i", ".player.gold"]).with_status(2);
    assert!(saves.bytes("a.save") == before && !saves.has("a.save.bak"));
    run(&["query", &file, "-i", ".player.gold", "--force"]).with_status(0);
    assert_eq!(saves.get("a.save", ""), "100");
}

#[test]
fn a_value_is_removed_and_told_once_and_a_dry_run_says_would() {
    let saves = Saves::new(r#"{"a":1,"b":2}"#);
    let file = saves.path("a.save");
    let lines = run(&["rm", &file, "a", "a", "--json", "--dry-run"]).with_status(0);
    assert_eq!(lines.text().lines().count(), 1);
    run(&["set", &file, "a", "5", "a", "1", "--dry-run"]).with_status(0).prints(str![[r#"
would change a: 1 -> 5
would change a: 5 -> 1
"#]]);
    run(&["rm", &file, "a", "a"]).with_status(0);
    assert_eq!(saves.get("a.save", ""), r#"{"b":2}"#);
}
