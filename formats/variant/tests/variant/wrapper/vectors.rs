//! Files that were computed by hand from the format's description, not by this crate.

use formwork_godot::wrapper::{Cipher, Compression, Key, Layer, close, encrypt_with_vector, open};
use formwork_testkit::from_hex;
use formwork_variant::Limits;

use super::forty_two;

#[test]
fn an_encrypted_file_of_godot_3_is_these_bytes() {
    let file = from_hex(
        "47444543 01000000 ce1c9a81234c3965fec2f495b6bb2ad5 0c00000000000000
         11b27118fcedbf7ea178d10aec87f27d",
    );
    let key = Key::from_password("pass");
    let opened = open(&file, Some(&key), &Limits::default()).unwrap();
    assert_eq!(opened.layers, [Layer::Encrypted(Cipher::Ecb)]);
    assert_eq!(*opened.content, forty_two());
    assert_eq!(close(&forty_two(), &opened.layers, Some(&key)).unwrap(), file);
}

#[test]
fn an_encrypted_file_of_godot_4_is_these_bytes() {
    let file = from_hex(
        "47444543 ce1c9a81234c3965fec2f495b6bb2ad5 0c00000000000000
         000102030405060708090a0b0c0d0e0f fdaaf48e68f6cf42bb1015c5fad44fe2",
    );
    let key = Key::from_password("pass");
    let opened = open(&file, Some(&key), &Limits::default()).unwrap();
    assert_eq!(opened.layers, [Layer::Encrypted(Cipher::Cfb)]);
    assert_eq!(*opened.content, forty_two());
    let vector = std::array::from_fn(|at| at as u8);
    assert_eq!(encrypt_with_vector(&forty_two(), Cipher::Cfb, &key, &vector), file);
}

#[test]
fn a_file_in_deflate_is_these_bytes() {
    let file = from_hex(
        "47435046 01000000 00100000 0c000000 11000000
         789ce3606060600262 2d20060001240035 47435046",
    );
    let opened = open(&file, None, &Limits::default()).unwrap();
    assert_eq!(opened.layers, [Layer::Compressed(Compression::Deflate)]);
    assert_eq!(*opened.content, forty_two());
}

#[test]
fn a_file_in_fastlz_is_these_bytes() {
    let file = from_hex(
        "47435046 00000000 00100000 0c000000 11000000
         0f 08000000020000002a000000 00000000 47435046",
    );
    let opened = open(&file, None, &Limits::default()).unwrap();
    assert_eq!(opened.layers, [Layer::Compressed(Compression::FastLz)]);
    assert_eq!(*opened.content, forty_two());
}
