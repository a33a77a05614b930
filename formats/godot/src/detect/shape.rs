//! Recognizes files by more than a mark: parts at several offsets must fit together.
//!
//! None of these tests holds for packets or frames that an engine writes.

use formwork_records::wire::word_at;

/// Whether there are only zeros, except a single word of zeros, which is a null.
pub(super) fn is_zeros(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.len() != 4 && bytes.iter().all(|&byte| byte == 0)
}

/// Whether the bytes are a raster cache: its version, and after 96 bytes the first tile, which is its size and a zlib
/// stream of that size. (The other words are only known from a program that writes such files, wrp2project.) The
/// version is also the header of an int, but an int's packet ends after eight bytes.
pub(super) fn is_raster_cache(bytes: &[u8]) -> bool {
    const VERSION: [u8; 4] = [2, 0, 0, 0];
    const HEADER: usize = 96;
    let Some((size, tile)) = bytes.get(HEADER..).and_then(<[u8]>::split_first_chunk::<4>) else {
        return false;
    };
    let fits = usize::try_from(u32::from_le_bytes(*size)).is_ok_and(|size| size <= tile.len());
    // Deflate with a window of 32 KiB; the two bytes are a multiple of 31.
    let zlib = tile
        .first_chunk()
        .is_some_and(|start| start[0] == 0x78 && u16::from_be_bytes(*start).is_multiple_of(31));
    bytes.starts_with(&VERSION) && fits && zlib
}

/// Whether the bytes are a TrueType font: a version whose word no packet has, the number of tables, and the name of the
/// first table, in letters.
pub(super) fn is_truetype(bytes: &[u8]) -> bool {
    let version = bytes.starts_with(&[0, 1, 0, 0]) || bytes.starts_with(b"true");
    let tables =
        word_at(bytes, 4).map(u16::swap_bytes).is_some_and(|tables| (1..=256).contains(&tables));
    let name = bytes.get(12..16).unwrap_or_default();
    version && tables && name.len() == 4 && name.iter().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Whether the bytes are an icon or pointer of Windows: the number of pictures, and the offset of the first.
pub(super) fn is_windows_icon(bytes: &[u8]) -> bool {
    let kind = bytes.starts_with(&[0, 0, 1, 0]) || bytes.starts_with(&[0, 0, 2, 0]);
    let pictures = word_at::<u16>(bytes, 4).unwrap_or_default();
    let directory = 6 + 16 * usize::from(pictures);
    let first = word_at::<u32>(bytes, 18).and_then(|at| usize::try_from(at).ok());
    kind && pictures > 0 && first.is_some_and(|at| (directory..bytes.len()).contains(&at))
}

/// Whether the bytes are a bitmap of Windows: a head of a known length, before the picture.
pub(super) fn is_bmp(bytes: &[u8]) -> bool {
    let known = |length| matches!(length, 12 | 40 | 52 | 56 | 64 | 108 | 124);
    bytes.starts_with(b"BM")
        && word_at::<u32>(bytes, 6) == Some(0)
        && word_at::<u32>(bytes, 14).is_some_and(known)
}

/// Whether the bytes are a program of Windows: a DOS program with the offset of the new head.
pub(super) fn is_windows_program(bytes: &[u8]) -> bool {
    let head = word_at::<u32>(bytes, 0x3c).and_then(|at| bytes.get(usize::try_from(at).ok()?..));
    bytes.starts_with(b"MZ") && head.is_some_and(|head| head.starts_with(b"PE\0\0"))
}

/// Whether the bytes are a tar archive: the first head has its check sum.
pub(super) fn is_tar(bytes: &[u8]) -> bool {
    const SUM: std::ops::Range<usize> = 148..156;
    let Some(head) = bytes.get(..512).filter(|head| head[257..].starts_with(b"ustar")) else {
        return false;
    };
    let sum: u32 = (0..)
        .zip(head)
        .map(|(at, &byte)| u32::from(if SUM.contains(&at) { b' ' } else { byte }))
        .sum();
    let said = std::str::from_utf8(&head[SUM]).ok();
    let said = said.map(|said| said.trim_matches([' ', '\0']));
    said.and_then(|said| u32::from_str_radix(said, 8).ok()) == Some(sum)
}

/// Whether the bytes are a film or picture in boxes: the size of the first box, and its kind.
pub(super) fn is_mp4(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0, 0, 0]) && bytes.get(4..8) == Some(b"ftyp")
}

/// Whether the bytes are a compiled script of Python: a number of the release, and a line break.
pub(super) fn is_compiled_python(bytes: &[u8]) -> bool {
    matches!(bytes, [_, 0x0c..=0x0e | 0xf2 | 0xf3, b'\r', b'\n', ..]) && bytes.len() >= 16
}

/// Whether the bytes are a pickle of Python: the protocol, an opcode that starts one, and its end.
pub(super) fn is_pickle(bytes: &[u8]) -> bool {
    let starts = match bytes {
        [0x80, 2 | 3, b']' | b'}' | b'(' | b'c' | b'X' | b'K' | b'J' | b'U' | b')', ..] => true,
        // A frame is at most as long as the remaining bytes.
        [0x80, 4 | 5, 0x95, length @ ..] => length
            .first_chunk()
            .is_some_and(|&length| u64::from_le_bytes(length) <= bytes.len() as u64),
        _ => false,
    };
    starts && bytes.ends_with(b".")
}

/// Whether the bytes are a `.DS_Store` file of macOS.
pub(super) fn is_ds_store(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\0\0\0\x01Bud1")
}

/// Whether the bytes are Godot's cache of resource ids: a count, then as many ids, each with a path in the game, and
/// nothing after them. Only valid for bytes that are not packets: a dictionary can start the same way.
pub(super) fn is_uid_cache(bytes: &[u8]) -> bool {
    /// Bytes of an id and of the length of its path.
    const HEAD: usize = 12;
    let Some(count) = word_at::<u32>(bytes, 0).filter(|&count| count > 0) else { return false };
    let mut rest = bytes.get(4..).unwrap_or_default();
    for _ in 0..count {
        let path = word_at::<u32>(rest, 8)
            .and_then(|length| usize::try_from(length).ok())
            .and_then(|length| rest.get(HEAD..)?.split_at_checked(length));
        let Some((path, behind)) = path else { return false };
        let is_path = path.starts_with(b"res://") || path.starts_with(b"uid://");
        if !is_path || std::str::from_utf8(path).is_err() {
            return false;
        }
        rest = behind;
    }
    rest.is_empty()
}
