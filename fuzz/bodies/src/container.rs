//! Compressed and encrypted files, whole and damaged.

use formwork_godot::detect::Other;
use formwork_godot::wrapper::{
    Compression, Key, Layer, Opened, close_with_vector, open, open_outermost, salvage_outermost,
};
use formwork_variant::Limits;
use formwork_variant::Result;

/// The limit of unpacked bytes, which keeps a run short.
const LIMITS: Limits = Limits::new().unpacked_bytes(1 << 20);

/// The key of the golden files.
fn key() -> Key {
    Key::from_password("correct horse")
}

/// Checks that any bytes are opened or refused, and that an error points into them. An opened file is closed
/// again in layers of the same kind, and opens to the same content.
///
/// Bytes that start with the mark of a container are a file. Of other bytes, the first one chooses layers for
/// the rest, and its top bit changes a bit of the resulting file.
pub fn container(data: &[u8]) {
    if is_container(data) {
        if let Some(opened) = attempt(data) {
            let layers: Vec<Layer> = opened.layers.into_iter().map(written).collect();
            close_and_open(&opened.content, &layers);
        }
        return;
    }
    let Some((&choice, content)) = data.split_first() else { return };
    let layers = chosen(choice);
    let file = close_and_open(content, &layers);
    if choice & 0x80 != 0 && !layers.is_empty() {
        let mut changed = file.clone();
        let at =
            content.iter().fold(0, |sum: usize, byte| sum * 31 % file.len() + usize::from(*byte));
        changed[at % file.len()] ^= 1 << (at % 8);
        let opened = attempt(&changed);
        // An encrypted file never opens to another content. A damaged mark leaves the file unopened.
        if let ([Layer::Encrypted(_)], Some(opened)) = (&*layers, opened) {
            let closed = opened.layers.is_empty();
            assert!(*opened.content == *if closed { &*changed } else { content }, "{choice:#x}");
        }
    }
}

fn is_container(bytes: &[u8]) -> bool {
    Other::by_start(bytes).is_some_and(Other::is_container)
}

/// Opens bytes that may be damaged.
fn attempt(bytes: &[u8]) -> Option<Opened<'_>> {
    salvage(bytes);
    match open(bytes, Some(&key()), &LIMITS) {
        Ok(opened) => {
            assert!(
                opened.content.len() as u64 <= LIMITS.unpacked_bytes || opened.layers.is_empty()
            );
            Some(opened)
        }
        Err(error) => {
            // In an inner layer, the offset is in the content of the outer layer.
            let inner = error.path().steps().len() > 3;
            assert!(inner || error.offset() <= bytes.len() as u64, "{error}");
            None
        }
    }
}

/// Checks that everything is salvaged from a whole layer, and from a damaged one no more than the limits
/// allow, together with its faults.
fn salvage(bytes: &[u8]) {
    let opened = open_outermost(bytes, Some(&key()), &LIMITS);
    let Ok(Some((layer, salvaged))) = salvage_outermost(bytes, Some(&key()), &LIMITS) else {
        assert!(!matches!(opened, Ok(Some(_))));
        return;
    };
    let length = salvaged.content.len() as u64;
    assert!(length <= LIMITS.unpacked_bytes.max(bytes.len() as u64));
    assert!(salvaged.gaps.iter().all(|gap| gap.start < gap.end && gap.end <= length));
    match opened {
        Ok(Some((whole, content))) => {
            assert!(salvaged.faults.is_empty() && whole == layer && content == salvaged.content);
        }
        _ => assert!(!salvaged.faults.is_empty()),
    }
}

/// Returns up to two layers, each chosen by its number among the layers that can be written.
fn chosen(choice: u8) -> Vec<Layer> {
    let written: Vec<Layer> = Layer::all().filter(|&layer| written(layer) == layer).collect();
    let pick = |number: u8| written.get(usize::from(number)).copied();
    [choice & 7, choice >> 3 & 7].into_iter().filter_map(pick).collect()
}

/// Returns the layer, or the one that is written in its place.
const fn written(layer: Layer) -> Layer {
    match layer {
        Layer::Compressed(Compression::Brotli) => Layer::Compressed(Compression::Deflate),
        layer => layer,
    }
}

fn close_and_open(content: &[u8], layers: &[Layer]) -> Vec<u8> {
    let expect = |result: Result<Vec<u8>>| match result {
        Ok(file) => file,
        Err(error) => panic!("{error} with {layers:?} around {} bytes", content.len()),
    };
    let file = expect(close_with_vector(content, layers, Some(&key()), &[7; 16]));
    // A content that is itself a container is opened too.
    if !is_container(content) {
        let again = expect(open(&file, Some(&key()), &LIMITS).map(|opened| {
            assert_eq!(opened.layers, layers);
            opened.content.into_owned()
        }));
        assert!(again == content, "{layers:?} around {} bytes", content.len());
    }
    file
}
