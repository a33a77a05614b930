//! Help, colours, `schema`, and other things that meet the eye.

use crate::run::{command, run};

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
        "graph",
    ] {
        let help = run(&[name, "--help"]).with_status(0);
        for line in help.text().lines() {
            assert!(line.chars().count() <= 100, "{name}: {line}");
        }
        assert!(help.text().contains("Exit status: 0"), "{name}");
        assert!(
            help.text().contains("Example") || help.text().contains("There and back"),
            "{name}"
        );
    }
}

#[test]
fn no_colours_where_there_is_no_terminal_and_some_where_they_are_forced() {
    let packet =
        concat!(env!("CARGO_MANIFEST_DIR"), "/formats/godot3/golden/3.6.2/files/small.save");
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
    for dialect in formwork::Dialect::all() {
        assert!(list.text().contains(&format!("| {dialect} |")), "{dialect}");
        let page = run(&["schema", "--format", &dialect.name(), "--as", "md"]).with_status(0);
        assert_eq!(page.text(), formwork::schema::markdown(dialect));
    }
    let page = run(&["schema", "--format", "containers"]).with_status(0);
    assert_eq!(page.text(), formwork::schema::container_markdown());
}
