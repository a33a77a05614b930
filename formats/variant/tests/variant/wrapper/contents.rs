//! Contents of many lengths come back from every layer.

use formwork_godot::wrapper;
use formwork_godot::wrapper::{Cipher, Compression, Key, Layer, MAX_LAYERS, close, encrypt};
use formwork_testkit::from_hex;
use formwork_variant::ErrorKind;

use super::make::{self, compressed, content, key, layers, open, small_files, stored_brotli};

#[test]
fn contents_around_multiples_of_a_block_come_back() {
    let around = |multiple: usize| multiple.saturating_sub(2)..=multiple + 2;
    let lengths = (0..=33).chain([4096, 8192, 12288, 65536].into_iter().flat_map(around));
    for (seed, length) in (1..).zip(lengths) {
        let content = content(length, seed);
        for layer in layers() {
            let file = make::close(&content, &[layer]);
            let opened = open(&file).unwrap_or_else(|error| panic!("{length} {layer}: {error}"));
            assert_eq!(opened.layers, [layer]);
            assert!(*opened.content == content, "{length} bytes in {layer}");
            if let Layer::Compressed(_) = layer {
                // One block more than are full, even where that is empty.
                let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
                assert_eq!((word(8), word(12)), (4096, length as u32));
                let count = length / 4096 + 1;
                let sizes: u32 = (0..count).map(|block| word(16 + 4 * block)).sum();
                assert_eq!(file.len(), 16 + 4 * count + sizes as usize + 4);
                assert!(file.ends_with(b"GCPF"));
            } else {
                let head = if file[4] == 1 { 32 } else { 44 };
                assert_eq!(file.len(), head + length.next_multiple_of(16));
            }
        }
    }
}

#[test]
fn random_contents_come_back() {
    for seed in 0..200 {
        let length = (seed as usize * 7919) % 30_000;
        let content = content(length, seed ^ 0xabcd);
        for layer in layers() {
            assert!(*open(&make::close(&content, &[layer])).unwrap().content == content);
        }
    }
}

#[test]
fn blocks_in_brotli_are_read() {
    // What the reference encoder makes of a sentence (the vector of another reader's tests).
    let packed = from_hex("0b0a80 68657265277320736f6d6520746573742064617461 03");
    let file = compressed(4, 4096, 21, &[packed]);
    let opened = open(&file).unwrap();
    assert_eq!(opened.layers, [Layer::Compressed(Compression::Brotli)]);
    assert_eq!(*opened.content, *b"here's some test data");
    // Several blocks.
    let content = content(10_000, 1);
    let blocks: Vec<_> = content.chunks(4096).map(stored_brotli).collect();
    assert!(*open(&compressed(4, 4096, 10_000, &blocks)).unwrap().content == content);
    let error = close(b"", &[Layer::Compressed(Compression::Brotli)], None).unwrap_err();
    assert_eq!(
        (error.rule(), error.kind()),
        (wrapper::rule::GCPF_WRITTEN, ErrorKind::Unrepresentable)
    );
    assert_eq!(error.path().to_string(), "compressed.mode");
}

#[test]
fn blocks_of_any_size_are_read() {
    let content = content(5000, 2);
    for (_, file) in small_files(&content[..100]) {
        open(&file).unwrap();
    }
    // One large block, many of a byte each and an empty one, and a part.
    for block_size in [1, 7, 1000, 4999, 5000, 5001, 1 << 20, u32::MAX] {
        let mut blocks: Vec<_> = content.chunks(block_size as usize).map(stored_brotli).collect();
        if 5000 % block_size == 0 {
            blocks.push(stored_brotli(b""));
        }
        let file = compressed(4, block_size, 5000, &blocks);
        assert!(*open(&file).unwrap().content == content, "{block_size}");
    }
}

#[test]
fn layers_come_off_in_their_order() {
    let inner = content(5000, 3);
    let zstd = Layer::Compressed(Compression::Zstd);
    let gzip = Layer::Compressed(Compression::Gzip);
    let [ecb, cfb] = [Cipher::Ecb, Cipher::Cfb].map(Layer::Encrypted);
    for order in [&[zstd, ecb][..], &[cfb, zstd], &[gzip, cfb, zstd, ecb], &[ecb, ecb]] {
        let file = make::close(&inner, order);
        let opened = open(&file).unwrap();
        assert_eq!((&*opened.layers, &*opened.content), (order, &*inner));
    }
    let most = [gzip; MAX_LAYERS];
    let file = make::close(&inner, &most);
    assert_eq!(open(&file).unwrap().layers, most);
    let deeper = make::close(&file, &[ecb]);
    let error = open(&deeper).unwrap_err();
    assert_eq!((error.rule(), error.kind()), (wrapper::rule::DEPTH, ErrorKind::Limit));
    let error = close(&inner, &[gzip; MAX_LAYERS + 1], None).unwrap_err();
    assert_eq!(error.rule(), wrapper::rule::DEPTH);
    // The path of an error inside includes all layers.
    let mut damaged = make::close(&inner, &[ecb]);
    damaged[40] ^= 1;
    let error = open(&make::close(&damaged, &[zstd])).unwrap_err();
    assert_eq!(error.path().to_string(), "compressed.content.encrypted.digest");
    assert_eq!(error.rule(), wrapper::rule::GDEC_KEY);
}

#[test]
fn without_layers_the_bytes_are_the_content() {
    for bytes in [&b""[..], b"GCP", b"gcpf", b"[section]\n", &[4, 0, 0, 0, 0, 0, 0, 0]] {
        let opened = open(bytes).unwrap();
        assert!(opened.layers.is_empty());
        assert!(matches!(opened.content, std::borrow::Cow::Borrowed(content) if content == bytes));
        assert_eq!(close(bytes, &[], None).unwrap(), bytes);
    }
}

#[test]
fn each_file_has_its_own_vector() {
    let files: Vec<_> = (0..2).map(|_| encrypt(b"same", Cipher::Cfb, &key()).unwrap()).collect();
    assert_ne!(files[0][28..44], files[1][28..44]);
    assert_ne!(files[0][44..], files[1][44..]);
    assert_eq!(files[0][..28], files[1][..28]);
}

#[test]
fn a_key_does_not_show() {
    let key = Key::new(*b"0123456789abcdef0123456789abcdef");
    assert_eq!(format!("{key:?}"), "Key(..)");
    assert_eq!(key.as_bytes(), b"0123456789abcdef0123456789abcdef");
}

#[test]
fn a_header_is_passed_over_once_and_only_whole() {
    let mut file = wrapper::Unwrapped::new(*b"SAVEcontent").header(4);
    assert_eq!(
        (file.content(), file.skipped(), file.missing_header()),
        (&b"SAVEcontent"[..], 0, 4)
    );
    assert!(file.passed_header().is_none());
    for _ in 0..2 {
        file.pass_header();
        assert_eq!(
            (file.content(), file.skipped(), file.missing_header()),
            (&b"content"[..], 4, 0)
        );
        assert_eq!(file.passed_header(), Some((0, &b"SAVE"[..])));
    }
    // A header of all bytes leaves none, and a longer one is not passed over.
    for (length, left, missing) in
        [(11, &b""[..], 0), (12, b"SAVEcontent", 12), (u64::MAX, b"SAVEcontent", u64::MAX)]
    {
        let mut file = wrapper::Unwrapped::new(*b"SAVEcontent").header(length);
        file.pass_header();
        assert_eq!((file.content(), file.missing_header()), (left, missing), "{length}");
    }
    // It may be in a layer: then the layer comes off first.
    let layer = Layer::Compressed(Compression::Zstd);
    let inner = close(b"SAVEcontent", &[layer], None).unwrap();
    let mut file = wrapper::Unwrapped::new(inner).header(4);
    file.take_out_all(None, &formwork_variant::Limits::default()).unwrap();
    assert_eq!((file.content(), file.passed_header()), (&b"content"[..], Some((1, &b"SAVE"[..]))));
}
