//! Conventions of all commands: standard input, colours, notes, completions, manual pages.

use std::fs;
use std::process::Command;

use crate::run::{KIT, command, run, run_with};

fn sample(name: &str) -> String {
    format!("{}/../../formats/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Returns the commands that `--help` lists, and the two that it does not list.
fn commands() -> Vec<String> {
    let help = run(&["--help"]).with_status(0);
    let lines = help.text().lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.take_while(|line| !line.is_empty()).filter_map(|line| {
        let name = line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?;
        name.split(' ').next().map(str::to_owned)
    });
    let hidden = ["completions", "man"].map(str::to_owned);
    let names: Vec<_> = names.chain(hidden).collect();
    assert!(names.len() > 20, "{names:?}");
    names
}

#[test]
fn standard_input_is_read_where_no_file_is_named() {
    let save = fs::read(sample("godot4/golden/4.6.3/files/small.save")).expect("the sample");
    for words in [
        &["info"][..],
        &["decode"],
        &["dump"],
        &["verify"],
        &["show"],
        &["get"],
        &["query"],
        &["convert", "--to", "godot4.5", "-o", "-"],
    ] {
        let unnamed = run_with(words, &save).with_status(0);
        let mut named = words.to_vec();
        named.insert(1, "-");
        assert_eq!(unnamed.stdout, run_with(&named, &save).with_status(0).stdout, "{words:?}");
    }
    let encoded = run_with(&["encode", "--format", "godot4", "-o", "-"], b"7").with_status(0);
    assert_eq!(encoded.stdout, [2, 0, 0, 0, 7, 0, 0, 0]);
    // A file without a command is shown, and so is standard input.
    let shown = run_with(&["show", "-"], &save).with_status(0);
    assert_eq!(run_with::<&str>(&[], &save).with_status(0).stdout, shown.stdout);
    // A filter alone reads standard input, as in jq.
    assert_eq!(run_with(&["query", ".player.level", "-c"], &save).with_status(0).text(), "17\n");
    let layer = fs::read(sample("alb1/samples/valley.Layers/houses.tv4l")).expect("the sample");
    let drawn = run_with(&["graph", "-"], &layer).with_status(0);
    assert_eq!(run_with(&["graph"], &layer).with_status(0).stdout, drawn.stdout);
    // The table of types reads no input.
    run(&["convert", "--table"]).with_status(0);
}

/// Checks that all verbs of `terrain` and the usage in both their helps have the same order.
#[test]
fn terrain_takes_its_verb_in_front_of_the_project() {
    let project = sample("alb1/samples");
    run(&["terrain", "layers", &project]).with_status(0);
    run(&["-q", "--color", "never", "terrain", "objects", "--layer", "houses", &project])
        .with_status(0);
    let mut verbs = 0;
    for words in crate::surface::commands().iter().filter(|it| it.len() > 1 && it[0] == "terrain") {
        let help = [&words[..], &["--help".to_owned()]].concat();
        let usage = format!("Usage: formwork {} [OPTIONS] <PROJECT>", words.join(" "));
        let one = run(&help).with_status(0);
        assert!(one.text().contains(&usage), "{usage}: {}", one.text());
        let other = run(&[&["help".to_owned()], &words[..]].concat()).with_status(0);
        assert!(other.text().contains(&usage), "{usage}: {}", other.text());
        verbs += 1;
    }
    assert_eq!(verbs, 18);
}

#[test]
fn a_colour_can_be_asked_for_and_refused_in_every_command() {
    let save = sample("godot4/golden/4.6.3/files/small.save");
    let has_colour = |options: &[&str], no_color: Option<&str>| {
        let mut command = command(&[&["dump", &save][..], options].concat());
        no_color.map(|value| command.env("NO_COLOR", value));
        command.output().expect("it runs").stdout.contains(&0x1b)
    };
    assert!(has_colour(&["--color", "always"], None));
    assert!(has_colour(&["--color=always"], Some("1")));
    assert!(!has_colour(&["--color", "never"], None));
    assert!(!has_colour(&[], None));
    let mut forced = command(&["dump", &save, "--color", "never"]);
    let forced = forced.env("CLICOLOR_FORCE", "1").output().expect("it runs");
    assert!(!forced.stdout.contains(&0x1b));
    let others = KIT.iter().chain(&["packets"]).map(|name| (*name).to_owned());
    for name in commands().into_iter().chain(others) {
        let help = run(&[name.as_str(), "--help"]).with_status(0);
        for option in ["--color <WHEN>", "--quiet", "--verbose"] {
            assert!(help.text().contains(option), "{name}: {option}");
        }
    }
}

#[test]
fn show_takes_colours_where_they_are_asked_for() {
    let save = sample("godot4/golden/4.6.3/files/small.save");
    let show = ["show", &save, "--path", "player"];
    let coloured = run(&[&show[..], &["--color", "always"]].concat()).with_status(0);
    assert!(coloured.text().contains('\u{1b}'), "{}", coloured.text());
    assert!(!run(&show).with_status(0).text().contains('\u{1b}'));
}

#[test]
fn quiet_leaves_out_notes_and_keeps_results_and_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.save");
    fs::copy(sample("godot4/golden/4.6.3/files/small.save"), &path).expect("a copy");
    let path = path.to_str().expect("a plain name");
    let first = run(&["decode", path, "--compact"]).with_status(0);
    let json: serde_json::Value = serde_json::from_str(first.text()).expect("JSON");
    let key = json.as_object().and_then(|it| it.keys().next()).expect("a key").clone();
    let loud = run(&["set", path, &key, "1", "--type", "any", "--dry-run"]);
    let quiet = run(&["set", path, &key, "1", "--type", "any", "--dry-run", "-q"]);
    assert_eq!(loud.status, quiet.status);
    if loud.status == 0 {
        assert!(!loud.stderr.is_empty() && quiet.stderr.is_empty(), "{}", quiet.stderr);
    }
}

#[test]
fn every_command_that_writes_says_so_in_a_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a plain name").to_owned();
    let save = sample("godot4/golden/4.6.3/files/small.save");
    let layer = sample("alb1/samples/valley.Layers/houses.tv4l");
    let locked = sample("godot4/golden/4.6.3/files/small.encrypted.save");
    let capture = sample("captures/rpc.pcap");
    let out = path("out");
    fs::write(path("made.json"), "{\"a\": 1}").expect("a file");
    run(&["decode", &layer, "-o", &path("layer.json")]).with_status(0);
    for words in [
        &["decode", &save][..],
        &["decode", &layer],
        &["decode", &locked, "--as", "raw", "--password", "correct horse"],
        &["encode", &path("made.json"), "--format", "godot4"],
        &["encode", &path("layer.json")],
        &["set", &save, "player/level", "18"],
        &["rm", &save, "player/level"],
        &["query", &save, ".player.level = 18"],
        &["convert", &save, "--to", "godot4.5"],
        &["info", &save],
        &["dump", &save],
        &["graph", &layer],
        &["packets", &capture],
        &["schema", "--format", "godot4", "--as", "md"],
        &["generate", "--format", "godot4", "--count", "3"],
        &["generate", "--format", "godot4", "--dictionary"],
        &["completions", "bash"],
    ] {
        let ended = run(&[words, &["-o", &out]].concat()).with_status(0);
        // The changes are a result, which goes to standard output.
        let is_change = ["set", "rm"].contains(&words[0]);
        assert_eq!(ended.stdout.is_empty(), !is_change, "{words:?}: {}", ended.text());
        assert_eq!(ended.stderr.is_empty(), is_change, "{words:?}");
        let ended = run(&[words, &["-o", &out, "-q"]].concat()).with_status(0);
        assert_eq!(ended.stderr, "", "{words:?}");
        fs::remove_file(&out).expect("it was written");
    }
    let size = fs::metadata(path("layer.json")).expect("it is there").len();
    let ended = run(&["decode", &layer, "-o", &path("layer.json")]).with_status(0);
    assert_eq!(ended.stderr, format!("{}: {size} bytes\n", path("layer.json")));
    // A dry run also prints the size.
    let ended = run(&["encode", &path("layer.json"), "-o", &path("new.tv4l"), "--dry-run"]);
    let size = fs::metadata(&layer).expect("it is there").len();
    let said = format!("would write to {}: {size} bytes\n", path("new.tv4l"));
    assert_eq!(ended.with_status(0).stderr, said);
    assert!(fs::metadata(path("new.tv4l")).is_err());
}

#[test]
fn completions_are_printed_for_four_shells_and_know_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = run(&["completions", shell]).with_status(0);
        for name in commands() {
            assert!(script.text().contains(&name), "{shell}: {name}");
        }
        assert!(script.text().contains("no-backup"), "{shell}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("formwork.bash");
    run(&["completions", "bash", "-o", script.to_str().expect("a name")]).with_status(0);
    let Ok(bash) = Command::new("bash")
        .arg("-c")
        .arg(format!(
            "source {} && COMP_WORDS=(formwork conv) COMP_CWORD=1 && \
             _formwork formwork conv formwork && echo \"${{COMPREPLY[@]}}\"",
            script.display()
        ))
        .output()
    else {
        println!("skipped: there is no bash");
        return;
    };
    let said = String::from_utf8_lossy(&bash.stdout).into_owned();
    assert_eq!(said.trim(), "convert", "{}", String::from_utf8_lossy(&bash.stderr));
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let into = folder.path().join("man/man1");
    run(&["man", "--into", into.to_str().expect("a name")]).with_status(0);
    for name in commands() {
        let page = fs::read_to_string(into.join(format!("formwork-{name}.1"))).expect(&name);
        assert!(page.contains(".SH NAME") && page.contains("Exit status"), "{name}: {page}");
    }
    let mut kit = Command::new(env!("CARGO_BIN_EXE_formwork-kit"));
    assert!(kit.args(["man", "--into"]).arg(&into).output().expect("it runs").status.success());
    for name in KIT {
        let page = fs::read_to_string(into.join(format!("formwork-kit-{name}.1"))).expect(name);
        assert!(page.contains(".SH NAME") && page.contains("Exit status"), "{name}: {page}");
    }
    let own = run(&["man"]).with_status(0);
    assert_eq!(own.text(), fs::read_to_string(into.join("formwork.1")).expect("a page"));
}

#[test]
fn json_is_one_option_of_every_command_that_prints_something_for_programs() {
    let others = [
        // These are groups of commands.
        "",
        "terrain",
        // These print pages.
        "schema",
        "man",
        // This prints a script of a shell.
        "completions",
        // This answers in the decoder protocol.
        "respond",
        // This writes a packet, and prints its progress for a person.
        "shrink",
    ];
    let mut lacking = Vec::new();
    for words in crate::surface::commands() {
        let help = [&words[..], &["--help".to_owned()]].concat();
        let has = run(&help).with_status(0).text().contains("--json");
        let name = words.join(" ");
        if has == others.contains(&name.as_str()) {
            lacking.push(name);
        }
    }
    assert_eq!(lacking, [""; 0], "these lack --json, or are no exception any more");
    let layer = sample("alb1/samples/valley.Layers/houses.tv4l");
    let graph = run(&["graph", &layer, "--json"]).with_status(0);
    assert_eq!(graph.stdout, run(&["graph", &layer, "--as", "json"]).with_status(0).stdout);
    serde_json::from_str::<serde_json::Value>(graph.text()).expect("JSON");
    let capture = sample("captures/rpc.pcap");
    let packets = run(&["packets", &capture, "--json"]);
    assert_eq!(packets.stdout, run(&["packets", &capture]).stdout);
}
