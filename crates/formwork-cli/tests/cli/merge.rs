//! `merge`: combines two changed files, called by hand and as git's merge driver.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cases::formats;
use crate::run::{Ended, run, run_with};

/// Returns a new folder for this test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// Makes a file from JSON.
fn made(folder: &Path, name: &str, json: &str, options: &[&str]) -> String {
    let path = folder.join(name).to_str().expect("a plain name").to_owned();
    let arguments = [&["encode", "-", "-o", &path], options].concat();
    run_with(&arguments, json.as_bytes()).with_status(0);
    path
}

fn get(file: &str) -> String {
    run(&["get", file, "-c"]).with_status(0).text().trim_end().to_owned()
}

const BASE: &str =
    r#"{"gold":1,"hp":7.5,"bag":["rope"],"pet":{"name":"Rex"},"at":{"$Vector2":[1.0,2.0]}}"#;
const OURS: &str = r#"{"gold":5,"hp":7.5,"bag":["rope","lamp"],"at":{"$Vector2":[1.0,2.0]}}"#;
const THEIRS: &str = r#"{"gold":1,"hp":9.5,"bag":["map","rope"],"pet":{"name":"Rex"},"at":{"$Vector2":[3.0,2.0]},"new":true}"#;

#[test]
fn changes_of_both_are_taken_in_every_framing_and_wrapper() {
    let folder = folder("merge-framings");
    for options in [
        &["--format", "godot4"][..],
        &["--format", "godot3", "--framing", "frames"],
        &["--format", "godot4", "--framing", "frames-be"],
        &["--format", "godot4-double", "--framing", "frames"],
        &["--format", "godot4", "--wrapper", "zstd"],
        &["--format", "pandemonium", "--framing", "frames"],
    ] {
        let [base, ours, theirs] = [("base", BASE), ("ours", OURS), ("theirs", THEIRS)]
            .map(|(name, json)| made(&folder, name, json, options));
        let out = folder.join("out").to_str().unwrap().to_owned();
        let format = &options[..2];
        let merge =
            |more: &[&str]| run(&[&["merge", &base, &ours, &theirs], format, more].concat());
        merge(&["-o", &out]).with_status(0);
        let merged = run(&[&["get", &out, "-c"], format].concat()).with_status(0);
        assert_eq!(
            merged.text().trim_end(),
            r#"{"gold":5,"hp":9.5,"bag":["map","rope","lamp"],"at":{"$Vector2":[3.0,2.0]},"new":true}"#,
            "{options:?}"
        );
        // A merge without changes writes the same bytes.
        run(&[&["merge", &base, &ours, &base, "-o", &out], format].concat()).with_status(0);
        assert!(fs::read(&out).unwrap() == fs::read(&ours).unwrap(), "{options:?}");
        let _ = fs::remove_file(&out);
        assert!(merge(&["-o", &out, "--dry-run"]).with_status(0).text().contains("hp: 7.5 -> 9.5"));
        assert!(!Path::new(&out).exists());
    }
}

#[test]
fn conflicts_are_listed_and_ours_is_kept_unless_theirs_is_wanted() {
    let folder = folder("merge-conflicts");
    let options = ["--format", "godot4", "--framing", "frames"];
    let base = made(&folder, "base", r#"{"player":{"gold":1,"pet":1},"a":1}"#, &options);
    let ours = made(&folder, "ours", r#"{"player":{"gold":5},"a":1}"#, &options);
    let theirs = made(&folder, "theirs", r#"{"player":{"gold":7,"pet":7},"a":2}"#, &options);
    let out = folder.join("out").to_str().unwrap().to_owned();
    let merge = |more: &[&str]| -> Ended {
        run(&[&["merge", &base, &ours, &theirs, "-o", &out], more].concat())
    };
    let ended = merge(&[]).with_status(1);
    let expected = "a: 1 -> 2\nconflict: player/gold: ours 5, theirs 7, base 1\n\
        conflict: player/pet: ours removed it, theirs 7, base 1\n\
        2 conflicts; ours is kept there (--ours and --theirs settle them)\n";
    assert_eq!(ended.text(), expected);
    assert_eq!(get(&out), r#"{"player":{"gold":5},"a":2}"#);
    let told = merge(&["--json"]).with_status(1);
    let told: Vec<serde_json::Value> =
        told.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&told[0]["path"], &told[0]["after"]), (&"a".into(), &2.into()));
    assert_eq!((&told[1]["kind"], &told[1]["path"]), (&"conflict".into(), &"player/gold".into()));
    assert_eq!(told[1]["theirs"], 7);
    assert_eq!((told.len(), &told[2]["kept"]), (3, &"ours".into()));
    merge(&["--ours"]).with_status(0);
    assert_eq!(get(&out), r#"{"player":{"gold":5},"a":2}"#);
    merge(&["--theirs"]).with_status(0);
    assert_eq!(get(&out), r#"{"player":{"gold":7,"pet":7},"a":2}"#);
    // A file that cannot be read leaves the output unchanged.
    fs::write(&theirs, b"noise").unwrap();
    let before = fs::read(&out).unwrap();
    assert!(merge(&[]).status > 0);
    assert_eq!(fs::read(&out).unwrap(), before);
}

#[test]
fn settings_as_text_keep_their_comments() {
    let folder = folder("merge-config");
    let text = "; mine\n[video]\nfull=false\nsize=1\n";
    let write = |name: &str, text: &str| {
        let path = folder.join(name).to_str().unwrap().to_owned();
        fs::write(&path, text).unwrap();
        path
    };
    let base = write("base.cfg", text);
    let ours = write("ours.cfg", &text.replace("size=1", "size=2"));
    let theirs = write("theirs.cfg", &text.replace("false", "true"));
    let out = write("out.cfg", "");
    run(&["merge", &base, &ours, &theirs, "-o", &out, "--format", "godot4"]).with_status(0);
    let expected = text.replace("size=1", "size=2").replace("false", "true");
    assert_eq!(fs::read_to_string(&out).unwrap(), expected);
}

#[test]
fn layers_of_terrain_builder_are_merged_by_field_and_object() {
    let folder = folder("merge-layers");
    let from = formats().join("alb1/samples/valley.Layers/houses.tv4l");
    let copy = |name: &str, filter: &str| {
        let path = folder.join(name).to_str().unwrap().to_owned();
        fs::copy(&from, &path).unwrap();
        run(&["query", &path, "--tree", "-i", filter, "--no-backup"]).with_status(0);
        path
    };
    let lift = |at: usize, by: u32| {
        format!(
            "([.tree.parts[].groups[]?.objects[].id][{at}]) as $id | (.tree.parts[] | select(.groups) | .groups[].objects[] | select(.id == $id) | .z) += {by}"
        )
    };
    let base = copy("base.tv4l", ".");
    let ours = copy("ours.tv4l", &format!(".mname = \"mine\" | {}", lift(0, 5)));
    let theirs = copy("theirs.tv4l", &lift(1, 9));
    let expected =
        copy("expected.tv4l", &format!(".mname = \"mine\" | {} | {}", lift(0, 5), lift(1, 9)));
    let out = folder.join("out.tv4l").to_str().unwrap().to_owned();
    run(&["merge", &base, &ours, &theirs, "-o", &out]).with_status(0);
    assert_eq!(run(&["diff", &expected, &out]).with_status(0).text(), "");
    run(&["verify", &out]).with_status(0);
    // Both sides lift the same object.
    let theirs = copy("theirs.tv4l", &format!(".mname = \"yours\" | {}", lift(0, 7)));
    let ended = run(&["merge", &base, &ours, &theirs, "-o", &out]).with_status(1);
    assert!(
        ended.text().contains("conflict: mname: ours \"mine\", theirs \"yours\""),
        "{}",
        ended.text()
    );
    assert!(ended.text().contains("conflict: tree[id "), "{}", ended.text());
    assert_eq!(run(&["diff", &ours, &out]).with_status(0).text(), "");
    run(&["merge", &base, &ours, &theirs, "-o", &out, "--theirs"]).with_status(0);
    assert_eq!(run(&["diff", &theirs, &out]).with_status(0).text(), "");
    let save = made(&folder, "a.save", "{}", &["--format", "godot4"]);
    run(&["merge", &base, &ours, &save, "-o", &out]).with_status(2);
}

/// Makes a project of Terrain Builder with new addresses everywhere, as every save does.
#[test]
fn a_project_that_was_only_saved_again_changes_nothing() {
    let folder = folder("merge-saved");
    let from = formats().join("alb1/samples/valley.tv4p");
    let base = from.to_str().unwrap();
    let renumber =
        r#"walk(if type == "object" and has("address") then .address += 4096 else . end)"#;
    let theirs = folder.join("theirs.tv4p").to_str().unwrap().to_owned();
    run(&["query", base, "-i", "-o", &theirs, renumber]).with_status(0);
    assert_eq!(run(&["diff", base, &theirs]).with_status(0).text(), "");
    let out = folder.join("out.tv4p").to_str().unwrap().to_owned();
    run(&["merge", base, base, &theirs, "-o", &out]).with_status(0);
    assert!(fs::read(&out).unwrap() == fs::read(base).unwrap());
    // Only the real change is taken, not the new addresses.
    run(&["set", &theirs, "mname", "hills", "--no-backup"]).with_status(0);
    run(&["merge", base, base, &theirs, "-o", &out]).with_status(0);
    run(&[
        "set",
        &out,
        "mname",
        run(&["get", base, "mname", "--raw"]).text().trim_end(),
        "--no-backup",
    ])
    .with_status(0);
    assert!(fs::read(&out).unwrap() == fs::read(base).unwrap());
}

/// Runs git in a folder, without the settings of the machine.
fn git(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=Ada",
            "-c",
            "user.email=ada@example.org",
            "-c",
            "commit.gpgsign=false",
        ])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .expect("git is there");
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn git_merges_saves_with_the_driver_of_the_help() {
    let folder = folder("merge-git");
    let options = ["--format", "godot4", "--framing", "frames"];
    let must = |arguments: &[&str]| {
        let (is_ok, text) = git(&folder, arguments);
        assert!(is_ok, "{arguments:?}: {text}");
    };
    must(&["init", "-q", "-b", "main"]);
    must(&["config", "merge.formwork.driver", &driver()]);
    fs::write(folder.join(".gitattributes"), "*.save merge=formwork\n").unwrap();
    let commit = |json: &str, message: &str| {
        made(&folder, "game.save", json, &options);
        must(&["add", "."]);
        must(&["commit", "-q", "-m", message]);
    };
    commit(BASE, "base");
    must(&["checkout", "-q", "-b", "theirs"]);
    commit(THEIRS, "theirs");
    must(&["checkout", "-q", "main"]);
    commit(OURS, "ours");
    must(&["merge", "-q", "--no-edit", "theirs"]);
    let file = folder.join("game.save");
    let file = file.to_str().unwrap();
    let merged =
        r#"{"gold":5,"hp":9.5,"bag":["map","rope","lamp"],"at":{"$Vector2":[3.0,2.0]},"new":true}"#;
    assert_eq!(get(file), merged);
    // Both sides change the same values.
    must(&["checkout", "-q", "-b", "again"]);
    commit(&merged.replace("9.5", "1.5"), "one");
    must(&["checkout", "-q", "main"]);
    commit(&merged.replace("9.5", "2.5").replace("true", "false"), "other");
    let (is_ok, text) = git(&folder, &["merge", "--no-edit", "again"]);
    assert!(!is_ok && text.contains("CONFLICT"), "{text}");
    let conflict = "game.save: conflict: hp: ours 2.5, theirs 1.5, base 9.5\n\
                    game.save: 1 conflict; ours is kept there\n";
    assert!(text.contains(conflict), "{text}");
    assert_eq!(get(file), merged.replace("9.5", "2.5").replace("true", "false"));
    assert!(!text.contains(".merge_file"), "{text}");
    // The printed command takes the values of the other side and nothing else.
    let to_take_theirs =
        text.lines().find_map(|line| line.strip_prefix("game.save: to take theirs: "));
    shell(&folder, to_take_theirs.unwrap_or_else(|| panic!("{text}")));
    assert_eq!(get(file), merged.replace("9.5", "1.5").replace("true", "false"));
}

/// Returns the merge driver of the documentation.
fn driver() -> String {
    format!("'{}' merge --git %O %A %B %P", env!("CARGO_BIN_EXE_formwork"))
}

/// Runs a command line of a person.
fn shell(folder: &Path, line: &str) {
    let program = format!("'{}'", env!("CARGO_BIN_EXE_formwork"));
    let line = line.replace("formwork", &program);
    let status = Command::new("sh").args(["-c", &line]).current_dir(folder).status().unwrap();
    assert!(status.success(), "{line}");
}

/// Makes a repository in which two branches changed a file. Returns the output of merging them.
fn merged_in_git(
    name: &str,
    file: &str,
    [base, ours, theirs]: [&[u8]; 3],
) -> (PathBuf, bool, String) {
    let folder = folder(name);
    let must = |arguments: &[&str]| {
        let (is_ok, text) = git(&folder, arguments);
        assert!(is_ok, "{arguments:?}: {text}");
    };
    must(&["init", "-q", "-b", "main"]);
    must(&["config", "merge.formwork.driver", &driver()]);
    fs::write(folder.join(".gitattributes"), "* merge=formwork\n").unwrap();
    let path = folder.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let commit = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        must(&["add", "."]);
        must(&["commit", "-q", "-m", "one"]);
    };
    commit(base);
    must(&["checkout", "-q", "-b", "theirs"]);
    commit(theirs);
    must(&["checkout", "-q", "main"]);
    commit(ours);
    let (is_ok, text) = git(&folder, &["merge", "--no-edit", "theirs"]);
    assert!(!text.contains(".merge_file"), "{text}");
    (path, is_ok, text)
}

#[test]
fn files_without_values_are_merged_as_git_merges_text() {
    let text = |gold: u32, level: u32| {
        let more = "\n".repeat(9);
        format!("gold: {gold}\n{more}level: {level}\n").into_bytes()
    };
    let all = [text(1, 1), text(5, 1), text(1, 7)];
    let (path, is_ok, said) =
        merged_in_git("merge-text", "saves/a b.save", all.each_ref().map(|it| &**it));
    assert!(is_ok, "{said}");
    assert!(said.contains("saves/a b.save: merged as text"), "{said}");
    assert_eq!(fs::read(path).unwrap(), text(5, 7));
    // A line that both sides changed is put between markers.
    let all = [text(1, 1), text(5, 1), text(6, 7)];
    let (path, is_ok, said) =
        merged_in_git("merge-text-conflict", "a.save", all.each_ref().map(|it| &**it));
    assert!(!is_ok && said.contains("a.save: 1 conflict, between markers"), "{said}");
    let left = String::from_utf8(fs::read(path).unwrap()).unwrap();
    assert!(left.contains("<<<<<<< ours\ngold: 5\n=======\ngold: 6\n>>>>>>> theirs\n"), "{left}");
    assert!(left.contains("level: 7"), "{left}");
    // Bytes that cannot be merged stay ours, and the message shows what to type.
    let (path, is_ok, said) =
        merged_in_git("merge-noise", "n.save", [b"GDEC\0\x01", b"GDEC\0\x02", b"GDEC\0\x03"]);
    assert!(!is_ok, "{said}");
    assert_eq!(fs::read(&path).unwrap(), b"GDEC\0\x02");
    let line = said.lines().find_map(|line| line.strip_prefix("n.save: to take theirs: "));
    shell(path.parent().unwrap(), line.unwrap_or_else(|| panic!("{said}")));
    assert_eq!(fs::read(&path).unwrap(), b"GDEC\0\x03");
}

/// Returns a layer with one more object.
fn with_object(folder: &Path, name: &str, line: &str) -> Vec<u8> {
    let from = formats().join("alb1/samples/valley.Layers/houses.tv4l");
    let list = folder.join(format!("{name}.txt"));
    fs::write(&list, line).unwrap();
    let out = folder.join(name);
    let [from, list, out] = [&from, &list, &out].map(|path| path.to_str().unwrap());
    run(&["terrain", "objects", from, "--import", list, "-o", out]).with_status(0);
    fs::read(out).unwrap()
}

#[test]
fn objects_that_two_people_added_are_both_in_the_merged_layer() {
    let base = fs::read(formats().join("alb1/samples/valley.Layers/houses.tv4l")).unwrap();
    let made = folder("merge-added");
    let ours = with_object(&made, "ours.tv4l", "\"barn\";200300;300;0;0;0;1;0;\n");
    let theirs = with_object(&made, "theirs.tv4l", "\"barn\";200900;900;0;0;0;1;0;\n");
    let (path, is_ok, said) =
        merged_in_git("merge-added-git", "v.Layers/houses.tv4l", [&base, &ours, &theirs]);
    assert!(is_ok, "{said}");
    let line = "v.Layers/houses.tv4l: 1 object of theirs taken, 1 of them under a new id";
    assert!(said.contains(line), "{said}");
    assert!(!said.contains("raw bytes"), "{said}");
    let path = path.to_str().unwrap();
    let listed = run(&["terrain", "objects", path]).with_status(0);
    assert!(["\"barn\";200300", "\"barn\";200900"].iter().all(|it| listed.text().contains(it)));
    assert_eq!(listed.text().lines().count(), 6);
    run(&["verify", path]).with_status(0);
}
