//! Files of others are named by their marks or unknown, and never partly Godot's.

use std::path::{Path, PathBuf};

use formwork_godot::detect::{Detection, Verdict, behind_header, detect};
use formwork_testkit::Noise;

/// Whether a detection makes values of the bytes, be it in part.
fn is_taken_for_values(detection: &Detection) -> bool {
    detection.verdict != Verdict::Nothing || detection.partial().is_some()
}

#[test]
fn zeros_are_only_zeros() {
    for size in [1, 3, 8, 12, 64, 4096, 50 << 20] {
        let detection = detect(&vec![0; size]);
        assert_eq!(detection.other.map(|it| it.name()), Some("zeros"), "{size}");
        assert!(!is_taken_for_values(&detection));
    }
    // Four of them are a null.
    assert_eq!(detect(&[0; 4]).verdict, Verdict::SameMeaning);
}

#[test]
fn random_bytes_are_unknown() {
    let mut noise = Noise::new(1);
    let mut taken = Vec::new();
    for number in 0..1000 {
        let size = match number % 4 {
            0 => 4 * (1 + noise.below(16)),
            1 => 1 + noise.below(64),
            2 => noise.below(4096),
            _ => noise.below(1 << 16),
        };
        let bytes = noise.bytes(size);
        let detection = detect(&bytes);
        if is_taken_for_values(&detection) || behind_header(&bytes).is_some() {
            taken.push(format!("{size}: {:02x?}", &bytes[..size.min(32)]));
        }
    }
    assert!(taken.is_empty(), "{}", taken.join("\n"));
}

/// Heads of files as their programs make them, and the name that each gets.
const HEADS: &[(&str, &[u8])] = &[
    ("gcpf", b"GCPF\x02\0\0\0\0\x10\0\0"),
    ("gdec", b"GDEC\x01\0\0\0"),
    ("rsrc", b"RSRC\0\0\0\0\0\0\0\0\x04\0\0\0"),
    ("rscc", b"RSCC\x02\0\0\0\0\x10\0\0"),
    ("gdpc", b"GDPC\x02\0\0\0\x04\0\0\0\x02\0\0\0"),
    ("ecfg", b"ECFG\x05\0\0\0\x0e\0\0\0"),
    ("gdsc", b"GDSC\x0d\0\0\0\x1c\0\0\0\x04\0\0\0"),
    ("gdsc", b"GDSC\x65\0\0\0\x1c\0\0\0"),
    ("glsc", b"GLSC\x03\0\0\0"),
    ("godot-texture", b"GDST\0\x01\0\x01"),
    ("godot-texture", b"GST2\x01\0\0\0\0\x01\0\0"),
    ("godot-texture", b"GSTL\x01\0\0\0"),
    ("uid-cache", b"\x01\0\0\0\x2a\x11\x22\x33\x44\x55\x66\x07\x09\0\0\0res://a.b"),
    ("import", b"[remap]\n\nimporter=\"texture\"\ntype=\"CompressedTexture2D\"\n"),
    ("import", b"[remap]\n\nimporter=\"texture\"\nmetadata={\n\"vram_texture\": false\n}\n\0"),
    ("tscn", b"[gd_scene load_steps=2 format=3]\n\n[node name=\"Main\" type=\"Node\"]\n"),
    ("tres", b"[gd_resource type=\"Gradient\" format=2]\n\n[resource]\n"),
    ("gzip", b"\x1f\x8b\x08\0\0\0\0\0"),
    ("zstd", b"\x28\xb5\x2f\xfd\x04\x00"),
    ("zip", b"PK\x03\x04\x14\0\0\0\x08\0"),
    ("xz", b"\xfd7zXZ\0\0\x04"),
    ("bzip2", b"BZh91AY&SY\x01\x02"),
    ("lz4", b"\x04\x22\x4d\x18\x64\x40\xa7"),
    ("7z", b"7z\xbc\xaf\x27\x1c\0\x04"),
    ("rar", b"Rar!\x1a\x07\x01\0"),
    ("ar", b"!<arch>\ndebian-binary   "),
    ("cab", b"MSCF\0\0\0\0"),
    ("git", b"PACK\0\0\0\x02\0\0\0\x07"),
    ("png", b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"),
    ("jpeg", b"\xff\xd8\xff\xe0\0\x10JFIF\0"),
    ("gif", b"GIF89a\x10\0\x10\0"),
    ("webp", b"RIFF\x24\0\0\0WEBPVP8 "),
    ("bmp", b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x02\0\0\0"),
    ("tiff", b"II*\0\x08\0\0\0"),
    ("tga", b"\0\0\x02\0\0\0\0\0\0\0\0\0\x01\0\x01\0\x18\0\x01\x02\x03TRUEVISION-XFILE.\0"),
    ("psd", b"8BPS\0\x01\0\0\0\0\0\0"),
    ("exr", b"\x76\x2f\x31\x01\x02\0\0\0"),
    ("hdr", b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n"),
    ("svg", b"<?xml version=\"1.0\"?>\n<svg width=\"1\"></svg>\n"),
    ("dds", b"DDS \x7c\0\0\0\x07\x10\0\0"),
    ("ktx", b"\xabKTX 20\xbb\r\n\x1a\n"),
    ("ico", b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0\x04\0\0\0\x16\0\0\0\x01\x02\x03\x04"),
    ("icns", b"icns\0\0\0\x10ic07"),
    ("font", b"\0\x01\0\0\0\x0c\0\x80\0\x03\0\x40GDEF\x01\x02\x03\x04"),
    ("font", b"OTTO\0\x0b\0\x80\0\x03\0\x30CFF "),
    ("font", b"ttcf\0\x01\0\0\0\0\0\x02"),
    ("woff", b"wOF2\0\x01\0\0\0\0\x10\0"),
    ("wav", b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0"),
    ("ogg", b"OggS\0\x02\0\0\0\0\0\0\0\0"),
    ("mp3", b"ID3\x04\0\0\0\0\0\x22TSSE"),
    ("mp3", b"\xff\xfb\x90\x64\0\0\0\0"),
    ("flac", b"fLaC\0\0\0\x22"),
    ("midi", b"MThd\0\0\0\x06\0\x01"),
    ("mp4", b"\0\0\0\x18ftypmp42\0\0\0\0"),
    ("matroska", b"\x1a\x45\xdf\xa3\x01\0\0\0"),
    ("glb", b"glTF\x02\0\0\0\x10\0\0\0"),
    ("blend", b"BLENDER-v300"),
    ("elf", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0"),
    ("mach-o", b"\xcf\xfa\xed\xfe\x07\0\0\x01"),
    ("class", b"\xca\xfe\xba\xbe\0\0\0\x34"),
    ("wasm", b"\0asm\x01\0\0\0"),
    ("luac", b"\x1bLuaT\0"),
    ("pyc", b"\xcb\r\r\n\0\0\0\0\x01\x02\x03\x04\x05\0\0\0\xe3\0\0\0"),
    ("pickle", b"\x80\x04\x95\x02\0\0\0\0\0\0\0K\x01."),
    ("pickle", b"\x80\x02}q\0."),
    ("sqlite", b"SQLite format 3\0\x10\0\x01\x01"),
    ("pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"),
    ("ole", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0\0"),
    ("ds-store", b"\0\0\0\x01Bud1\0\0\x10\0\0\0\x08\0"),
    ("bplist", b"bplist00\xd1\x01\x02"),
    ("mo", b"\xde\x12\x04\x95\0\0\0\0\x02\0\0\0\x1c\0\0\0"),
    ("unity", b"UnityFS\0\0\0\0\x06"),
    ("uasset", b"\xc1\x83\x2a\x9e\xf9\xff\xff\xff"),
    ("gvas", b"GVAS\x02\0\0\0\x0a\x02\0\0"),
    ("wad", b"IWAD\x01\0\0\0\x0c\0\0\0"),
    ("hdf5", b"\x89HDF\r\n\x1a\n\0\0\0\0"),
    ("npy", b"\x93NUMPY\x01\0v\0"),
];

#[test]
fn a_cache_of_ids_is_known_by_all_of_it() {
    let name = |bytes: &[u8]| detect(bytes).other.map(|it| it.name());
    let mut cache = b"\x02\0\0\0\x2a\x11\x22\x33\x44\x55\x66\x07\x09\0\0\0res://a.b".to_vec();
    cache.extend(b"\x2b\x11\x22\x33\x44\x55\x66\x07\x0a\0\0\0res://c.de");
    assert_eq!(name(&cache), Some("uid-cache"));
    let cut = &cache[..cache.len() - 1];
    let longer = [&cache[..], b"\0"].concat();
    let mut other_path = cache.clone();
    other_path[16..19].copy_from_slice(b"url");
    for bytes in [cut, &longer, &other_path] {
        assert_eq!(name(bytes), None, "{bytes:02x?}");
    }
}

#[test]
fn files_of_others_are_named_by_their_marks() {
    for (name, head) in HEADS {
        let detection = detect(head);
        assert_eq!(detection.other.map(|it| it.name()), Some(*name), "{head:02x?}");
        assert!(!is_taken_for_values(&detection), "{name}");
        assert!(behind_header(head).is_none(), "{name}");
    }
    let mut program = vec![0; 256];
    program[..2].copy_from_slice(b"MZ");
    program[0x3c] = 0x80;
    program[0x80..0x84].copy_from_slice(b"PE\0\0");
    assert_eq!(detect(&program).other.map(|it| it.name()), Some("pe"));
    let mut archive = vec![0; 1024];
    archive[..5].copy_from_slice(b"a.txt");
    archive[257..262].copy_from_slice(b"ustar");
    let sum: u32 = archive[..512].iter().map(|&byte| u32::from(byte)).sum::<u32>() + 8 * 32;
    archive[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    assert_eq!(detect(&archive).other.map(|it| it.name()), Some("tar"));
}

/// Numbers of other formats, which start with small words: nulls, bools and ints in a row.
#[test]
fn tables_of_small_numbers_are_unknown() {
    let mut noise = Noise::new(2);
    let mut taken = Vec::new();
    for number in 0..300 {
        let words = 16 + noise.below(200);
        let most = [4, 40, 300, 70000][number % 4];
        let numbers = (0..words).map(|_| u32::try_from(noise.below(most)).unwrap());
        let bytes: Vec<u8> = numbers.flat_map(u32::to_le_bytes).collect();
        let detection = detect(&bytes);
        if is_taken_for_values(&detection) {
            let first = detection.leading().first().map(|it| (it.dialect, it.framing));
            let partial = detection.partial().map(|it| (it.dialect, it.framing, it.reached));
            taken.push(format!("{words} below {most}: {first:?} {partial:?}"));
        }
    }
    println!("{}", taken.join("\n"));
    assert!(taken.len() <= 6, "{}", taken.join("\n"));
}

fn files_in(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files_in(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// Looks at every file of the folder that `FORMWORK_FOREIGN` names, of which none is to hold values.
#[test]
fn files_of_others_that_are_at_hand_hold_no_values() {
    let Some(folder) = std::env::var_os("FORMWORK_FOREIGN") else { return };
    let mut files = Vec::new();
    files_in(Path::new(&folder), &mut files);
    let (mut named, mut unknown, mut taken) = (0, 0, Vec::new());
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        let detection = detect(&bytes);
        let behind = || behind_header(&bytes).map(|it| it.offset);
        if is_taken_for_values(&detection) {
            let first = detection.leading().first().map(|it| (it.dialect, it.framing, it.values));
            let partial = detection.partial().map(|it| (it.dialect, it.framing, it.reached));
            taken.push(format!("{} ({}): {first:?} {partial:?}", path.display(), bytes.len()));
        } else if detection.other.is_some() {
            named += 1;
        } else if let Some(offset) = behind() {
            taken.push(format!("{} ({}): behind {offset}", path.display(), bytes.len()));
        } else {
            unknown += 1;
        }
    }
    println!("{} files: {named} named, {unknown} unknown, {} taken", files.len(), taken.len());
    println!("{}", taken.join("\n"));
}
