//! Packs: the engine that made one starts from it when a file in it is another.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use formwork::Encoder;
use formwork::pack::Pack;
use formwork::variant::Variant;
use formwork::variant::frame::{ByteOrder, write_frame};

use crate::engine::{Engine, PATIENCE, with_each_engine};

/// Starts the engine from a pack; what its game prints.
fn played(engine: &Engine, pack: &[u8]) -> String {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("game.pck");
    fs::write(&path, pack).expect("there is room for a file");
    let mut command = engine.start(&path, folder.path());
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    let started = Instant::now();
    while child.try_wait().expect("the engine can be asked for").is_none() {
        if started.elapsed() > PATIENCE {
            child.kill().expect("the engine can be ended");
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn an_engine_starts_from_a_pack_in_which_files_are_others() {
    with_each_engine(|engine| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("formats/pack/samples");
        let path = folder.join(&engine.release).join("export.pck");
        let Ok(old) = fs::read(&path) else {
            println!("skipped: no pack of {}", engine.release);
            return;
        };
        let said = played(engine, &old);
        assert!(said.contains("note=hello\n") && said.contains("\"hp\":7"), "{said}");
        // A longer file in the place of a short one, so that what stands behind it is moved.
        let note = "a note that is longer than the old one was ".repeat(40);
        let pack = Pack::open(&old).expect("it is whole");
        let file = pack.find("note.txt").expect("it is there");
        let changed = pack.with_file(file, note.as_bytes()).expect("it can be written");
        // And a save that is as long.
        let pack = Pack::open(&changed).expect("it is whole");
        let file = pack.find("start.save").expect("it is there");
        let content = pack.content(file).expect("it has a content");
        let mut file_of_values = formwork::Opener::new().dialect(engine.dialect).open(content);
        let value = file_of_values.as_mut().expect("it is a save").value_mut();
        value["hp"] = Variant::Int(31);
        let packet = Encoder::new(engine.dialect).encode(value).expect("it can be written");
        let mut save = Vec::new();
        write_frame(&mut save, &packet, ByteOrder::Little).expect("a vector takes anything");
        let changed = pack.with_file(file, &save).expect("it can be written");
        let said = played(engine, &changed);
        assert!(said.contains(&format!("note={}\n", note.trim())), "{said}");
        assert!(said.contains("\"hp\":31") && said.contains("name=Pack sample\n"), "{said}");
    });
}
