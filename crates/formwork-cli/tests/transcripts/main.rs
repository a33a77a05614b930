//! The output of the program as pages to read: help, successes and failures, and the commands of the README
//! and of `docs/`.
//!
//! A page is Markdown. In its blocks of the language `console`, a shell runs each line `$ COMMAND`. A line `?
//! N` below it is an exit status other than 0, and the next lines are the output of the command. A line `...`
//! matches any lines, and `[..]` matches any part of a line. The commands of a page run in order, in a new
//! folder with the files of [`furnish`].
//!
//! `SNAPSHOTS=overwrite cargo test -p formwork-cli --test transcripts` updates the pages and pictures.

mod examples;
mod json_lines;
#[allow(dead_code, reason = "the example is a program")]
#[path = "../../../../examples/own_program.rs"]
mod own_program;
mod picture;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;

use snapbox::filter::NormalizeToExpected;
use snapbox::{Assert, Data, Redactions};

/// The name of the program for user-defined formats: called by this name, the test itself is
/// `examples/own_program.rs`.
const OWN_PROGRAM: &str = "own_program";

const TESTS: [(&str, fn()); 5] = [
    ("pages_show_what_the_program_prints", pages_show_what_the_program_prints),
    ("pictures_show_what_the_program_prints", picture::pictures_show_what_the_program_prints),
    (
        "the_map_in_the_pages_is_what_the_program_draws",
        picture::the_map_in_the_pages_is_what_the_program_draws,
    ),
    (
        "the_json_of_every_command_is_as_the_schema_says",
        json_lines::the_json_of_every_command_is_as_the_schema_says,
    ),
    (
        "the_examples_in_every_help_are_commands_that_are_understood",
        examples::the_examples_in_every_help_are_commands_that_are_understood,
    ),
];

/// Runs the program for user-defined formats if the test is called by its name. Else it runs all tests, or
/// those whose names contain an argument.
fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    if arguments.next().is_some_and(|name| Path::new(&name).ends_with(OWN_PROGRAM)) {
        return own_program::main();
    }
    let wanted: Vec<_> = arguments
        .filter_map(|argument| argument.into_string().ok())
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|it| name.contains(&**it));
    let all_hold = std::thread::scope(|scope| {
        let tests = TESTS.iter().filter(|(name, _)| cfg!(unix) && is_wanted(name));
        let tests: Vec<_> = tests.map(|(name, test)| (name, scope.spawn(test))).collect();
        tests.into_iter().fold(true, |all_hold, (name, test)| {
            let holds = test.join().is_ok();
            println!("test {name} ... {}", if holds { "ok" } else { "FAILED" });
            all_hold && holds
        })
    });
    if all_hold { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn pages_show_what_the_program_prints() {
    let repository = repository();
    let mut pages = vec![repository.join("README.md")];
    pages.extend(pages_in(&repository.join("docs")));
    pages.extend(pages_in(&repository.join("crates/formwork-cli/tests/transcripts")));
    for page in pages {
        let folder = tempfile::tempdir().expect("a folder can be made");
        furnish(&repository, folder.path());
        let expected = Data::read_from(&page, None).raw();
        let text = fs::read_to_string(&page).expect("the page is there");
        if text.contains(OWN_PROGRAM) {
            for name in ["rgb.png", "wrong_crc.png", "list.wav"] {
                let sample = repository.join("examples/formats/samples").join(name);
                fs::copy(sample, folder.path().join(name)).expect("the sample is there");
            }
        }
        compare(&run(&text, folder.path()), expected);
    }
}

/// Compares a text with a file, or writes the file if `SNAPSHOTS` is set so.
fn compare(text: &str, expected: Data) {
    Assert::new().action_env("SNAPSHOTS").eq(Data::text(text).raw(), expected);
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("a workspace").to_path_buf()
}

/// Returns the pages in a folder, sorted by name.
fn pages_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut pages: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    pages.sort();
    pages
}

/// Returns the page with the present output of its commands.
fn run(page: &str, folder: &Path) -> String {
    let (mut made, mut lines) = (String::new(), page.lines().peekable());
    let mut inside = false;
    while let Some(line) = lines.next() {
        made.push_str(line);
        made.push('\n');
        if line.starts_with("```") {
            inside = !inside && line == "```console";
        }
        let Some(command) = line.strip_prefix("$ ").filter(|_| inside) else { continue };
        let mut expected = String::new();
        while let Some(line) =
            lines.next_if(|line| !line.starts_with("$ ") && !line.starts_with("```"))
        {
            expected.push_str(line);
            expected.push('\n');
        }
        let printed = printed(command, folder);
        let kept = NormalizeToExpected::new()
            .redact_with(&Redactions::new())
            .normalize(Data::text(printed), &Data::text(expected.trim_end_matches('\n')));
        let kept = kept.to_string();
        made.push_str(&kept);
        if !kept.is_empty() {
            made.push('\n');
        }
        if lines.peek().is_some_and(|line| line.starts_with("$ ")) {
            made.push('\n');
        }
    }
    made
}

/// Returns the output of a command without empty lines at the end. An exit status other than 0 comes first.
fn printed(command: &str, folder: &Path) -> String {
    let output = shell(&format!("exec 2>&1\n{command}"), folder).output().expect("a shell");
    let mut printed = String::new();
    match output.status.code() {
        Some(0) => {}
        status => writeln!(printed, "? {}", status.expect("no signal ends it")).expect("a string"),
    }
    printed.push_str(std::str::from_utf8(&output.stdout).expect("the output is UTF-8"));
    printed.truncate(printed.trim_end_matches('\n').len());
    printed
}

/// Returns the folder that has this test as the program for user-defined formats.
fn own_program_folder() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let test = std::env::current_exe().expect("the test is a file");
        #[cfg(unix)]
        std::os::unix::fs::symlink(test, folder.path().join(OWN_PROGRAM)).expect("a link");
        folder
    });
    folder.path()
}

/// Returns a shell that has the program on its path.
fn shell(command: &str, folder: &Path) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_formwork"));
    let own = program.parent().expect("the program is in a folder").to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = [own, own_program_folder().to_path_buf()].into_iter();
    let folders = folders.chain(std::env::split_paths(&path));
    let path = std::env::join_paths(folders).expect("no folder has a separator in its name");
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder).env("PATH", path).env("COLUMNS", "80");
    shell.env_remove("CLICOLOR_FORCE").env_remove("NO_COLOR");
    // Git is without the settings of the machine.
    shell.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    shell
}

/// Puts the files that the pages use into a folder.
fn furnish(repository: &Path, folder: &Path) {
    let formats = repository.join("formats");
    for (name, sample) in [
        ("level.save", "godot4/golden/4.6.3/files/small.save"),
        ("locked.save", "godot4/golden/4.6.3/files/small.encrypted.save"),
        ("old.save", "godot3/golden/3.6.2/files/small.save"),
        ("packed.save", "godot3/golden/3.6.2/files/small.zstd.save"),
        ("game.pck", "pack/samples/3.2.3/export.pck"),
        ("game.x86_64", "pack/samples/4.6.3/embedded.x86_64"),
        ("sealed.pck", "pack/samples/4.6.3/encrypted.pck"),
        ("nosums.pck", "pack/samples/3.6.2/packer.pck"),
        ("sums.pck", "pack/samples/3.6.2/export.pck"),
        ("plain.pck", "pack/samples/4.7-dev/plain.pck"),
        ("patch.pck", "pack/samples/4.7-dev/patch.pck"),
        ("project.binary", "settings/samples/4.6.3.settings.binary"),
        ("settings.cfg", "config_file/samples/4.6.3.config.cfg"),
        ("sealed.cfg", "config_file/samples/4.6.3.config.encrypted.cfg"),
        ("lines.save", "json_text/samples/3.2.3.lines.save"),
        ("printed.json", "json_text/samples/3.2.3.printed.json"),
        ("sealed.json", "json_text/samples/3.2.3.lines.encrypted.save"),
        ("inside.save", "json_text/samples/3.2.3.inside.save"),
        ("rpc.pcap", "captures/rpc.pcap"),
        ("enemy.gdc", "script/samples/godot-4.6.3-packed.gdc"),
        ("hero.res", "resource/samples/godot-4.6.3/hero.res"),
        ("valley.tv4p", "alb1/samples/valley.tv4p"),
        ("valley.Layers/houses.tv4l", "alb1/samples/valley.Layers/houses.tv4l"),
        ("valley.Layers/old trees.tv4l", "alb1/samples/valley.Layers/old trees.tv4l"),
        ("valley.Shapes/fields.tv4s", "alb1/samples/valley.Shapes/fields.tv4s"),
        ("TemplateLibs/houses.tml", "alb1/samples/TemplateLibs/houses.tml"),
        ("TemplateLibs/trees.tml", "alb1/samples/TemplateLibs/trees.tml"),
    ] {
        let to = folder.join(name);
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder can be made");
        fs::copy(formats.join(sample), to).expect("the sample is there");
    }
    let player = r#"{
        "player": {"name": "Ada", "gold": 100, "hp": 72.5, "position": {"$Vector2": [12.5, 4.0]}},
        "inventory": ["lamp", "rope"],
        "level": 3
    }"#;
    let cells = r#"{"player": {"cell": {"$Vector2i": [3, 4]}, "home": {"$Vector2i": [0, 0]}}}"#;
    let several = r#"[1, "two", 3.0]"#;
    let color = r#"{"$Color": [1.0, 0.0, 0.0, 1.0]}"#;
    for (json, options) in [
        (player, "--format godot4 -o player.save"),
        (cells, "--format godot4 -o cells.save"),
        (several, "--format godot4 --framing frames --all -o several.save"),
        (color, "--format godot3 -o color.bin"),
    ] {
        fs::write(folder.join("made.json"), json).expect("a file can be written");
        let made = printed(&format!("formwork encode made.json {options}"), folder);
        assert!(!made.starts_with('?'), "{made}");
    }
    fs::remove_file(folder.join("made.json")).expect("the file is there");
    let read = |name: &str| fs::read(folder.join(name)).expect("the file is there");
    let half = |name: &str| read(name)[..read(name).len() / 2].to_vec();
    let rich = player.replace("100", "9999");
    let utf_16 = player.encode_utf16().flat_map(u16::to_le_bytes);
    for (name, bytes) in [
        ("cut.save", half("level.save")),
        ("torn.save", half("player.save")),
        ("torn.tv4l", half("valley.Layers/houses.tv4l")),
        ("torn.pcap", half("rpc.pcap")),
        ("header.save", [&b"MYGAME v1.0.0\0\0\0"[..], &read("player.save")].concat()),
        // The engine writes 0 or 1 for a bool.
        ("odd.bin", vec![1, 0, 0, 0, 2, 0, 0, 0]),
        ("noise.bin", vec![0xff; 24]),
        ("empty.save", Vec::new()),
        ("notes.txt", b"Buy lamp oil.\n".to_vec()),
        ("list.txt", b"\"cottage\";200010.0;5.0;0.0;0.0;0.0;1.0;0.0;\n".to_vec()),
        ("rich.json", rich.clone().into()),
        ("comma.json", rich.replace("9999,", "9999").into()),
        ("short.json", rich.replace("[12.5, 4.0]", "[12.5]").into()),
        ("unknown.json", rich.replace("$Vector2", "$Vector9").into()),
        ("cells.json", cells.into()),
        ("utf16.json", [0xff, 0xfe].into_iter().chain(utf_16).collect()),
    ] {
        fs::write(folder.join(name), bytes).expect("a file can be written");
    }
}
