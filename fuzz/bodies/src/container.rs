//! Compressed and encrypted files, whole and damaged.

use formwork_godot::detect::Other;
use formwork_godot::wrapper::{
    Compression, Key, Layer, Opened, close_with_vector, open, open_outermost, salvage_outermost,
};
use formwork_variant::Limits;
use formwork_variant::Result;

/// What the fuzzer may unpack to, so that a run stays short.
const LIMITS: Limits = Limits::new().unpacked_bytes(1 << 20);

/// The key of the golden files.
fn key() -> Key {
    Key::from_password("correct horse")
}

/// Any bytes are opened or refused, and an error points into them. What was opened is closed again,
/// in layers of the same kind, and opens to the same content.
///
/// Bytes that start with the mark of a container are a file; of others the first byte chooses layers
/// for the rest. Its top bit then changes a bit of the file that these make.
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
        // An encrypted file never gives another content; a damaged mark leaves it closed.
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
            // In an inner layer the offset is one of what the outer layer holds.
            let inner = error.path().steps().len() > 3;
            assert!(inner || error.offset() <= bytes.len() as u64, "{error}");
            None
        }
    }
}

/// Of a whole layer all is left; of a damaged one no more than the limits allow, and its faults.
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

/// Up to two layers by the number of each among those that are written.
fn chosen(choice: u8) -> Vec<Layer> {
    let written: Vec<Layer> = Layer::all().filter(|&layer| written(layer) == layer).collect();
    let pick = |number: u8| written.get(usize::from(number)).copied();
    [choice & 7, choice >> 3 & 7].into_iter().filter_map(pick).collect()
}

/// The layer, or one that is written in its place.
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
    // A content that is a container itself is opened, too.
    if !is_container(content) {
        let again = expect(open(&file, Some(&key()), &LIMITS).map(|opened| {
            assert_eq!(opened.layers, layers);
            opened.content.into_owned()
        }));
        assert!(again == content, "{layers:?} around {} bytes", content.len());
    }
    file
}
