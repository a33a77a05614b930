//! The files of the real engines hold the values in their manifests, and can be read back when this crate has
//! written them.

use formwork_godot::wrapper::{Cipher, Compression, Key, Layer, close, close_with_vector, open};
use formwork_variant::frame::{ByteOrder, Frames};
use formwork_variant::{Decoder, Limits};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::cases::{ENGINES, Engine};

/// A compressed or encrypted file of an engine.
struct File {
    engine: &'static Engine,
    name: String,
    bytes: Vec<u8>,
    layer: Layer,
    key: Option<Key>,
    /// The SHA-256 sums of the packets inside, in order.
    values: Vec<String>,
}

fn text(value: &Value) -> String {
    value.as_str().expect("manifests hold texts").to_owned()
}

fn files() -> Vec<File> {
    let mut files = Vec::new();
    for engine in &ENGINES {
        let manifest = std::fs::read_to_string(engine.file("files/manifest.json")).unwrap();
        let manifest: Value = serde_json::from_str(&manifest).expect("manifests are JSON");
        for file in manifest["files"].as_array().expect("manifests list files") {
            let (layer, key) = match file["container"].as_str().expect("files have a container") {
                "store_var in compressed file" => {
                    (text(&file["detail"]).parse().expect("a layer's name"), None)
                }
                "store_var in encrypted file" => {
                    let detail = text(&file["detail"]);
                    let password = detail.strip_prefix("password: ").expect("a password");
                    let cipher = Cipher::of(engine.dialect());
                    (Layer::Encrypted(cipher), Some(Key::from_password(password)))
                }
                _ => continue,
            };
            let name = text(&file["file"]);
            let bytes = std::fs::read(engine.file("files").join(&name)).unwrap();
            let values = file["values"].as_array().expect("files hold values").iter();
            let values =
                values.map(|value| text(&manifest["values"][text(value)]["sha256"])).collect();
            files.push(File { engine, name, bytes, layer, key, values });
        }
    }
    files
}

#[test]
fn every_file_of_an_engine_holds_the_values_of_its_manifest() {
    let files = files();
    // Three contents, encrypted and (but for Godot 2) in four compressions.
    assert_eq!(files.len(), 3 * (1 + 4 * 5));
    for file in files {
        let name = format!("{}, {}", file.engine.name, file.name);
        let opened = open(&file.bytes, file.key.as_ref(), &Limits::default());
        let opened = opened.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(opened.layers, [file.layer], "{name}");
        assert!(file.layer.is_written_by(file.engine.dialect()), "{name}");
        let frames = Frames::new(&opened.content, ByteOrder::Little);
        let packets: Vec<&[u8]> = frames.map(|frame| frame.unwrap().packet).collect();
        let sums = packets.iter().map(|packet| {
            Sha256::digest(packet).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        });
        assert_eq!(sums.collect::<Vec<_>>(), file.values, "{name}");
        for packet in packets {
            Decoder::new(file.engine.dialect()).decode(packet).unwrap();
        }
        let again = close(&opened.content, &opened.layers, file.key.as_ref()).unwrap();
        assert_eq!(open(&again, file.key.as_ref(), &Limits::default()).unwrap(), opened, "{name}");
        let plain = std::fs::read(file.engine.file("files").join(plain(&file.name))).unwrap();
        assert_eq!(*opened.content, plain, "{name}");
        match file.layer {
            Layer::Encrypted(Cipher::Ecb) => assert!(again == file.bytes, "{name}"),
            Layer::Encrypted(Cipher::Cfb) => {
                let vector = file.bytes[28..44].try_into().unwrap();
                let same =
                    close_with_vector(&opened.content, &opened.layers, file.key.as_ref(), &vector);
                assert!(same.unwrap() == file.bytes, "{name}");
            }
            // Other libraries pack the blocks; the page of the format has the difference in length.
            Layer::Compressed(compression) => {
                assert_eq!(again[..16], file.bytes[..16], "{name}");
                let most = if compression == Compression::Zstd { 1.25 } else { 1.01 };
                let ratio = again.len() as f64 / file.bytes.len() as f64;
                println!("{name}: {} bytes, here {}", file.bytes.len(), again.len());
                assert!(ratio <= most, "{name}: {ratio}");
            }
            Layer::Stream(_) => panic!("{name} has the engine's frame"),
        }
    }
}

/// The name of the file with the same content and nothing around it.
fn plain(name: &str) -> String {
    let (content, _) = name.split_once('.').expect("two dots in a name");
    format!("{content}.save")
}
