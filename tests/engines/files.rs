//! Tests files: engines read the files of this library, and the library reads theirs.

use formwork_godot::Framing;
use formwork_godot::Opener;
use formwork_godot::wrapper::{Cipher, Compression, Key, Layer, close, open};
use formwork_variant::Limits;
use formwork_variant::Variant;
use formwork_variant::dialect::Family;
use formwork_variant::frame::{ByteOrder, FrameReader, write_frame};

use crate::cases::{ENGINES, Engine as Golden};
use crate::engine::{Engine, with_each_engine};
use crate::exception::{Rule, breaks_printer};
use crate::exchange::Exchange;
use crate::sample::{Sample, big, samples};
use crate::session::{Session, write_all};

/// A way in which scripts open a file.
#[derive(Clone, Debug)]
pub struct Way {
    /// The name, also in the script.
    name: &'static str,
    /// The additional argument for the script: a mode, a password, a key.
    detail: Option<Variant>,
    order: ByteOrder,
    layers: Vec<Layer>,
    key: Option<Key>,
}

const PASSWORD: &str = "Ünïcode pass";
const KEY: [u8; 32] = *b"0123456789abcdef\x00\x01\xff\xfe0123456789AB";

impl Way {
    pub fn plain(name: &'static str, order: ByteOrder) -> Self {
        Self { name, detail: None, order, layers: Vec::new(), key: None }
    }

    fn compressed(compression: Compression) -> Self {
        Self {
            detail: Some(i64::from(compression.mode()).into()),
            layers: vec![Layer::Compressed(compression)],
            ..Self::plain("compressed", ByteOrder::Little)
        }
    }

    fn password(engine: &Engine, password: &str) -> Self {
        Self {
            detail: Some(password.into()),
            layers: vec![Layer::Encrypted(Cipher::of(engine.dialect))],
            key: Some(Key::from_password(password)),
            ..Self::plain("password", ByteOrder::Little)
        }
    }

    /// Returns all ways of the engine.
    fn all(engine: &Engine) -> Vec<Self> {
        let mut ways = vec![
            Self::plain("plain", ByteOrder::Little),
            Self::plain("swapped", ByteOrder::Big),
            Self::password(engine, PASSWORD),
            Self {
                detail: Some(Variant::PackedByteArray(KEY.to_vec())),
                key: Some(Key::new(KEY)),
                name: "key",
                ..Self::password(engine, PASSWORD)
            },
        ];
        let modes = Compression::ALL.iter().copied();
        let of_engine = modes.filter(|&mode| Layer::Compressed(mode).is_written_by(engine.dialect));
        ways.extend(of_engine.map(Self::compressed));
        ways
    }

    /// Returns the arguments for the script.
    fn told(&self) -> Variant {
        let words = [Some(Variant::from(self.name)), self.detail.clone()];
        Variant::Array(words.into_iter().flatten().collect())
    }

    fn title(&self) -> String {
        let layer = self.layers.first().map(|layer| format!(", {layer}"));
        format!("{}{}", self.name, layer.unwrap_or_default())
    }
}

pub fn frames(samples: &[Sample], order: ByteOrder) -> Vec<u8> {
    let mut bytes = Vec::new();
    for sample in samples {
        write_frame(&mut bytes, &sample.packet, order).expect("a vector takes anything");
    }
    bytes
}

/// Returns values for a file: of every type, and some that fill many blocks. Values that no engine returns unchanged
/// are only tested over the network.
fn contents(engine: &Engine) -> Vec<Sample> {
    let mut contents: Vec<_> = samples(engine).into_iter().step_by(7).collect();
    contents
        .retain(|it| Rule::of(engine, &it.value).is_none() && !breaks_printer(engine, &it.value));
    contents.extend(big(engine.dialect));
    contents
}

/// Lets the engine read the file, and compares the values with the samples.
pub fn is_read(
    session: &Session<'_>,
    file: &[u8],
    way: &Way,
    samples: &[Sample],
    test: &str,
    objects: bool,
) {
    let path = session.folder().join("file");
    std::fs::write(&path, file).expect("there is room for a file");
    let path = path.to_str().expect("the folder has a plain name");
    session.call("load_values", [path.into(), way.told(), objects.into()]);
    assert_eq!(session.value(), Variant::Int(0), "{test}, {}: it does not open", way.title());
    let mut exchange = Exchange::new(session.engine, test);
    for sample in samples {
        let packet = session.packet(ByteOrder::Little);
        let text = session.packet(ByteOrder::Little);
        exchange.take(sample, &packet, Some(&text));
    }
    assert_eq!(session.value(), Variant::from("end"), "{test}: there are more values");
    exchange.finish();
}

#[test]
#[ignore = "needs an engine"]
fn files_that_we_write_are_read() {
    with_each_engine(|engine| {
        let samples = contents(engine);
        let session = Session::start(engine);
        for way in Way::all(engine) {
            let content = frames(&samples, way.order);
            let file = close(&content, &way.layers, way.key.as_ref()).expect("it can be written");
            let test = format!("a file of ours, {}", way.title());
            is_read(&session, &file, &way, &samples, &test, false);
        }
        session.finish();
    });
}

#[test]
#[ignore = "needs an engine"]
fn files_that_engines_write_are_read() {
    with_each_engine(|engine| {
        let samples = contents(engine);
        let session = Session::start(engine);
        for way in Way::all(engine) {
            let path = session.folder().join("file");
            let name = path.to_str().expect("the folder has a plain name");
            let count = Variant::Int(samples.len() as i64);
            session.call("store", [name.into(), way.told(), count, false.into()]);
            assert_eq!(session.value(), Variant::Int(0), "{}: it does not open", way.title());
            let content = frames(&samples, ByteOrder::Little);
            let stored = session.send_while(|stream| write_all(stream, &content), Session::value);
            assert_eq!(stored, Variant::from("stored"));
            let file = std::fs::read(&path).expect("the engine has written it");
            let opened = open(&file, way.key.as_ref(), &Limits::default());
            let opened = opened.unwrap_or_else(|error| panic!("{}: {error}", way.title()));
            assert_eq!(opened.layers, way.layers);
            let test = format!("a file of the engine, {}", way.title());
            let mut exchange = Exchange::new(engine, &test);
            let mut reader = FrameReader::new(&*opened.content, way.order);
            for sample in &samples {
                let frame = reader.next_frame().expect("it is whole").expect("there are as many");
                exchange.take(sample, frame.packet, None);
            }
            assert!(reader.next_frame().expect("it is whole").is_none());
            exchange.finish();
        }
        session.finish();
    });
}

/// Returns a file of a single value, packed with Brotli: as blocks that are not compressed, which every reader of
/// Brotli accepts. (Neither the engines nor this library write such files.)
fn in_brotli(content: &[u8]) -> Vec<u8> {
    const BLOCK: usize = 4096;
    let mut blocks: Vec<Vec<u8>> = content.chunks(BLOCK).map(brotli).collect();
    if content.len().is_multiple_of(BLOCK) {
        blocks.push(brotli(&[]));
    }
    let head = [4, BLOCK as u32, content.len() as u32];
    let sizes = blocks.iter().map(|block| block.len() as u32);
    let words = head.into_iter().chain(sizes).flat_map(u32::to_le_bytes);
    let mut file: Vec<u8> = b"GCPF".iter().copied().chain(words).collect();
    file.extend(blocks.concat());
    file.extend(b"GCPF");
    file
}

/// Packs by RFC 7932, section 9: a window of 2^16, one meta-block without compression, an empty last one.
fn brotli(content: &[u8]) -> Vec<u8> {
    let Some(length) = content.len().checked_sub(1) else { return vec![0b110] };
    let head = (length as u32) << 4 | 1 << 20;
    let mut stream = head.to_le_bytes()[..3].to_vec();
    stream.extend(content);
    stream.push(0b11);
    stream
}

#[test]
#[ignore = "needs an engine"]
fn brotli_is_read_by_engines_that_have_it() {
    with_each_engine(|engine| {
        let way = Way::compressed(Compression::Brotli);
        if !way.layers[0].is_read_by(engine.dialect) {
            return;
        }
        let samples = contents(engine);
        let content = frames(&samples, way.order);
        let file = in_brotli(&content);
        let opened = open(&file, None, &Limits::default()).expect("it is a compressed file");
        assert_eq!((opened.layers, opened.content.into_owned()), (way.layers.clone(), content));
        let session = Session::start(engine);
        is_read(&session, &file, &way, &samples, "a file of ours, brotli", false);
        session.finish();
    });
}

/// A golden file.
struct GoldenFile {
    name: String,
    bytes: Vec<u8>,
    way: Way,
    samples: Vec<Sample>,
    objects: bool,
}

/// Returns the golden files of an engine's family that scripts can open; objects in full only if they were written by
/// exactly this release.
fn golden_files(engine: &Engine, golden: &Golden) -> Vec<GoldenFile> {
    let read = |name: &str| std::fs::read(golden.file("files").join(name)).expect("it is there");
    let manifest: serde_json::Value =
        serde_json::from_slice(&read("manifest.json")).expect("the manifest is JSON");
    let mut files = Vec::new();
    for entry in manifest["files"].as_array().expect("the manifest lists files") {
        let text = |field: &str| entry[field].as_str().unwrap_or_default();
        let way = match text("container") {
            "store_var" => Way::plain("plain", ByteOrder::Little),
            "store_var with endian_swap" | "store_var with big_endian" => {
                Way::plain("swapped", ByteOrder::Big)
            }
            "store_var in compressed file" => {
                let named = |mode: &&Compression| mode.name() == text("detail");
                let mode = Compression::ALL.iter().find(named).expect("it is a known mode");
                Way::compressed(*mode)
            }
            "store_var in encrypted file" => {
                let password = text("detail").strip_prefix("password: ").expect("it has one");
                Way::password(engine, password)
            }
            // Scripts cannot open streams and bare values as files.
            "StreamPeerBuffer.put_var" | "var2bytes" | "var_to_bytes" => continue,
            other => panic!("a container {other}"),
        };
        let objects = text("detail") == "full objects";
        if objects && !golden.folder.ends_with(&format!("/{}", engine.release)) {
            continue;
        }
        let bytes = read(text("file"));
        let opened = open(&bytes, way.key.as_ref(), &Limits::default()).expect("it is golden");
        let decoder = formwork_variant::Decoder::new(golden.dialect()).allow_objects(objects);
        let mut reader = FrameReader::new(&*opened.content, way.order);
        let mut samples = Vec::new();
        while let Some(value) = reader.next_value(&decoder).expect("it is golden") {
            let name = format!("{} {}", text("file"), samples.len());
            let sample = Sample::with_objects(name, value, engine.dialect, objects);
            samples.push(sample.expect("the family has these values"));
        }
        assert_eq!(samples.len(), entry["values"].as_array().map_or(0, Vec::len));
        files.push(GoldenFile { name: text("file").to_owned(), bytes, way, samples, objects });
    }
    files
}

#[test]
#[ignore = "needs an engine"]
fn golden_files_written_anew_are_read() {
    with_each_engine(|engine| {
        let family = |family: Family| family == engine.dialect.family();
        let session = Session::start(engine);
        for golden in ENGINES.iter().filter(|golden| family(golden.dialect().family())) {
            for file in golden_files(engine, golden) {
                let key = file.way.key.as_ref();
                let opened = open(&file.bytes, key, &Limits::default()).expect("it is golden");
                let again = close(&opened.content, &opened.layers, key).expect("it was a file");
                for (whose, bytes) in [("", &file.bytes), (" written anew", &again)] {
                    let test = format!("{} of {}{whose}", file.name, golden.name);
                    is_read(&session, bytes, &file.way, &file.samples, &test, file.objects);
                }
            }
        }
        session.finish();
    });
}

/// Changes a value deep in each golden save, as `formwork set` does, and lets the engine read the file.
#[test]
#[ignore = "needs an engine"]
fn saves_in_which_a_value_was_set_are_read() {
    with_each_engine(|engine| {
        let family = |family: Family| family == engine.dialect.family();
        let session = Session::start(engine);
        let mut count = 0;
        for golden in ENGINES.iter().filter(|golden| family(golden.dialect().family())) {
            for file in golden_files(engine, golden) {
                let framing = Framing::Frames(file.way.order);
                let mut opener = Opener::new().dialect(golden.dialect()).framing(framing);
                if let Some(key) = &file.way.key {
                    opener = opener.key(key.clone());
                }
                let mut opened = opener.open(&file.bytes).expect("it is golden");
                let several = opened.values().len() > 1;
                let number = opened.values().iter().position(|it| it.at("player/level").is_some());
                let Some(number) = number else { continue };
                let path = |path: &str| match several {
                    true => format!("{number}/{path}"),
                    false => path.to_owned(),
                };
                opened.set(&path("player/level"), 123_456).expect("it is there");
                opened.set(&path("player/name"), "a longer name than before").expect("it is there");
                opened.insert(&path("player/added"), true).expect("it is a dictionary");
                opened.remove(&path("inventory/0")).expect("it is an array");
                let bytes = opened.to_vec().expect("it can be written");
                let samples = opened.values().iter().enumerate().map(|(at, value)| {
                    let (name, objects) = (format!("{} {at}", file.name), file.objects);
                    let sample = Sample::with_objects(name, value.clone(), engine.dialect, objects);
                    sample.expect("the family has these values")
                });
                let samples: Vec<_> = samples.collect();
                let test = format!("{} of {}, changed", file.name, golden.name);
                is_read(&session, &bytes, &file.way, &samples, &test, file.objects);
                count += 1;
            }
        }
        assert!(count > 0, "{}: no save was changed", engine.release);
        session.finish();
    });
}
