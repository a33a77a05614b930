//! Tests packs: the engine that made one starts from it after a file in it was replaced.

use std::fs;

use formwork_godot::pack::Pack;
use formwork_variant::Encoder;
use formwork_variant::Variant;
use formwork_variant::frame::{ByteOrder, write_frame};

use crate::engine::with_each_engine;

#[test]
#[ignore = "needs an engine"]
fn an_engine_starts_from_a_pack_in_which_files_are_others() {
    with_each_engine(|engine| {
        let folder = formwork_testkit::formats().join("pack/samples");
        let path = folder.join(&engine.release).join("export.pck");
        let Ok(old) = fs::read(&path) else {
            println!("skipped: no pack of {}", engine.release);
            return;
        };
        let said = engine.play(&old);
        assert!(said.contains("note=hello\n") && said.contains("\"hp\":7"), "{said}");
        // A longer file replaces a short one, so that the following bytes are moved.
        let note = "a note that is longer than the old one was ".repeat(40);
        let pack = Pack::open(&old).expect("it is whole");
        let file = pack.find("note.txt").expect("it is there");
        let changed = pack.with_file(file, note.as_bytes()).expect("it can be written");
        // A save of the same length is replaced, too.
        let pack = Pack::open(&changed).expect("it is whole");
        let file = pack.find("start.save").expect("it is there");
        let content = pack.content(file).expect("it has a content");
        let mut file_of_values =
            formwork_godot::Opener::new().dialect(engine.dialect).open(content);
        let value = file_of_values.as_mut().expect("it is a save").value_mut();
        value["hp"] = Variant::Int(31);
        let packet = Encoder::new(engine.dialect).encode(value).expect("it can be written");
        let mut save = Vec::new();
        write_frame(&mut save, &packet, ByteOrder::Little).expect("a vector takes anything");
        let changed = pack.with_file(file, &save).expect("it can be written");
        let said = engine.play(&changed);
        assert!(said.contains(&format!("note={}\n", note.trim())), "{said}");
        assert!(said.contains("\"hp\":31") && said.contains("name=Pack sample\n"), "{said}");
    });
}
