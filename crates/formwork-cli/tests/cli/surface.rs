//! Help, colours, `schema`, and other visible output.

use crate::run::{KIT, command, run, run_with};

#[test]
fn help_starts_with_what_most_people_need() {
    for arguments in [&["--help"][..], &["-h"]] {
        let help = run(arguments).with_status(0);
        let places: Vec<_> = ["formwork info", "formwork decode", "formwork encode"]
            .map(|command| help.text().find(command).expect(command))
            .into();
        assert!(places.is_sorted(), "{}", help.text());
    }
    for name in [
        "info", "decode", "encode", "convert", "diff", "dump", "verify", "schema", "respond",
        "graph", "packets",
    ] {
        let help = run(&[name, "--help"]).with_status(0);
        assert!(help.text().contains("Exit status: 0"), "{name}");
        assert!(
            help.text().contains("Example") || help.text().contains("There and back"),
            "{name}"
        );
    }
}

#[test]
fn the_list_of_commands_fits_a_terminal_and_other_programs_are_named() {
    for option in ["--help", "-h"] {
        let help = command(&[option]).env("COLUMNS", "80").output().expect("it runs");
        let help = String::from_utf8(help.stdout).expect("the output is UTF-8");
        let last = help.lines().position(|line| line.starts_with("  terrain ")).expect("the last");
        assert!(last < 24, "{help}");
        assert!(help.lines().take(24).all(|line| line.chars().count() <= 80), "{help}");
    }
    for name in KIT.iter().chain(&["packets"]) {
        let program = if *name == "packets" { "formwork-capture" } else { "formwork-kit" };
        for words in [&["--color", "never", name, "--format", "godot3"][..], &["help", name]] {
            let ended = std::process::Command::new(env!("CARGO_BIN_EXE_formwork"))
                .args(words)
                .output()
                .expect("it runs");
            assert_eq!((ended.status.code(), ended.stdout.len()), (Some(2), 0));
            let said = String::from_utf8(ended.stderr).expect("messages are UTF-8");
            assert!(said.starts_with("error: ") && said.contains(program), "{said}");
        }
    }
    for program in [env!("CARGO_BIN_EXE_formwork-kit"), env!("CARGO_BIN_EXE_formwork-capture")] {
        for words in [&["man"][..], &["completions", "bash"], &["--help"], &["--version"]] {
            let ended = std::process::Command::new(program).args(words).output().expect("it runs");
            let said = String::from_utf8_lossy(&ended.stdout).replace('\\', "");
            let name = std::path::Path::new(program).file_stem().expect("a name").to_string_lossy();
            assert!(ended.status.success() && said.contains(&*name), "{words:?}: {said}");
        }
    }
}

/// Returns the help of a command on a terminal of this width.
fn help(words: &[String], columns: usize) -> String {
    let mut arguments = words.to_vec();
    arguments.push("--help".to_owned());
    let ended = command(&arguments).env("COLUMNS", columns.to_string()).output().expect("it runs");
    assert!(ended.status.success(), "{words:?}");
    String::from_utf8(ended.stdout).expect("the output is UTF-8")
}

/// Returns every command and its subcommands, as the help lists them.
pub(crate) fn commands() -> Vec<Vec<String>> {
    let (mut found, mut waiting) = (Vec::new(), vec![Vec::new()]);
    while let Some(words) = waiting.pop() {
        let page = help(&words, 100);
        let list = page.lines().skip_while(|line| *line != "Commands:").skip(1);
        for line in list.take_while(|line| !line.is_empty()) {
            let name = line.strip_prefix("  ").filter(|line| !line.starts_with(' '));
            let Some(name) = name.and_then(|line| line.split(' ').next()) else { continue };
            if name != "help" {
                waiting.push(words.iter().cloned().chain([name.to_owned()]).collect());
            }
        }
        found.push(words);
    }
    assert!(found.len() > 20, "{found:?}");
    let others = KIT.iter().chain(&["packets", "completions", "man"]);
    found.extend(others.map(|name| vec![(*name).to_owned()]));
    found
}

/// Returns the part of a help page without lists of options. It starts after the last heading that has an
/// option under it.
fn below_the_options(page: &str) -> Vec<&str> {
    let lines: Vec<&str> = page.lines().collect();
    let last = lines.iter().position(|line| line.trim_start().starts_with("-h, --help"));
    let last = last.expect("every page has the option --help");
    let starts = |at: &usize| {
        let heading = lines[*at].ends_with(':') && lines[*at + 1].trim_start().starts_with('-');
        !lines[*at].is_empty() && !lines[*at].starts_with(' ') && !heading
    };
    (last..lines.len()).find(starts).map_or(Vec::new(), |at| lines[at..].to_vec())
}

/// Examples can be copied: each line is complete or ends with a backslash.
#[test]
fn no_example_is_broken_at_any_width() {
    for words in commands() {
        let pages = [80, 90, 100].map(|columns| help(&words, columns));
        let examples = |page: &str| -> Vec<String> {
            let lines = below_the_options(page).into_iter();
            lines.filter(|line| line.starts_with(' ')).map(str::to_owned).collect()
        };
        for page in &pages {
            assert_eq!(examples(page), examples(&pages[0]), "{words:?}");
        }
        // The usage is one line at any width.
        for line in pages[0].lines().filter(|line| !line.starts_with("Usage: ")) {
            assert!(line.chars().count() <= 80, "{words:?}: {line}");
        }
    }
}

/// Text fills the width: no line that was wrapped by hand is wrapped again.
#[test]
fn no_word_stands_alone_in_a_paragraph_of_a_help_page() {
    for words in commands() {
        for columns in [80, 100] {
            let page = help(&words, columns);
            for pair in below_the_options(&page).windows(2) {
                let [line, next] = pair else { continue };
                let prose = |line: &str| !line.is_empty() && !line.starts_with(' ');
                if prose(line) && prose(next) && !line.ends_with(':') {
                    let word = next.split(' ').next().unwrap_or_default();
                    let filled = line.chars().count() + 1 + word.chars().count();
                    assert!(filled > columns, "{words:?}: {line}");
                }
            }
        }
    }
}

#[test]
fn no_colours_where_there_is_no_terminal_and_some_where_they_are_forced() {
    let packet =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../formats/godot3/golden/3.6.2/files/small.save");
    let arguments = ["dump", packet, "--format", "godot3", "--framing", "frames"];
    assert!(!run(&arguments).with_status(0).stdout.contains(&0x1b));
    let forced = command(&arguments).env("CLICOLOR_FORCE", "1").output().expect("it runs");
    assert!(forced.stdout.contains(&0x1b));
    let both = command(&arguments).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").output();
    assert!(!both.expect("it runs").stdout.contains(&0x1b));
}

#[test]
fn schema_lists_formats_and_describes_each() {
    let list = run(&["schema"]).with_status(0);
    for dialect in formwork_variant::Dialect::all() {
        assert!(list.text().contains(&format!("| {dialect} |")), "{dialect}");
        let page = run(&["schema", "--format", &dialect.name(), "--as", "md"]).with_status(0);
        assert_eq!(page.text(), formwork_godot::pages::variant_page(dialect));
    }
    let page = run(&["schema", "--format", "containers"]).with_status(0);
    assert_eq!(page.text(), formwork_godot::pages::container_page());
}

/// Scripts with earlier names of options still run.
#[test]
fn earlier_names_of_options_still_work_and_are_not_shown() {
    let packet: &[u8] = &[1, 0, 0, 0, 2, 0, 0, 0];
    let file = ["--format", "godot4", "--framing", "bare"];
    let verify = ["verify", "-", "--attitude", "engine", "--all-deviations"];
    run_with(&[&verify[..], &file].concat(), packet).with_status(0);
    let wrapped = ["encode", "-", "--format", "godot4", "--container", "gzip", "-o", "-"];
    assert!(run_with(&wrapped, b"7").with_status(0).stdout.starts_with(b"GCPF"));
    for words in commands() {
        let page = help(&words, 80);
        for earlier in ["--attitude", "--container ", "--all-deviations"] {
            assert!(!page.contains(earlier), "{words:?}: {earlier}");
        }
    }
}
