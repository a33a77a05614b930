//! The pictures of the README and of `docs/`: the content of a terminal as SVG.

use std::path::Path;

use anstyle::RgbColor;
use anstyle_svg::{Palette, Term};
use snapbox::Data;

use crate::{compare, furnish, repository, shell};

/// The pictures: the name of each, and the commands in it, which run in a new folder.
const PICTURES: [(&str, &[&str]); 13] = [
    ("decode", &["formwork info player.save", "formwork decode player.save"]),
    ("show", &["formwork player.save", "formwork level.save --path player/position"]),
    (
        "set",
        &[
            "formwork get player.save player/gold",
            "formwork set player.save player/gold 9999 player/name Eve",
            "formwork diff player.save.bak player.save",
        ],
    ),
    // The editor of this picture changes a number.
    ("edit", &["EDITOR='sed -i s/72.5/99.5/' formwork edit player.save"]),
    (
        "query",
        &[
            "formwork query level.save '.inventory[] | select(.qty > 50) | .name'",
            "formwork query level.save '.player.position | ., .x' -c",
            "formwork query level.save -i '.inventory[].qty |= . + 1'",
        ],
    ),
    (
        "merge",
        &[
            "formwork set level.save player/level 18 player/hp 10 -o mine.save",
            "formwork set level.save player/hp 20 inventory/0/qty 1 -o theirs.save",
            "formwork merge level.save mine.save theirs.save -o merged.save",
        ],
    ),
    (
        "folder",
        &[
            "mkdir saves && cp level.save odd.bin notes.txt hero.res saves",
            "formwork info saves",
            "formwork verify saves",
        ],
    ),
    (
        "convert",
        &[
            "formwork convert cells.save --to godot3 -o three.save",
            "formwork convert cells.save --to godot3 -o three.save --lossy",
        ],
    ),
    ("dump", &["formwork dump -q --depth 3 cut.save | tail -n 12"]),
    ("values", &["formwork diff old.save level.save | head -n 12"]),
    (
        "diff",
        &[
            "formwork terrain paths . --replace 'P:\\valley' 'P:\\maps\\valley' -o moved.tv4p",
            "formwork diff valley.tv4p moved.tv4p | head -n 12",
        ],
    ),
    ("terrain", &["formwork terrain layers .", "formwork terrain stats ."]),
    (
        "finding",
        &["formwork-kit fuzz --format godot3 --target 'python3 decoder.py' --as text \\\n    \
           --stop-after 1 --no-growth | head -n 6"],
    ),
];

/// The most columns of a picture: the letters of a wider one are too small on a page.
const WIDEST: usize = 130;

/// Colours that are readable on their background and on pages of any colour.
const GROUND: RgbColor = RgbColor(0x1b, 0x1d, 0x23);
const TEXT: RgbColor = RgbColor(0xd6, 0xd8, 0xde);
const COLOURS: Palette = Palette([
    RgbColor(0x45, 0x49, 0x54),
    RgbColor(0xff, 0x7b, 0x72),
    RgbColor(0x7e, 0xd4, 0x91),
    RgbColor(0xe3, 0xb3, 0x41),
    RgbColor(0x79, 0xb8, 0xff),
    RgbColor(0xd2, 0xa8, 0xff),
    RgbColor(0x56, 0xc8, 0xd8),
    TEXT,
    RgbColor(0x8b, 0x91, 0xa0),
    RgbColor(0xff, 0xa1, 0x98),
    RgbColor(0xa5, 0xe8, 0xb0),
    RgbColor(0xf2, 0xcc, 0x60),
    RgbColor(0xa5, 0xd0, 0xff),
    RgbColor(0xe2, 0xc5, 0xff),
    RgbColor(0x8a, 0xe0, 0xec),
    RgbColor(0xff, 0xff, 0xff),
]);

/// Returns the sample responder in Python without its handling of zero bytes in a String.
fn faulty(repository: &Path) -> String {
    let responder = repository.join("examples/responders/responder.py");
    let responder = std::fs::read_to_string(responder).expect("the sample is there");
    let faulty = responder.replace("raise Skipped(\"a String that Godot cuts\")", "pass");
    assert_ne!(faulty, responder, "the sample has that line");
    faulty
}

pub(super) fn pictures_show_what_the_program_prints() {
    let repository = repository();
    let python = shell("python3 --version", &repository).output().expect("a shell");
    for (name, commands) in PICTURES {
        if name == "finding" && !python.status.success() {
            eprintln!("no Python here: the picture of a finding is not compared");
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder can be made");
        furnish(&repository, folder.path());
        std::fs::write(folder.path().join("decoder.py"), faulty(&repository)).expect("written");
        let mut seen = String::new();
        for command in commands {
            seen.push_str(&format!("\u{1b}[1m$ {command}\u{1b}[0m\n"));
            let mut shell = shell(&format!("exec 2>&1\n{command}"), folder.path());
            let output = shell.env("CLICOLOR_FORCE", "1").output().expect("a shell");
            seen.push_str(std::str::from_utf8(&output.stdout).expect("the output is UTF-8"));
            seen.push('\n');
        }
        let lines = anstream::adapter::strip_str(&seen).to_string();
        for line in lines.lines() {
            assert!(line.chars().count() <= WIDEST, "{name}: {line}");
        }
        let picture = Term::new()
            .palette(COLOURS)
            .fg_color(TEXT.into())
            .bg_color(GROUND.into())
            .render_svg(seen.trim_end());
        let path = repository.join(format!("docs/pictures/{name}.svg"));
        compare(&picture, Data::read_from(&path, None).raw());
    }
}

pub(super) fn the_map_in_the_pages_is_what_the_program_draws() {
    let repository = repository();
    let folder = tempfile::tempdir().expect("a folder can be made");
    furnish(&repository, folder.path());
    let drawn =
        shell("formwork terrain plot valley.tv4p", folder.path()).output().expect("a shell");
    assert!(drawn.status.success());
    let path = repository.join("docs/pictures/plot.svg");
    let picture = std::str::from_utf8(&drawn.stdout).expect("it is UTF-8");
    compare(picture, Data::read_from(&path, None).raw());
}
