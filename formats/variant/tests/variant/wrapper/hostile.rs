//! Files that are cut, damaged or lie: errors with a rule, a place and a path, and never another
//! content out of an encrypted file.

use formwork_godot::wrapper;
use formwork_godot::wrapper::{Cipher, Key, Layer, close, decompress, decrypt};
use formwork_testkit::from_hex;
use formwork_variant::{Error, ErrorKind, Limits, Rule};

use super::forty_two;
use super::make::{self, compressed, content, is_encrypted, key, open, small_files};

/// A short content, and one of two blocks.
fn contents() -> [Vec<u8>; 2] {
    [forty_two(), content(4100, 4)]
}

/// Every `step`th position of a file, and all in its head.
fn positions(file: &[u8]) -> impl Iterator<Item = usize> + use<> {
    let step = 1 + file.len() / 600;
    (0..file.len()).filter(move |at| at % step == 0 || *at < 64)
}

#[test]
fn every_prefix_is_incomplete() {
    for content in contents() {
        for (layer, file) in small_files(&content[..content.len().min(4095)]) {
            let whole = open(&file).unwrap().content.into_owned();
            for length in (0..file.len()).filter(|length| *length >= 4) {
                let missing = (file.len() - length) as u64;
                match open(&file[..length]) {
                    // Engines do not look at the mark at the end, so it may be missing.
                    Ok(opened) => {
                        assert!(!is_encrypted(layer) && missing <= 4, "{layer} cut at {length}");
                        assert!(*opened.content == whole);
                    }
                    Err(error) => {
                        let needed = error.needed().unwrap_or_else(|| panic!("{layer}: {error}"));
                        assert!(0 < needed && needed <= missing, "{layer} at {length}: {error}");
                        assert!(error.offset() <= length as u64);
                    }
                }
            }
        }
    }
}

#[test]
fn a_changed_byte_is_found_or_harmless() {
    for content in contents() {
        for (layer, file) in small_files(&content[..content.len().min(4095)]) {
            let whole = open(&file).unwrap().content.into_owned();
            for at in positions(&file) {
                for change in [1, 0x10, 0x80, 0xff] {
                    let mut changed = file.clone();
                    changed[at] ^= change;
                    match open(&changed) {
                        Ok(opened) if at < 4 => assert!(opened.layers.is_empty()),
                        Ok(opened) if is_encrypted(layer) => {
                            panic!("{layer}, byte {at}: {:?}", opened.content)
                        }
                        // FastLZ and stored Brotli have no check sum.
                        Ok(opened) => {
                            let total = opened.content.len();
                            assert!(total == whole.len() || at == 12, "{layer}, byte {at}");
                        }
                        Err(error) => {
                            assert!(error.offset() <= file.len() as u64, "{error}");
                            assert!(!error.path().is_empty(), "{error}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn words_that_lie_are_refused() {
    let words = [0, 1, 2, 3, 4, 12, 0x7f, 0xff, 4095, 4097, 0xffff, 0x7fff_ffff, 0x8000_0000];
    for (layer, file) in small_files(&content(4095, 5)) {
        // Words within the head and the size of the block, aligned or not.
        for at in 4..=if is_encrypted(layer) { 40 } else { 16 } {
            for word in words.into_iter().chain([u32::MAX]) {
                let mut lying = file.clone();
                lying[at..at + 4].copy_from_slice(&word.to_le_bytes());
                if lying != file
                    && let Ok(opened) = open(&lying)
                {
                    // Another block size, where all is in one block anyway.
                    let same = opened.content == open(&file).unwrap().content;
                    assert!(same && !is_encrypted(layer), "{layer}: {word} at {at}");
                }
            }
        }
    }
}

/// Rule, class, offset and path of an error.
fn told(error: &Error) -> (Rule, ErrorKind, u64, String) {
    (error.rule(), error.kind(), error.offset(), error.path().to_string())
}

fn refused(file: &[u8]) -> (Rule, ErrorKind, u64, String) {
    told(&open(file).expect_err("it is refused"))
}

#[test]
fn each_fault_of_a_compressed_file_has_its_rule() {
    let malformed =
        |rule, offset, path: &str| (rule, ErrorKind::Malformed, offset, path.to_owned());
    let file = make::close(&content(9000, 6), &["deflate".parse().unwrap()]);
    let with = |at: usize, word: u32| {
        let mut changed = file.clone();
        changed[at..at + 4].copy_from_slice(&word.to_le_bytes());
        changed
    };
    assert_eq!(refused(&with(4, 5)), malformed(wrapper::rule::GCPF_MODE, 4, "compressed.mode"));
    let told_block_size = malformed(wrapper::rule::GCPF_BLOCK_SIZE, 8, "compressed.block_size");
    assert_eq!(refused(&with(8, 0)), told_block_size);
    let limit = (Rule::SIZE_LIMIT, ErrorKind::Limit, 12, "compressed.total".to_owned());
    assert_eq!(refused(&with(12, (256 << 20) + 1)), limit);
    // A list of sizes that goes beyond the end.
    let error = open(&with(8, 1)).unwrap_err();
    assert_eq!(error.path().to_string(), "compressed.sizes");
    assert_eq!((error.offset(), error.needed()), (16, Some(9001 * 4 - (file.len() as u64 - 16))));
    // Less and more than the blocks hold.
    let first = 16 + 3 * 4;
    let (rule, class, _, path) = refused(&with(12, 8999));
    assert_eq!(
        (rule, class, &*path),
        (wrapper::rule::GCPF_BLOCK, ErrorKind::Malformed, "compressed.blocks[2]")
    );
    let (rule, _, _, path) = refused(&with(12, 9001));
    assert_eq!((rule, &*path), (wrapper::rule::GCPF_BLOCK, "compressed.blocks[2]"));
    let told_block = malformed(wrapper::rule::GCPF_BLOCK, first, "compressed.blocks[0]");
    assert_eq!(refused(&with(8, 4095)), told_block);
    assert_eq!(refused(&with(8, 4097)), told_block);
    let size = u32::from_le_bytes(file[16..20].try_into().unwrap());
    assert_eq!(refused(&with(16, size - 1)), told_block);
    assert_eq!(refused(&with(16, size + 1)), told_block);
    let error = open(&with(24, u32::MAX)).unwrap_err();
    assert_eq!(error.path().to_string(), "compressed.blocks[2]");
    assert!(error.needed().is_some());
    // The mark at the end is not checked; bytes after it are refused.
    let mut other = file.clone();
    other[file.len() - 4..].copy_from_slice(b"????");
    assert_eq!(open(&other).unwrap(), open(&file).unwrap());
    let mut longer = file.clone();
    longer.push(0);
    let trailing = (wrapper::rule::TRAILING, ErrorKind::Trailing, file.len() as u64);
    let (rule, class, offset, path) = refused(&longer);
    assert_eq!(((rule, class, offset), &*path), (trailing, "compressed.trailer"));
    let error = decompress(b"GDEC and some more bytes", &Limits::default()).unwrap_err();
    assert_eq!(told(&error), malformed(wrapper::rule::GCPF_MAGIC, 0, "compressed.magic"));
}

#[test]
fn a_block_gives_what_it_should_and_nothing_else() {
    let twelve = |mode, block: Vec<u8>| refused(&compressed(mode, 4096, 12, &[block])).0;
    // FastLZ: padding that is not zero, a distance before the start, a literal that is cut, a level
    // that does not exist, more than fits.
    let literals = |bytes: &[u8]| [&[bytes.len() as u8 - 1][..], bytes].concat();
    assert_eq!(twelve(0, literals(b"twelve bytes\0\0\0x")), wrapper::rule::GCPF_BLOCK);
    assert_eq!(twelve(0, literals(b"seventeen bytes..")), wrapper::rule::GCPF_BLOCK);
    assert_eq!(twelve(0, from_hex("00 61 20 01")), wrapper::rule::GCPF_BLOCK);
    assert_eq!(twelve(0, from_hex("05 61")), wrapper::rule::GCPF_BLOCK);
    assert_eq!(twelve(0, from_hex("40 61")), wrapper::rule::GCPF_BLOCK);
    assert_eq!(twelve(0, vec![]), wrapper::rule::GCPF_BLOCK);
    // Without the padding it is read, as the engine would.
    let unpadded = compressed(0, 4096, 12, &[literals(b"twelve bytes")]);
    assert_eq!(*open(&unpadded).unwrap().content, *b"twelve bytes");
    for mode in 1..=4 {
        assert_eq!(twelve(mode, vec![]), wrapper::rule::GCPF_BLOCK, "{mode}");
        assert_eq!(
            twelve(mode, b"garbage, not packed".to_vec()),
            wrapper::rule::GCPF_BLOCK,
            "{mode}"
        );
    }
    // Two frames of Zstandard and one to be skipped, as the engine's library takes them; a wrong
    // check sum.
    let frame = |text: &[u8]| {
        let mut frame = from_hex("28b52ffd 20");
        frame.push(text.len() as u8);
        let header = 1 | (text.len() as u32) << 3;
        frame.extend(&header.to_le_bytes()[..3]);
        frame.extend(text);
        frame
    };
    let skipped = from_hex("502a4d18 03000000 616263");
    let frames = [frame(b"twelve"), skipped, frame(b" bytes")].concat();
    assert_eq!(*open(&compressed(2, 4096, 12, &[frames])).unwrap().content, *b"twelve bytes");
    let file = make::close(b"twelve bytes", &["zstd".parse().unwrap()]);
    let mut wrong = file.clone();
    let last = file.len() - 5;
    wrong[last] ^= 1;
    assert_eq!(refused(&wrong).0, wrapper::rule::GCPF_BLOCK);
    assert_eq!(
        twelve(2, [frame(b"twelve bytes"), from_hex("28")].concat()),
        wrapper::rule::GCPF_BLOCK
    );
    assert_eq!(twelve(2, from_hex("502a4d18 ffffffff")), wrapper::rule::GCPF_BLOCK);
}

#[test]
fn an_encrypted_file_opens_with_its_key_only() {
    for cipher in [Cipher::Ecb, Cipher::Cfb] {
        let layers = [Layer::Encrypted(cipher)];
        for content in [vec![], forty_two(), content(4100, 7)] {
            let file = make::close(&content, &layers);
            let limits = Limits::default();
            let digest = if cipher == Cipher::Ecb { 8 } else { 4 };
            // An empty content looks the same with every key.
            if !content.is_empty() {
                let wrong = Key::from_password("battery staple");
                let error = decrypt(&file, &wrong, &limits).unwrap_err();
                let path = "encrypted.digest".to_owned();
                assert_eq!(
                    told(&error),
                    (wrapper::rule::GDEC_KEY, ErrorKind::Malformed, digest, path)
                );
                assert!(error.to_string().contains("the key is another"), "{error}");
            }
            let error = formwork_godot::wrapper::open(&file, None, &limits).unwrap_err();
            let path = "encrypted".to_owned();
            assert_eq!(
                told(&error),
                (wrapper::rule::GDEC_KEY_GIVEN, ErrorKind::Unsupported, 0, path)
            );
            let error = close(&content, &layers, None).unwrap_err();
            assert_eq!(error.rule(), wrapper::rule::GDEC_KEY_GIVEN);
            let mut longer = file.clone();
            longer.extend([0; 16]);
            let (rule, class, offset, path) = refused(&longer);
            assert_eq!((rule, class), (wrapper::rule::TRAILING, ErrorKind::Trailing));
            assert_eq!((offset, &*path), (file.len() as u64, "encrypted.data"));
            let few = limits.unpacked_bytes(content.len() as u64);
            assert!(decrypt(&file, &key(), &few).is_ok());
            if !content.is_empty() {
                let few = limits.unpacked_bytes(content.len() as u64 - 1);
                let error = decrypt(&file, &key(), &few).unwrap_err();
                let path = "encrypted.length".to_owned();
                assert_eq!(told(&error), (Rule::SIZE_LIMIT, ErrorKind::Limit, digest + 16, path));
            }
        }
    }
    let error = decrypt(b"GDE", &key(), &Limits::default()).unwrap_err();
    assert_eq!(error.rule(), wrapper::rule::GDEC_MAGIC);
}

/// The first word of an MD5 sum may be 1, which looks like the mode of the older form.
#[test]
fn the_md5_sum_decides_between_the_forms() {
    let content = forty_two();
    let file = make::close(&content, &[Layer::Encrypted(Cipher::Cfb)]);
    let mut unclear = file;
    unclear[4..8].copy_from_slice(&[1, 0, 0, 0]);
    // In the older form the length would be the low half of the vector.
    let error = open(&unclear).unwrap_err();
    assert!(matches!(error.rule(), Rule::SIZE_LIMIT | Rule::INPUT_COMPLETE), "{error}");
    let mut both = make::close(&content, &[Layer::Encrypted(Cipher::Ecb)]);
    assert_eq!(both[4..8], [1, 0, 0, 0]);
    both[40] ^= 1;
    assert_eq!(refused(&both).0, wrapper::rule::GDEC_KEY);
}

#[test]
fn padding_of_an_encrypted_file_is_zero() {
    // In CFB mode a changed byte of the last block changes that byte only.
    let mut file = make::close(&forty_two(), &[Layer::Encrypted(Cipher::Cfb)]);
    let last = file.len() - 1;
    file[last] ^= 1;
    let (rule, class, offset, path) = refused(&file);
    assert_eq!((rule, class), (wrapper::rule::GDEC_PADDING, ErrorKind::Malformed));
    assert_eq!((offset, &*path), (last as u64, "encrypted.data"));
}

#[test]
fn any_bytes_behind_a_mark_are_refused_or_opened() {
    for seed in 0..4000 {
        let mut bytes = content(seed as usize % 300, seed);
        let mark: &[u8; 4] = if seed % 2 == 0 { b"GCPF" } else { b"GDEC" };
        let mode = (seed / 2) as u32 % 5;
        bytes.splice(0..0, mark.iter().copied().chain(mode.to_le_bytes()));
        match open(&bytes) {
            Ok(opened) => assert!(mark == b"GCPF" && opened.layers.len() == 1),
            Err(error) => assert!(error.offset() <= bytes.len() as u64, "{error}"),
        }
    }
}

#[test]
fn a_length_of_64_bits_is_incomplete_where_the_limits_allow_it() {
    let limits = Limits::default().unpacked_bytes(u64::MAX);
    for (cipher, at) in [(Cipher::Ecb, 24), (Cipher::Cfb, 20)] {
        let mut file = make::close(&[], &[Layer::Encrypted(cipher)]);
        file[at..at + 8].fill(0xff);
        let error = decrypt(&file, &key(), &limits).unwrap_err();
        assert_eq!(error.rule(), Rule::INPUT_COMPLETE, "{cipher:?}: {error}");
    }
}
