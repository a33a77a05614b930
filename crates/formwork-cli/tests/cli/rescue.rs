//! Damaged saves, headers of games, and text in containers, with the program.

use std::fs;

use formwork_godot::wrapper::{Cipher, Compression, Key, Layer, close_with_vector, compress};
use formwork_variant::Variant;
use formwork_variant::{Dialect, to_vec};
use serde_json::{Value as Json, json};
use snapbox::str;

use crate::cases::formats;
use crate::run::{Ended, run, run_with};

const PASSWORD: [&str; 2] = ["--password", "correct horse"];

fn golden(name: &str) -> Vec<u8> {
    fs::read(formats().join(name)).expect("golden files can be read")
}

fn json(ended: &Ended) -> Json {
    serde_json::from_slice(&ended.stdout).expect("JSON")
}

fn sealed(content: &[u8], cipher: Cipher) -> Vec<u8> {
    let key = Key::from_password(PASSWORD[1]);
    close_with_vector(content, &[Layer::Encrypted(cipher)], Some(&key), &[7; 16]).expect("a key")
}

/// Returns frames of dictionaries that no two engines read alike.
fn frames(count: i64) -> Vec<u8> {
    let mut file = Vec::new();
    for number in 0..count {
        let list = ["sword", "lamp", "rope"].map(Variant::from).into_iter().collect();
        let save: Variant = [
            ("name", Variant::from("Ann")),
            ("number", Variant::Int(number)),
            ("inventory", Variant::Array(list)),
        ]
        .into_iter()
        .collect();
        let packet = to_vec(&save, Dialect::GODOT4).expect("Godot 4 has it");
        file.extend((packet.len() as u32).to_le_bytes());
        file.extend(packet);
    }
    file
}

#[test]
fn decode_recover_gives_what_is_left_of_a_cut_save() {
    let file = frames(1);
    let rope = file.windows(4).position(|some| some == b"rope").expect("it is in there");
    let cut = &file[..rope + 1];
    run_with(&["decode", "-"], cut).with_status(1);
    let ended = run_with(&["decode", "-", "--recover"], cut).with_status(1);
    let left = json!({"name": "Ann", "number": 0, "inventory": ["sword", "lamp"]});
    assert_eq!(json(&ended), left, "{}", ended.stderr);
    let ended = ended.says(str![[r#"
note: standard input: the file is cut off: at least 3 more bytes are needed; reading it as godot4, frames (use --format and --framing for another format)
note: standard input is damaged: 1 of 125 bytes could not be read as godot4.7, frames
note: lost: inventory/2: 1 byte at offset 124 (0x7c) could not be read: expected 4 bytes, found 1 left, in frame[0].dictionary[2].value.array[2].string.bytes
note: to turn it back: formwork encode --format godot4.7 --framing frames
"#]]);
    // The recovered values make a save again.
    let back = ["encode", "-", "--format", "godot4", "--framing", "frames", "-o", "-"];
    let again = run_with(&back, &ended.stdout).with_status(0).stdout;
    assert_eq!(json(&run_with(&["decode", "-"], &again).with_status(0)), left);
    // A whole file has no mark.
    let whole = run_with(&["decode", "-", "--recover"], &file).with_status(0);
    assert_eq!(whole.stderr, "");
    assert_eq!(whole.stdout, run_with(&["decode", "-"], &file).with_status(0).stdout);
}

/// A regression test: the save was of no known format.
#[test]
fn decode_recover_reads_a_save_that_is_cut_in_the_padding_of_its_last_value() {
    for (engine, release, padding, count) in
        [("godot4", "4.6.3", 369..372, 13), ("godot3", "3.6.2", 289..292, 11)]
    {
        let file = golden(&format!("{engine}/golden/{release}/files/multi.save"));
        for length in padding {
            let ended = run_with(&["decode", "-", "--recover"], &file[..length]).with_status(1);
            let named = ["decode", "-", "--recover", "--format", engine];
            let named = run_with(&[&named[..], &["--framing", "frames"]].concat(), &file[..length]);
            assert_eq!(ended.stdout, named.with_status(1).stdout, "{engine} {length}");
            assert_eq!(json(&ended).as_array().map(Vec::len), Some(count), "{engine} {length}");
        }
    }
}

#[test]
fn what_a_rescue_lost_is_told_to_programs() {
    let mut file = frames(3);
    let frame = file.len() / 3;
    let lamp = frame + file[frame..].windows(4).position(|some| some == b"lamp").expect("there");
    file[lamp - 8] = 0x63;
    let cut = &file[..file.len() - 3];
    for compact in [false, true] {
        let mut arguments = vec!["decode", "-", "--recover", "--json"];
        arguments.extend(compact.then_some("--compact"));
        let told = json(&run_with(&arguments, cut).with_status(1));
        assert_eq!((&told["format"], &told["framing"]), (&json!("godot4.7"), &json!("frames")));
        let values = json(&run_with(&["decode", "-", "--recover", "--all"], cut).with_status(1));
        assert_eq!(told["values"], values);
        let lost = told["$lost"]["ranges"].as_array().expect("a list");
        assert_eq!(lost.len(), 2, "{told}");
        let first = &lost[0];
        assert_eq!((&first["index"], &first["path"]), (&json!(1), &json!("inventory/1")));
        // The string alone: reading goes on behind it.
        assert_eq!((&first["offset"], &first["size"]), (&json!(lamp - 8), &json!(12)));
        assert_eq!(first["kind"], "unread");
        assert_eq!(first["field_path"], "frame[1].dictionary[2].value.array[1]");
        let number = |name: &str| lost[1][name].as_u64().expect("a number");
        assert_eq!(number("offset") + number("size"), cut.len() as u64);
    }
    // Without a loss there is no `$lost`, and a single value is still in a list.
    let whole = json(&run_with(&["decode", "-", "--recover", "--json"], &frames(1)).with_status(0));
    assert!(whole.get("$lost").is_none() && whole["values"].as_array().is_some(), "{whole}");
    run_with(&["decode", "-", "--recover", "--json", "--as", "text"], cut).with_status(2);
    // Without --recover, damage is an error.
    run_with(&["decode", "-", "--json"], cut).with_status(1);
    let plain = json(&run_with(&["decode", "-", "--json"], &frames(1)).with_status(0));
    assert_eq!(plain, whole);
}

#[test]
fn decode_json_is_one_object_for_programs_for_files_of_any_kind() {
    let told = json(&run_with(&["decode", "-", "--json"], &frames(2)).with_status(0));
    assert_eq!((&told["format"], &told["framing"]), (&json!("godot4.7"), &json!("frames")));
    let values = json(&run_with(&["decode", "-", "--all"], &frames(2)).with_status(0));
    assert_eq!(told["values"], values);
    run_with(&["decode", "-", "--json", "--as", "text"], &frames(1)).with_status(2);
    for (file, format, framing) in [
        ("alb1/samples/valley.Layers/houses.tv4l", "alb1", None),
        ("settings/samples/4.6.3.settings.binary", "godot4.7", Some("settings")),
        ("config_file/samples/4.6.3.config.cfg", "config", None),
        ("config_file/samples/4.6.3.config.encrypted.cfg", "config", None),
        ("json_text/samples/3.2.3.printed.json", "json", None),
        ("pack/samples/4.6.3/export.pck", "gdpc", None),
        ("resource/samples/godot-4.6.3/hero.res", "rsrc", None),
        ("script/samples/godot-4.6.3-packed.gdc", "gdsc", None),
    ] {
        let password: &[&str] =
            if file.contains("encrypted") { &["--password", "correct horse"] } else { &[] };
        let file = formats().join(file).to_str().expect("UTF-8").to_owned();
        let with = |option: &[&str]| {
            json(&run(&[&["decode", &file], password, option].concat()).with_status(0))
        };
        let (told, plain) = (with(&["--json"]), with(&["--as", "json"]));
        let expected = json!({"format": format, "framing": framing, "values": [plain]});
        assert_eq!(told, expected, "{file}");
    }
    let lines = formats().join("json_text/samples/3.2.3.lines.save");
    let lines = lines.to_str().expect("UTF-8");
    let told = json(&run(&["decode", lines, "--json"]).with_status(0));
    assert_eq!(told["values"], json(&run(&["decode", lines]).with_status(0)));
}

#[test]
fn decode_json_of_a_folder_is_a_line_for_each_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("saves")).expect("a folder");
    fs::write(path("saves/a.save"), frames(1)).expect("a file");
    fs::write(path("saves/b.txt"), "nothing that is known\n").expect("a file");
    fs::write(path("saves/c.save"), &frames(1)[..frames(1).len() - 3]).expect("a file");
    let (from, into) = (path("saves"), path("json"));
    let (from, into) = (from.to_str().expect("UTF-8"), into.to_str().expect("UTF-8"));
    let ended = run(&["decode", from, "--into", into, "--json"]).with_status(1);
    let lines: Vec<Json> =
        ended.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 3, "{}", ended.text());
    assert_eq!(lines[0]["written"], json!(true), "{}", lines[0]);
    let made = fs::read(lines[0]["output"].as_str().expect("a name")).expect("it is written");
    assert!(serde_json::from_slice::<Json>(&made).is_ok());
    assert_eq!(lines[1]["left_out"], json!("of no known format"));
    assert!(
        lines[2]["error"]["message"].is_string() && lines[2]["written"] == json!(false),
        "{}",
        lines[2]
    );
    // The recovered part of a damaged file is written, and the status shows that some is missing.
    let ended = run(&["decode", from, "--into", into, "--recover", "--force", "--json"]);
    let lines: Vec<Json> = (ended.with_status(1).text().lines())
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let complete = |at: usize| (&lines[at]["written"], lines[at].get("complete"));
    assert_eq!(complete(0), (&json!(true), None), "{}", lines[0]);
    assert_eq!(complete(2), (&json!(true), Some(&json!(false))), "{}", lines[2]);
}

#[test]
fn a_header_in_front_of_a_wrapper_and_another_inside_are_passed_in_two_steps() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let inside = [&b"INNER!!!"[..], &frames(1)].concat();
    let file = [&b"a header of game"[..], &sealed(&inside, Cipher::Cfb)].concat();
    let (save, inner, text) = (path("game.save"), path("inside.bin"), path("game.json"));
    fs::write(&save, &file).expect("the file can be written");
    let call = |arguments: &[&str]| run(arguments).with_status(0);
    let raw = ["decode", &save, "--as", "raw", "--skip", "16", "-o", &inner];
    call(&[&raw[..], &PASSWORD].concat());
    call(&["decode", &inner, "--skip", "8", "-o", &text]);
    call(&["encode", &text, "--like", &inner, "--skip", "8", "-o", &inner]);
    assert_eq!(fs::read(&inner).expect("it is there"), inside);
    let back = ["encode", &inner, "--as", "raw", "--like", &save, "--skip", "16", "-o", &save];
    call(&[&back[..], &PASSWORD].concat());
    let made = fs::read(&save).expect("it is there");
    assert_eq!(&made[..16], b"a header of game");
    call(&[&raw[..], &PASSWORD].concat());
    assert_eq!(fs::read(&inner).expect("it is there"), inside);
}

#[test]
fn decode_recover_goes_on_behind_a_damaged_frame() {
    let mut file = frames(3);
    let frame = file.len() / 3;
    let lamp = frame + file[frame..].windows(4).position(|some| some == b"lamp").expect("there");
    file[lamp - 8] = 0x63;
    let ended = run_with(&["decode", "-", "--recover"], &file).with_status(1);
    let values = json(&ended);
    assert_eq!(values.as_array().map(Vec::len), Some(3), "{values}");
    assert_eq!(values[1], json!({"name": "Ann", "number": 1, "inventory": ["sword", "rope"]}));
    assert_eq!(values[2]["number"], 2);
    ended.says(str![[r#"
note: standard input: the file is damaged: fault at offset 232 (0xe8); reading it as godot4, frames (use --format and --framing for another format)
note: standard input is damaged: 12 of 384 bytes could not be read as godot4.7, frames
note: lost: value 1: inventory/1: 12 bytes at offset 232 (0xe8) could not be read: expected a type id below 39, found 99, in frame[1].dictionary[2].value.array[1]
note: to turn it back: formwork encode --all --format godot4.7 --framing frames
"#]]);
    let one = run_with(&["decode", "-", "--recover", "--index", "2"], &file).with_status(1);
    assert_eq!(json(&one)["number"], 2);
}

#[test]
fn decode_recover_reads_what_is_whole_of_a_compressed_file() {
    let content = frames(200);
    for compression in [Compression::FastLz, Compression::Deflate, Compression::Zstd] {
        let file = compress(&content, compression).expect("it is written");
        let count = |ended: &Ended| {
            let numbers: Vec<_> = json(ended).as_array().expect("a list").clone();
            numbers.iter().filter_map(|value| value["number"].as_u64()).collect::<Vec<_>>()
        };
        let cut = &file[..file.len() * 2 / 3];
        run_with(&["decode", "-"], cut).with_status(1);
        let left = run_with(&["decode", "-", "--recover"], cut).with_status(1);
        let numbers = count(&left);
        assert!(numbers.len() > 50, "{compression:?}: {}", left.stderr);
        assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>());
        assert!(left.stderr.contains("compressed.blocks["), "{}", left.stderr);
        // A block that cannot be unpacked costs only its content.
        let head = 16 + 4 * (content.len() / 4096 + 1);
        let size = |block: usize| {
            let at = 16 + 4 * block;
            u32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]]) as usize
        };
        let start = head + size(0) + size(1);
        let mut torn = file.clone();
        torn[start..start + size(2)].fill(0xff);
        let left = run_with(&["decode", "-", "--recover"], &torn).with_status(1);
        let numbers = count(&left);
        assert!(numbers.contains(&0) && numbers.contains(&199), "{compression:?}: {numbers:?}");
        assert!(numbers.len() > 140 && numbers.len() < 200, "{}", numbers.len());
    }
}

#[test]
fn decode_recover_reads_what_is_there_of_an_encrypted_file() {
    let content = frames(20);
    for cipher in [Cipher::Ecb, Cipher::Cfb] {
        let file = sealed(&content, cipher);
        let arguments = [&["decode", "-", "--recover"][..], &PASSWORD].concat();
        let left = run_with(&arguments, &file[..file.len() - 100]).with_status(1);
        let values = json(&left);
        assert_eq!(values.as_array().map(Vec::len), Some(20), "{values}");
        assert_eq!(values[18]["inventory"][2], "rope");
        let mut changed = file.clone();
        let middle = file.len() / 2;
        changed[middle] ^= 1;
        let left = run_with(&arguments, &changed).with_status(1);
        let values = json(&left);
        assert!(values.as_array().is_some_and(|values| values.len() >= 18), "{values}");
        assert_eq!(values[0]["number"], 0);
        let wrong = ["decode", "-", "--recover", "--password", "wrong"];
        let wrong = run_with(&wrong, &file).with_status(1).says(str![
            "error: standard input: the password or key is wrong, or too much is damaged"
        ]);
        assert_eq!(wrong.stdout, b"");
    }
}

#[test]
fn a_file_that_was_read_only_in_part_is_never_status_0() {
    let file = frames(2);
    let cut = &file[..file.len() - 20];
    let said = ["--format", "godot4", "--framing", "frames"];
    for command in
        [&["decode", "-"][..], &["dump", "-"], &["verify", "-"], &["decode", "-", "--recover"]]
    {
        run_with(command, cut).with_status(1);
        run_with(&[command, &said].concat(), cut).with_status(1);
    }
    let convert =
        ["convert", "-", "-o", "-", "--to", "godot3", "--from", "godot4", "--framing", "frames"];
    run_with(&convert, cut).with_status(1);
    // The engine skips the bytes after the value in its frame.
    let behind = b"\x0c\0\0\0\x02\0\0\0\x05\0\0\0\x01\x02\x03\x04";
    let ended = run_with(&[&["decode", "-"][..], &said].concat(), behind).with_status(1);
    ended.prints("5").says(str!["note: standard input: 4 bytes after the values in their frames were not read ('formwork dump' shows them)"]);
    run_with(&[&["dump", "-"][..], &said].concat(), behind).with_status(1);
    run_with(&[&["verify", "-"][..], &said].concat(), behind).with_status(1);
    let ended = run_with(&convert, behind).with_status(1);
    assert_eq!(ended.stdout, b"");
    let ended = run_with(&[&convert[..], &["--lossy"]].concat(), behind).with_status(1);
    assert_eq!(ended.stdout, b"\x08\0\0\0\x02\0\0\0\x05\0\0\0");
    // `--at` knows nothing about bytes that were not read.
    let at = ["dump", "-", "--at", "14"];
    run_with(&[&at[..], &said].concat(), behind).with_status(1);
}

#[test]
fn skip_passes_over_a_header_of_the_games_own() {
    let file = golden("godot4/golden/4.6.3/files/small.save");
    let plain = run_with(&["decode", "-"], &file).with_status(0).stdout;
    let header = b"SAVE\x03\0\0\0 of a game";
    let size = header.len().to_string();
    let hex = format!("0x{:x}", header.len());
    let own = [header, &file[..]].concat();
    let skip = ["--skip", size.as_str()];
    let with = |first: &[&str], more: &[&str]| run_with(&[first, &skip, more].concat(), &own);
    assert_eq!(with(&["decode", "-"], &[]).with_status(0).stdout, plain);
    assert_eq!(run_with(&["decode", "-", "--skip", &hex], &own).with_status(0).stdout, plain);
    with(&["verify", "-"], &[]).with_status(0);
    let info = with(&["info", "-", "--json"], &[]).with_status(0);
    assert_eq!(json(&info)["framing"], "frames");
    // Offsets count from the start of the file.
    with(&["dump", "-", "--depth", "0"], &[]).with_status(0).prints(str![[r#"
offset   bytes        text field = value
header: 18 bytes of the game's own, skipped
00000012 8c 0c 00 00… .... [0] FrameHead
"#]]);
    with(&["dump", "-", "--at", "24"], &[]).with_status(0);
    with(&["dump", "-", "--at", "3"], &[]).with_status(1);
    let cut = &own[..own.len() - 3];
    let options =
        [&["decode", "-", "--format", "godot4", "--framing", "frames"][..], &skip].concat();
    run_with(&options, cut).with_status(1).says(str![[r#"
error: standard input: expected a packet of that length, found 3209 left
  at offset 22 (0x16), in frame[0].packet
  at least 3 more bytes are needed (rule input.complete)
  00000000  53 41 56 45 03 00 00 00  20 6f 66 20 61 20 67 61  |SAVE.... of a ga|
  00000010  6d 65 8c 0c 00 00 1b 00  00 00 0c 00 00 00 04 00  |me..............|
                              ^^
"#]]);
    run_with(&[&options[..], &["--recover"]].concat(), cut).with_status(1).says(str![[r#"
note: standard input is damaged: 1 of 3213 bytes could not be read as godot4.7, frames
note: lost: settings/last/2/1/1/0: 1 byte at offset 3230 (0xc9e) could not be read: expected 4 bytes, found 1 left, in frame[0].dictionary[11].value.dictionary[5].value.array[2].array[1].array[1].array[0].int
note: to turn it back: formwork encode --format godot4.7 --framing frames
"#]]);
    // The header is longer than the file, or comes before an ALB1 file.
    run_with(&["decode", "-", "--skip", "99999"], &own).with_status(1);
    let alb1 = formats().join("alb1/samples/valley.tv4p");
    let alb1 = [&header[..], &fs::read(alb1).expect("the sample is there")].concat();
    run_with(&[&["decode", "-"][..], &skip].concat(), &alb1).with_status(2);
}

#[test]
fn encode_and_convert_keep_the_header_of_the_games_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own.save");
    let path = path.to_str().expect("a plain name");
    let header = b"\x07\0\0\0title\n";
    let file = golden("godot3/golden/3.6.2/files/small.save");
    let own = [&header[..], &file].concat();
    fs::write(path, &own).expect("it can be written");
    let values = run(&["decode", path, "--skip", "10"]).with_status(0).stdout;
    let like = ["encode", "-", "--like", path, "--skip", "10", "-o", "-"];
    assert!(run_with(&like, &values).with_status(0).stdout == own);
    let convert = ["convert", path, "--skip", "10", "--to", "godot4", "-o", "-"];
    let four = run(&convert).with_status(0).stdout;
    assert!(four.starts_with(header));
    run_with(&["verify", "-", "--skip", "10", "--format", "godot4"], &four).with_status(0);

    // The header is inside an encrypted file.
    fs::write(path, sealed(&own, Cipher::Ecb)).expect("it can be written");
    let decode = [&["decode", path, "--skip", "10"][..], &PASSWORD].concat();
    assert!(run(&decode).with_status(0).stdout == values);
    let again = run_with(&[&like[..], &PASSWORD].concat(), &values).with_status(0).stdout;
    assert!(again == fs::read(path).expect("it is there"));
    let four = run(&[&convert[..], &PASSWORD].concat()).with_status(0).stdout;
    let raw = [&["decode", "-", "--as", "raw"][..], &PASSWORD].concat();
    assert!(run_with(&raw, &four).with_status(0).stdout.starts_with(header));
    // The header comes before an encrypted file.
    let closed = [&header[..], &sealed(&file, Cipher::Ecb)].concat();
    fs::write(path, &closed).expect("it can be written");
    assert!(run(&decode).with_status(0).stdout == values);
    let again = run_with(&[&like[..], &PASSWORD].concat(), &values).with_status(0).stdout;
    assert!(again == closed);
    let four = run(&[&convert[..], &PASSWORD].concat()).with_status(0).stdout;
    assert!(four.starts_with(&[&header[..], b"GDEC"].concat()));
}

const CONFIG: &[u8] = b"[player]\n\nname=\"Ann\"\nscores=[ 1, 2 ]\n";

/// Text that holds no values.
const PROSE: &[u8] = b"Dear diary,\nnothing happened.\n";

#[test]
fn convert_changes_the_container_of_text() {
    let convert = [&["convert", "-", "--to", "godot4", "-o", "-"][..], &PASSWORD].concat();
    let ended = run_with(&convert, &sealed(CONFIG, Cipher::Ecb)).with_status(0);
    let ended =
        ended.says(str!["note: standard input: wrapper encrypted-ecb becomes encrypted-cfb"]);
    let raw = [&["decode", "-", "--as", "raw"][..], &PASSWORD].concat();
    assert_eq!(run_with(&raw, &ended.stdout).with_status(0).stdout, CONFIG);
    let said = json(&run_with(&[&["info", "-", "--json"][..], &PASSWORD].concat(), &ended.stdout));
    assert_eq!(said["wrappers"][0]["name"], "encrypted-cfb");
    // The way back to the other cipher, with the engine given.
    let back = [&["convert", "-", "--from", "godot4", "--to", "godot3", "-o", "-"][..], &PASSWORD];
    let back = run_with(&back.concat(), &ended.stdout).with_status(0).stdout;
    assert!(back == sealed(CONFIG, Cipher::Ecb));
    // Outside a container, only ConfigFile text is converted.
    let convert = ["convert", "-", "--to", "godot4", "-o", "-"];
    run_with(&convert, PROSE).with_status(1);
    assert_eq!(run_with(&convert, CONFIG).with_status(0).stdout, CONFIG);
}
