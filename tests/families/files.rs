//! Heads of wrappers, packs and scripts.

use formwork::record;
use formwork_godot::pack::{
    FileFlags, FlaggedPackDirectory, FlaggedPackEntry, FlaggedPackHead, PackDirectory, PackEntry,
    PackFlags, PackStart, PackTrailer, PlacedPackHead, PlainPackHead, SealedDirectory, SealedHead,
};
use formwork_godot::script::{
    Identifier, LineToken, ScriptContent, ScriptContent100, ScriptFile, ScriptHead, ScriptMark,
    Token, TokenByte, TokenIndex, TokenPlace, WideIdentifier,
};
use formwork_godot::wrapper::{CfbHead, CompressedFile, CompressedHead, EcbHead};

use super::variant::Godot;
use super::{hold, hold_front, sample};

#[test]
fn wrappers() {
    let with = record::with(&());
    for name in ["small.zstd.save", "small.gzip.save", "small.fastlz.save"] {
        hold::<CompressedFile>(with, &sample(&format!("godot3/golden/3.2.3/files/{name}")));
    }
    let mut file = sample("godot3/golden/3.2.3/files/small.zstd.save");
    file.truncate(file.len() - 4);
    hold::<CompressedFile>(with, &file);
    file.pop();
    assert_eq!(with.check::<CompressedFile>(&file).unwrap_err().path().to_string(), "blocks");
    // (The number of blocks needs more than 32 bits.)
    let mut file = sample("godot3/golden/3.2.3/files/small.zstd.save");
    file[8..16].copy_from_slice(&[1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
    let error = with.from_slice::<CompressedFile>(&file).unwrap_err();
    assert_eq!(error.expected(), "4294967296 elements of 4 bytes");
    assert_eq!(with.check::<CompressedFile>(&file).unwrap_err().expected(), error.expected());
    hold::<CompressedHead>(with, &file[..16]);
    hold::<EcbHead<'_>>(with, &sample("godot3/golden/3.2.3/files/small.encrypted.save"));
    hold::<CfbHead<'_>>(with, &sample("godot4/golden/4.6.3/files/small.encrypted.save"));
}

#[test]
fn packs() {
    let with = record::with(&());
    let pack = sample("pack/samples/3.2.3/packer.pck");
    hold::<PackStart>(with, &pack[..20]);
    hold::<PlainPackHead<'_>>(with, &pack[..84]);
    hold_front::<PackDirectory>(with, &pack[84..]);
    let pack = sample("pack/samples/4.6.3/packer.pck");
    hold::<FlaggedPackHead<'_>>(with, &pack[..96]);
    hold::<PlacedPackHead<'_>>(with, &pack[..104]);
    hold::<FlaggedPackDirectory>(with, &[0; 4]);
    hold::<SealedHead<'_>>(with, &[7; 64]);
    hold::<SealedDirectory<'_>>(with, &[7; 80]);
    hold::<PackTrailer>(with, b"\0\x10\0\0\0\0\0\0GDPC");
    hold::<PackFlags>(with, &[7, 0, 0, 0]);
    hold::<FileFlags>(with, &[7, 0, 0, 0]);
    hold::<PackEntry<'_>>(with, &[b"\x04\0\0\0icon".as_slice(), &[7; 32]].concat());
    hold::<FlaggedPackEntry<'_>>(
        with,
        b"\x04\0\0\0icon\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0yyyyyyyyyyyyyyyy\x02\0\0\0",
    );
}

#[test]
fn scripts() {
    let godot = Godot(3);
    let with = record::with(&godot);
    let file = sample("script/samples/godot-3.2.3.gdc");
    hold::<ScriptFile>(with, &file);
    let dump = with.dump::<ScriptFile>(&file);
    assert!(
        dump.contains("\"Reference\"") || dump.contains("\"Vector2\"") || dump.contains("\"Sample"),
        "{dump}"
    );
    hold::<WideIdentifier<'_>>(with, &[1, 0, 0, 0, b'a' ^ 0xb6, 0xb6, 0xb6, 0xb6]);
    hold::<ScriptMark>(with, &file[..8]);
    hold::<Identifier<'_>>(with, &[1, 0, 0, 0, b'a' ^ 0xb6]);
    hold::<TokenPlace>(with, &[1, 0, 0, 0, 2, 0, 0, 0]);
    hold::<TokenByte>(with, &[0x81]);
    hold::<TokenIndex>(with, &[1, 0, 0]);
    hold::<Token>(with, &[0x81, 1, 0, 0]);
    hold::<LineToken>(with, &[0x81, 1, 0, 0, 5, 0, 0, 0]);
    hold::<ScriptHead>(with, b"GDSC\x64\0\0\0\0\0\0\0");
    hold::<ScriptContent>(with, &[0; 16]);
    hold::<ScriptContent100>(with, &[0; 20]);
    let wrong = with.check::<WideIdentifier<'_>>(&[1, 0, 0, 0, 0, 0, 0, 0]).unwrap_err();
    assert_eq!(wrong.rule(), formwork::wire::rule::RECORD_TEXT);
}
