//! The pictures of the README and of `docs/`: what a terminal shows, as SVG.

use anstyle_svg::Term;
use snapbox::Data;

use crate::{compare, furnish, repository, shell};

/// Each picture: its name, and the commands that are seen in it.
const PICTURES: [(&str, &[&str]); 4] = [
    ("decode", &["formwork info player.save", "formwork decode player.save"]),
    ("dump", &["formwork dump --depth 3 cut.save | tail -n 12"]),
    ("diff", &["formwork diff valley.tv4p moved.tv4p | head -n 12"]),
    (
        "finding",
        &["formwork fuzz --format godot3 --target 'python3 responder.py' --as text \\\n    \
           --stop-after 1 --no-growth | head -n 6"],
    ),
];

#[test]
fn pictures_show_what_the_program_prints() {
    let repository = repository();
    let folder = tempfile::tempdir().expect("a folder can be made");
    furnish(&repository, folder.path());
    let responder = repository.join("examples/responders/responder.py");
    std::fs::copy(responder, folder.path().join("responder.py")).expect("the sample is there");
    let moved = "formwork terrain . paths --replace 'P:\\valley' 'P:\\maps\\valley' -o moved.tv4p";
    assert!(shell(moved, folder.path()).status().expect("a shell").success());
    let python = shell("python3 --version", folder.path()).output().expect("a shell");
    for (name, commands) in PICTURES {
        if name == "finding" && !python.status.success() {
            eprintln!("no Python here: the picture of a finding is not compared");
            continue;
        }
        let mut seen = String::new();
        for command in commands {
            seen.push_str(&format!("\u{1b}[1m$ {command}\u{1b}[0m\n"));
            let mut shell = shell(&format!("exec 2>&1\n{command}"), folder.path());
            let output = shell.env("CLICOLOR_FORCE", "1").output().expect("a shell");
            seen.push_str(std::str::from_utf8(&output.stdout).expect("the output is UTF-8"));
            seen.push('\n');
        }
        let picture = Term::new().render_svg(seen.trim_end());
        let path = repository.join(format!("docs/pictures/{name}.svg"));
        compare(&picture, Data::read_from(&path, None).raw());
    }
}

#[test]
fn the_map_in_the_pages_is_what_the_program_draws() {
    let repository = repository();
    let folder = tempfile::tempdir().expect("a folder can be made");
    furnish(&repository, folder.path());
    let drawn =
        shell("formwork terrain valley.tv4p plot", folder.path()).output().expect("a shell");
    assert!(drawn.status.success());
    let path = repository.join("docs/pictures/plot.svg");
    let picture = std::str::from_utf8(&drawn.stdout).expect("it is UTF-8");
    compare(picture, Data::read_from(&path, None).raw());
}
