//! Things that are not packets, by what they start with.

use std::fmt;

macro_rules! others {
    ($( $(#[doc = $doc:literal])+ $variant:ident = $name:literal, $description:literal; )+) => {
        /// Something that is not packets of values.
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        #[non_exhaustive]
        pub enum Other { $( $(#[doc = $doc])+ $variant, )+ }

        impl Other {
            /// A short, stable name, for scripts.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// What it is, in words.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $( Self::$variant => $description, )+ }
            }
        }
    };
}

others! {
    /// `GCPF`: what `File.open_compressed` writes (Godot 3 on, Pandemonium).
    GodotCompressed = "gcpf", "a compressed file of Godot or Pandemonium (GCPF)";
    /// `GDEC`: what `File.open_encrypted` writes.
    GodotEncrypted = "gdec", "an encrypted file of Godot or Pandemonium (GDEC)";
    /// `RSRC`: a scene or resource in binary.
    GodotResource = "rsrc", "a binary resource or scene of Godot or Pandemonium (RSRC)";
    /// `RSCC`: the same, compressed.
    GodotCompressedResource = "rscc",
        "a compressed binary resource or scene of Godot or Pandemonium (RSCC)";
    /// `GDPC`: an exported game's files.
    GodotPack = "gdpc", "a resource pack of Godot or Pandemonium (GDPC)";
    /// `ECFG`: `project.binary` (Godot 3 on) or `engine.cfb` (Godot 2).
    GodotProject = "ecfg", "the binary project settings of Godot or Pandemonium (ECFG)";
    /// `ALB1`: a project, layer or shape file of Terrain Builder, which [`alb1`](crate::alb1) reads.
    Alb1 = "alb1", "an ALB1 file of Terrain Builder (.tv4p, .tv4l, .tv4s)";
    /// The stand-in for a file that Git keeps elsewhere.
    GitLfsPointer = "git-lfs", "a Git LFS pointer; the file itself was not fetched";
    /// `_B_GRID`: a texture grid of Terrain Builder.
    TextureGrid = "v4w", "a texture grid of Terrain Builder (.v4w)";
    /// A raster that Terrain Builder keeps in tiles, packed with zlib.
    RasterCache = "v4d", "a raster cache of Terrain Builder (.v4d)";
    /// The models that objects are placed of, in XML.
    TemplateLibrary = "tml", "a template library of Terrain Builder (.tml), in XML";
    /// The folders that Terrain Builder's dialogs last showed.
    DialogFolders = "vdat", "the last folders of Terrain Builder's dialogs (Dialogs_new.vdat)";
    /// A capture of network traffic, as tcpdump and Wireshark write it.
    Capture = "pcap", "recorded network traffic (pcap, pcapng), for 'formwork packets'";
    /// Gzip.
    Gzip = "gzip", "gzip data";
    /// Zstandard.
    Zstandard = "zstd", "Zstandard data";
    /// Zip.
    Zip = "zip", "a zip archive";
    /// PNG.
    Png = "png", "a PNG picture";
    /// JSON, as far as one sees from its ends.
    Json = "json", "JSON text";
    /// Text of any other kind.
    Text = "text", "text";
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.description())
    }
}

impl Other {
    /// Whether it stands around something else, which may be values: a compressed or encrypted file.
    /// (Feature `container` opens both.)
    #[must_use]
    pub const fn is_container(self) -> bool {
        matches!(self, Self::GodotCompressed | Self::GodotEncrypted)
    }
}

/// The mark of compressed files.
pub(crate) const COMPRESSED: &[u8; 4] = b"GCPF";

/// The mark of encrypted files.
pub(crate) const ENCRYPTED: &[u8; 4] = b"GDEC";

/// Marks that no packet and no frame of a sensible length starts with: as a header, each has flags
/// that no engine writes; as a length, each is over 60 MB or no multiple of four.
const MARKS: &[(&[u8], Other)] = &[
    (COMPRESSED, Other::GodotCompressed),
    (ENCRYPTED, Other::GodotEncrypted),
    (b"RSRC", Other::GodotResource),
    (b"RSCC", Other::GodotCompressedResource),
    (b"GDPC", Other::GodotPack),
    (b"ECFG", Other::GodotProject),
    (b"ALB1", Other::Alb1),
    (b"1BLA", Other::Alb1),
    (b"version https://git-lfs", Other::GitLfsPointer),
    (b"_B_GRID", Other::TextureGrid),
    (b"\xa1\xb2\xc3\xd4", Other::Capture),
    (b"\xd4\xc3\xb2\xa1", Other::Capture),
    (b"\xa1\xb2\x3c\x4d", Other::Capture),
    (b"\x4d\x3c\xb2\xa1", Other::Capture),
    (b"\x0a\x0d\x0d\x0a", Other::Capture),
    (b"\x1f\x8b\x08", Other::Gzip),
    (b"\x28\xb5\x2f\xfd", Other::Zstandard),
    (b"PK\x03\x04", Other::Zip),
    (b"PK\x05\x06", Other::Zip),
    (b"\x89PNG\r\n\x1a\n", Other::Png),
];

impl Other {
    /// What the bytes are by what they start with, if that is no packet and no frame. (Texts without a
    /// mark are not looked for.)
    #[must_use]
    pub fn by_start(bytes: &[u8]) -> Option<Self> {
        let marked = MARKS.iter().find(|(mark, _)| bytes.starts_with(mark));
        let raster = || is_raster_cache(bytes).then_some(Self::RasterCache);
        marked.map(|&(_, other)| other).or_else(raster)
    }
}

/// Whether that is a raster cache: its version, and behind 96 bytes the first tile: its size, and a zlib
/// stream of that size. (What the other words mean is only known from a program that writes such
/// files, wrp2project.) The version is also the header of an int; but a packet that is an int ends
/// behind eight bytes.
fn is_raster_cache(bytes: &[u8]) -> bool {
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

/// Whether the bytes are text, and of what kind. Only asked where they are no packets.
pub(crate) fn text(bytes: &[u8]) -> Option<Other> {
    /// As much as tells text from anything else.
    const LOOKED_AT: usize = 1 << 16;
    let head = bytes.get(..LOOKED_AT).unwrap_or(bytes);
    let readable = match std::str::from_utf8(head) {
        Ok(text) => text,
        // A character may be cut where looking stops, but not be wrong before.
        Err(error) if error.error_len().is_none() && head.len() < bytes.len() => {
            std::str::from_utf8(&head[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    let is_text = |byte: u8| byte >= b' ' && byte != 0x7f || matches!(byte, b'\t' | b'\n' | b'\r');
    if readable.trim().is_empty() || !readable.bytes().all(is_text) {
        return None;
    }
    let start = readable.trim_start_matches(['\u{feff}', ' ', '\t', '\n', '\r']);
    let (open, inside) = start.split_at(start.chars().next().map_or(0, char::len_utf8));
    let inside = inside.trim_start();
    let value = |text: &str| {
        let words = ["true", "false", "null"];
        text.starts_with(|c: char| matches!(c, '"' | '{' | '[' | '-' | '0'..='9'))
            || words.iter().any(|word| text.starts_with(word))
    };
    // The sections of a configuration file or text scene are in brackets too.
    Some(match (open, bytes.trim_ascii_end().last()) {
        ("{", Some(b'}')) if inside.starts_with(['"', '}']) => Other::Json,
        ("[", Some(b']')) if inside.starts_with(']') || value(inside) => Other::Json,
        ("<", _) if readable.contains("<Library") => Other::TemplateLibrary,
        _ if are_dialog_folders(readable) => Other::DialogFolders,
        _ => Other::Text,
    })
}

/// Whether the lines are, by turns, the name of a dialog and a folder of Windows.
fn are_dialog_folders(text: &str) -> bool {
    let is_folder = |line: &str| line.get(1..3) == Some(":\\");
    let lines: Vec<&str> = text.lines().collect();
    lines.len() >= 2
        && lines.chunks(2).all(|pair| match pair {
            [name, folder] => !is_folder(name) && (is_folder(folder) || folder.is_empty()),
            // Looking may have stopped here.
            _ => true,
        })
        && lines.iter().any(|line| is_folder(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_texts_are_told_apart() {
        assert_eq!(Other::by_start(b"GCPF\x02"), Some(Other::GodotCompressed));
        assert_eq!(Other::by_start(b"GCP"), None);
        assert_eq!(Other::by_start(b"\xd4\xc3\xb2\xa1\x02\0\x04\0"), Some(Other::Capture));
        assert_eq!(Other::by_start(b"\n\r\r\n\x1c\0\0\0"), Some(Other::Capture));
        assert_eq!(text(b" {\"a\": [1]}\n"), Some(Other::Json));
        assert_eq!(text("[section]\nname=\"\u{e9}\"\n".as_bytes()), Some(Other::Text));
        assert_eq!(text(b"[gd_scene format=2]"), Some(Other::Text));
        assert_eq!(text(b"[ ]"), Some(Other::Json));
        assert_eq!(text(b"\x04\0\0\0"), None);
        assert_eq!(text(b"\n\n\n\n"), None);
        assert_eq!(text(&"\u{e9}".repeat(1 << 16).as_bytes()[..(1 << 17) - 1]), Some(Other::Text));
        assert_eq!(text(b""), None);
        let library = b"<?xml version=\"1.0\" ?>\n<Library name=\"roads\">\n</Library>\n";
        assert_eq!(text(library), Some(Other::TemplateLibrary));
        assert_eq!(text(b"<html></html>"), Some(Other::Text));
        assert_eq!(text(b"import\r\nP:\\maps\r\n"), Some(Other::DialogFolders));
        assert_eq!(text(b"one\ntwo\n"), Some(Other::Text));
    }

    #[test]
    fn a_raster_cache_is_more_than_the_header_of_an_int() {
        let mut bytes = vec![0; 96];
        bytes[0] = 2;
        assert_eq!(Other::by_start(&bytes), None);
        bytes.extend([8, 0, 0, 0, 0x78, 0xda, 3, 0, 0, 0, 0, 1]);
        assert_eq!(Other::by_start(&bytes), Some(Other::RasterCache));
        bytes[101] = 0xdb;
        assert_eq!(Other::by_start(&bytes), None);
        bytes[101] = 0xda;
        bytes[96] = 9;
        assert_eq!(Other::by_start(&bytes), None);
    }

    #[test]
    fn a_mark_is_no_header_and_no_length() {
        for (mark, other) in MARKS {
            let mut word = [0; 4];
            word[..mark.len().min(4)].copy_from_slice(&mark[..mark.len().min(4)]);
            // No engine sets any of bits 8 to 15, and all packets are multiples of four long.
            assert!(u32::from_le_bytes(word) & 0xff00 != 0, "{other}");
            for length in [u32::from_le_bytes(word), u32::from_be_bytes(word)] {
                assert!(length > 60_000_000 || !length.is_multiple_of(4), "{other}");
            }
        }
    }
}
