//! Runs the examples in the help of every command.

use std::fs;
use std::path::Path;

use crate::{furnish, printed, repository};

/// Programs in examples that are not on every machine: other tools, an editor, the user's decoder.
const ELSEWHERE: [&str; 12] = [
    "tcpdump",
    "my-responder",
    "decoder",
    "./decode",
    "responder",
    "still_crashes",
    "./import",
    "EDITOR=",
    "VISUAL=",
    "formwork edit",
    "dot ",
    "git ",
];

/// Returns the commands that a help page lists.
fn listed(page: &str) -> Vec<String> {
    let lines = page.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.take_while(|line| !line.is_empty()).filter_map(|line| {
        let name = line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?;
        name.split(' ').next().map(str::to_owned)
    });
    names.filter(|name| name != "help").collect()
}

/// Returns the commands among the lines of a help page, without the remarks next to them.
fn examples(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let starts =
            ["  formwork ", "  formwork-kit ", "  formwork-capture ", "  echo ", "  printf "];
        if !starts.iter().any(|start| line.starts_with(start)) {
            continue;
        }
        let mut whole = line.trim().to_owned();
        while let Some(start) = whole.strip_suffix('\\') {
            whole = format!("{start}{}", lines.next().expect("it goes on").trim());
        }
        // The remark comes after two blanks.
        found.push(whole.split("  ").next().unwrap_or_default().to_owned());
    }
    found
}

/// Makes the files that the examples name.
fn world(folder: &Path, is_encrypted: bool) {
    furnish(&repository(), folder);
    let file = |name: &str| folder.join(name);
    let copy = |from: &str, to: &str| {
        fs::create_dir_all(file(to).parent().expect("a folder")).expect("a folder");
        fs::copy(file(from), file(to)).expect(from);
    };
    let game = r#"{"player": {"name": "Ada", "gold": 100, "level": 2.5, "id": 1, "curse": true,
        "bag": ["lamp", "rope"], "position": {"$Vector2": [12.5, 4.0]}}}"#;
    fs::write(file("game.json"), game).expect("a file");
    fs::write(file("value.txt"), "{\"gold\": 100}").expect("a file");
    fs::write(file("settings.txt"), "[player]\n\nname=\"Ada\"\n").expect("a file");
    fs::write(file("note.txt"), "lamp oil\n").expect("a file");
    fs::write(file("portrait.png"), "\u{89}PNG").expect("a file");
    fs::write(file("password.txt"), "correct horse\n").expect("a file");
    let run = |command: &str| {
        let said = printed(command, folder);
        assert!(!said.starts_with('?'), "{command}: {said}");
    };
    let wrapper = if is_encrypted { " --wrapper encrypted --password 'correct horse'" } else { "" };
    run(&format!("formwork encode game.json --format godot4 -o game.save{wrapper}"));
    run("formwork encode game.json --format godot3 -o packet.bin");
    run("formwork encode settings.txt --as raw --format godot4 --wrapper encrypted \
         --password 'correct horse' -o settings.cfg");
    for (from, to) in [
        ("several.save", "replay.bin"),
        ("game.save", "saves/a.save"),
        ("game.pck", "game.pck.bak"),
        ("game.save", "game.save.bak"),
        ("game.save", "game.save.bak.2"),
        ("game.save", "game.save.bak.3"),
        ("game.save", "new.save"),
        ("game.save", "old.save"),
        ("valley.Layers/houses.tv4l", "houses.tv4l"),
        ("valley.Layers/houses.tv4l", "layer.tv4l"),
        ("rpc.pcap", "game.pcap"),
        ("rpc.pcap", "game.pcapng"),
    ] {
        copy(from, to);
    }
    for island in ["island", "map", "other"] {
        copy("valley.tv4p", &format!("{island}.tv4p"));
        copy("valley.Layers/houses.tv4l", &format!("{island}.Layers/houses.tv4l"));
        copy("valley.Shapes/fields.tv4s", &format!("{island}.Shapes/fields.tv4s"));
    }
    run("formwork decode island.tv4p -o island.json");
    run("formwork decode houses.tv4l -o houses.json");
    run("formwork terrain objects island.tv4p --layer houses -o houses.txt");
    run("formwork terrain objects island.tv4p --layer houses --as geojson -o houses.geojson");
    run("formwork terrain roads island.tv4p -o roads.yaml");
    run("formwork set island.Shapes/fields.tv4s mname forests --no-backup");
    for side in ["base", "mine", "theirs"] {
        copy("game.save", &format!("{side}.save"));
        copy("houses.tv4l", &format!("{side}.tv4l"));
    }
    for layer in ["trees", "sheds"] {
        run(&format!(
            "formwork terrain objects island.tv4p --new {layer} --import houses.txt --in-place \
             --no-backup"
        ));
    }
    copy("island.Layers/trees.tv4l", "trees.tv4l");
    copy("houses.tv4l", "more-houses.tv4l");
    fs::write(file("new-trees.csv"), "old,new\nmill,barn\n").expect("a file");
    run("formwork terrain keypoints island.tv4p --as geojson -o places.geojson");
    run("formwork terrain shapes island.tv4p --layer forests -o forests.geojson");
    run("cp forests.geojson forest.geojson && cp forests.geojson lakes.geojson");
    run("formwork decode old.save --password 'correct horse' -o start.json");
    run("formwork encode start.json --format godot4 -o start.save");
    run("formwork encode start.json --format godot3 -o godot3.save");
    run("mkdir -p .local/share/bash-completion/completions .zfunc .config/fish/completions \
         source/terrain backup project");
    run("cp island.tv4p backup && cp island.tv4p project && cp island.tv4p source/terrain");
    for (from, to) in [
        ("game.save", "game.save.bak"),
        ("start.save", "godot4.save"),
        ("valley.tv4p", "old.tv4p"),
        ("valley.tv4p", "new.tv4p"),
        ("settings.txt", "plain.cfg"),
        ("houses.txt", "rocks.txt"),
        ("map.Shapes/fields.tv4s", "map.Shapes/roads.tv4s"),
        ("TemplateLibs/houses.tml", "TemplateLibs/Rocks.tml"),
    ] {
        copy(from, to);
    }
    // Files after headers of a game.
    let behind = |size: usize, name: &str| {
        [vec![7; size], fs::read(file(name)).expect("the file is there")].concat()
    };
    fs::write(file("inside.bin"), behind(8, "start.save")).expect("a file");
    fs::create_dir_all(file("behind")).expect("a folder");
    fs::write(file("behind/game.save"), behind(16, "game.save")).expect("a file");
    for folder in ["json", "mod", "game"] {
        fs::create_dir_all(file(folder)).expect("a folder");
    }
    for (from, to) in [
        ("note.txt", "mod/hello.txt"),
        ("note.txt", "game/note.txt"),
        ("note.txt", "icon.png"),
        ("game.x86_64", "game.exe"),
        ("note.txt", "template.exe"),
    ] {
        copy(from, to);
    }
    copy("start.json", "json/a.save.json");
}

/// Checks that no example uses a removed option or a file form that is not read.
pub(super) fn the_examples_in_every_help_are_commands_that_are_understood() {
    let folder = tempfile::tempdir().expect("a folder");
    let help = |words: &str| printed(&format!("{words} --help"), folder.path());
    let mut pages = vec![help("formwork completions"), help("formwork man")];
    for program in ["formwork", "formwork-kit", "formwork-capture"] {
        let whole = help(program);
        for name in listed(&whole) {
            let page = help(&format!("{program} {name}"));
            let inner = listed(&page);
            pages.extend(inner.iter().map(|it| help(&format!("{program} {name} {it}"))));
            pages.push(page);
        }
        pages.push(whole);
    }
    let worlds = [false, true].map(|is_encrypted| {
        let folder = tempfile::tempdir().expect("a folder");
        world(folder.path(), is_encrypted);
        folder
    });
    let (mut run, mut wrong) = (0, Vec::new());
    for example in pages.iter().flat_map(|page| examples(page)) {
        if ELSEWHERE.iter().any(|other| example.contains(other)) {
            continue;
        }
        // Each example has a separate copy of the files.
        let folder = tempfile::tempdir().expect("a folder");
        let from = worlds[usize::from(example.contains("--password"))].path();
        // The program replaces files, so links are safe. A shell overwrites the content of an existing file.
        let links = if example.contains('>') || cfg!(not(unix)) { "" } else { "l" };
        let copied = printed(&format!("cp -R{links} '{}'/. .", from.display()), folder.path());
        assert!(copied.is_empty(), "{copied}");
        if example.contains("--into json") {
            fs::remove_dir_all(folder.path().join("json")).expect("the folder is there");
        }
        if example.contains("--skip 16") {
            let (from, to) =
                (folder.path().join("behind/game.save"), folder.path().join("game.save"));
            // A copy would overwrite the file that all examples share.
            fs::rename(from, to).expect("the file is there");
        }
        let said = printed(&example.replace("~/", "./"), folder.path());
        run += 1;
        // The answer of the command may be "no".
        if said.starts_with("? ") && !said.starts_with("? 1\n") {
            wrong.push(format!("{example}\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(run > 80, "{run}");
}
