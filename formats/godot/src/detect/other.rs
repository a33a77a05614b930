//! Recognizes other formats by the start of the bytes.

use std::fmt;

use crate::magic::{COMPRESSED, ENCRYPTED};
use crate::script::is_shader_cache;

use super::shape::{
    is_bmp, is_compiled_python, is_ds_store, is_mp4, is_pickle, is_raster_cache, is_tar,
    is_truetype, is_uid_cache, is_windows_icon, is_windows_program, is_zeros,
};

macro_rules! others {
    ($( $(#[doc = $doc:literal])+ $variant:ident = $name:literal, $description:literal
        $(, marks $( [ $( $at:literal $bytes:tt )+ ] )+ )? $(, if $test:path )? ; )+) => {
        /// A format other than packets of values.
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        #[non_exhaustive]
        pub enum Other { $( $(#[doc = $doc])+ $variant, )+ }

        impl Other {
            /// A short, stable name, for scripts.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// A description in words.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $( Self::$variant => $description, )+ }
            }
        }

        /// Marks that no packet and no frame of a sensible length starts with: as a header, each has
        /// flags that no engine writes; as a length, each is over 60 MB or no multiple of four.
        const MARKS: &[(Mark, Other)] =
            &[ $( $( $( (&[ $( ($at, $bytes.as_slice()) ),+ ], Other::$variant), )+ )? )+ ];

        /// Tests for formats without a unique mark. No test holds for packets.
        const TESTS: &[(fn(&[u8]) -> bool, Other)] = &[ $( $( ($test, Other::$variant), )? )+ ];
    };
}

/// Parts by which a file is known, each with its offset.
type Mark = &'static [(usize, &'static [u8])];

others! {
    /// Nothing but zeros, as in a file that was created and never written, or lost.
    Zeros = "zeros", "only zeros", if is_zeros;
    /// `GCPF`: a file written by `File.open_compressed` (Godot 3 on, Pandemonium).
    GodotCompressed = "gcpf", "a compressed file of Godot or Pandemonium (GCPF)", marks [0 COMPRESSED];
    /// `GDEC`: a file written by `File.open_encrypted`.
    GodotEncrypted = "gdec", "an encrypted file of Godot or Pandemonium (GDEC)", marks [0 ENCRYPTED];
    /// `RSRC`: a scene or resource in binary.
    GodotResource = "rsrc", "a binary resource or scene of Godot or Pandemonium (RSRC)", marks [0 b"RSRC"];
    /// `RSCC`: the same, compressed.
    GodotCompressedResource = "rscc",
        "a compressed binary resource or scene of Godot or Pandemonium (RSCC)", marks [0 b"RSCC"];
    /// `GDPC`: an exported game's files.
    GodotPack = "gdpc", "a resource pack of Godot or Pandemonium (GDPC)", marks [0 b"GDPC"];
    /// `GDDL`: in a pack of patches, the difference of a file.
    GodotDelta = "gddl", "what a patch of Godot 4 changes in a file of another pack (GDDL)", marks [0 b"GDDL"];
    /// `ECFG`: `project.binary` (Godot 3 on) or `engine.cfb` (Godot 2).
    GodotProject = "ecfg", "the binary project settings of Godot or Pandemonium (ECFG)", marks [0 b"ECFG"];
    /// `GDSC`: a compiled script, which [`script`](crate::script) reads.
    GodotScript = "gdsc", "a compiled script of Godot (.gdc)", marks [0 b"GDSC"];
    /// `GLSC`: shaders that Godot 4 compiled for OpenGL; or `GDSC`, as for scripts: for anything else.
    GodotShaderCache = "glsc", "a shader cache of Godot 4", marks [0 b"GLSC"];
    /// `GDST`, `GST2`, `GSTL`, `GDAT`, `GD3T`, `GDIM`: imported pictures.
    GodotTexture = "godot-texture", "an imported texture or picture of Godot or Pandemonium",
        marks [0 b"GDST"] [0 b"GST2"] [0 b"GSTL"] [0 b"GDAT"] [0 b"GD3T"] [0 b"GDIM"];
    /// `uid_cache.bin`: the ids of a project's resources.
    GodotUidCache = "uid-cache", "the cache of resource ids of Godot 4 (uid_cache.bin)";
    /// `.tscn`: a scene as text.
    GodotTextScene = "tscn", "a scene of Godot or Pandemonium as text (.tscn)";
    /// `.tres`: a resource as text.
    GodotTextResource = "tres", "a resource of Godot or Pandemonium as text (.tres)";
    /// `.import` and `.remap`: how a resource was imported, and its replacement in an exported game.
    GodotImport = "import", "where Godot finds an imported or exported resource (.import, .remap), as text";
    /// `.uid`: the id of a script or shader.
    GodotUid = "uid", "the id of a file in a Godot 4 project (.uid)";
    /// `extension_list.cfg`: the paths of a project's extensions, one in a line.
    GodotExtensionList = "extension-list", "the list of a Godot project's extensions (extension_list.cfg)";
    /// `ALB1`: a project, layer or shape file of Terrain Builder, which `formwork_alb1` reads.
    Alb1 = "alb1", "an ALB1 file of Terrain Builder (.tv4p, .tv4l, .tv4s)", marks [0 b"ALB1"] [0 b"1BLA"];
    /// A pointer to a file that Git stores elsewhere.
    GitLfsPointer = "git-lfs", "a Git LFS pointer; the file itself was not fetched",
        marks [0 b"version https://git-lfs"];
    /// `_B_GRID`: a texture grid of Terrain Builder.
    TextureGrid = "v4w", "a texture grid of Terrain Builder (.v4w)", marks [0 b"_B_GRID"];
    /// A raster that Terrain Builder keeps in tiles, packed with zlib.
    RasterCache = "v4d", "a raster cache of Terrain Builder (.v4d)", if is_raster_cache;
    /// The models that objects are placed of, in XML.
    TemplateLibrary = "tml", "a template library of Terrain Builder (.tml), in XML";
    /// The folders that Terrain Builder's dialogs last showed.
    DialogFolders = "vdat", "the last folders of Terrain Builder's dialogs (Dialogs_new.vdat)";
    /// A capture of network traffic, as tcpdump and Wireshark write it.
    Capture = "pcap", "recorded network traffic (pcap, pcapng), for 'formwork-capture'",
        marks [0 b"\xa1\xb2\xc3\xd4"] [0 b"\xd4\xc3\xb2\xa1"] [0 b"\xa1\xb2\x3c\x4d"]
            [0 b"\x4d\x3c\xb2\xa1"] [0 b"\x0a\x0d\x0d\x0a"];
    /// Gzip.
    Gzip = "gzip", "gzip data", marks [0 b"\x1f\x8b\x08"];
    /// Zstandard.
    Zstandard = "zstd", "Zstandard data", marks [0 b"\x28\xb5\x2f\xfd"];
    /// Zip.
    Zip = "zip", "a zip archive", marks [0 b"PK\x03\x04"] [0 b"PK\x05\x06"];
    /// XZ.
    Xz = "xz", "xz data", marks [0 b"\xfd7zXZ\0"];
    /// Bzip2.
    Bzip2 = "bzip2", "bzip2 data", marks [0 b"BZh" 4 b"1AY&SY"] [0 b"BZh" 4 b"\x17rE8P\x90"];
    /// LZ4 frames.
    Lz4 = "lz4", "LZ4 data", marks [0 b"\x04\x22\x4d\x18"];
    /// 7-Zip.
    SevenZip = "7z", "a 7z archive", marks [0 b"7z\xbc\xaf\x27\x1c"];
    /// RAR.
    Rar = "rar", "a RAR archive", marks [0 b"Rar!\x1a\x07"];
    /// Tar.
    Tar = "tar", "a tar archive", if is_tar;
    /// Unix's `ar`, which Debian packages and static libraries are.
    Ar = "ar", "an ar archive: a static library or a Debian package", marks [0 b"!<arch>\n"];
    /// Microsoft's cabinets.
    Cabinet = "cab", "a cabinet archive", marks [0 b"MSCF"];
    /// Packs and indexes of Git.
    Git = "git", "a pack or index of Git", marks [0 b"PACK\0\0\0"] [0 b"DIRC\0\0\0"] [0 b"\xfftOc\0\0\0"];
    /// PNG.
    Png = "png", "a PNG picture", marks [0 b"\x89PNG\r\n\x1a\n"];
    /// JPEG. (The fourth byte determines the form; a frame can start with none of them.)
    Jpeg = "jpeg", "a JPEG picture", marks [0 b"\xff\xd8\xff"];
    /// GIF.
    Gif = "gif", "a GIF picture", marks [0 b"GIF87a"] [0 b"GIF89a"];
    /// WebP.
    WebP = "webp", "a WebP picture", marks [0 b"RIFF" 8 b"WEBP"];
    /// Windows' bitmaps.
    Bmp = "bmp", "a BMP picture", if is_bmp;
    /// TIFF.
    Tiff = "tiff", "a TIFF picture", marks [0 b"II*\0"] [0 b"MM\0*"];
    /// Truevision's TGA, where it has the footer of version 2.
    Tga = "tga", "a TGA picture";
    /// Photoshop.
    Psd = "psd", "a Photoshop picture", marks [0 b"8BPS"];
    /// GIMP.
    Xcf = "xcf", "a GIMP picture", marks [0 b"gimp xcf "];
    /// OpenEXR.
    Exr = "exr", "an OpenEXR picture", marks [0 b"\x76\x2f\x31\x01"];
    /// Radiance HDR.
    Hdr = "hdr", "a Radiance HDR picture", marks [0 b"#?RADIANCE"] [0 b"#?RGBE"];
    /// SVG.
    Svg = "svg", "an SVG drawing";
    /// DirectDraw surfaces.
    Dds = "dds", "a DDS texture", marks [0 b"DDS \x7c\0\0\0"];
    /// Khronos textures.
    Ktx = "ktx", "a KTX texture", marks [0 b"\xabKTX "];
    /// Windows' icons and pointers.
    Ico = "ico", "a Windows icon or pointer (.ico, .cur)", if is_windows_icon;
    /// macOS' icons.
    Icns = "icns", "a macOS icon (.icns)", marks [0 b"icns"];
    /// TrueType and OpenType fonts, and collections of them.
    Font = "font", "a TrueType or OpenType font", marks [0 b"OTTO\0"] [0 b"ttcf\0"], if is_truetype;
    /// WOFF and WOFF2.
    WebFont = "woff", "a web font (WOFF)", marks [0 b"wOFF"] [0 b"wOF2"];
    /// WAV.
    Wav = "wav", "WAV sound", marks [0 b"RIFF" 8 b"WAVE"] [0 b"RIFX" 8 b"WAVE"];
    /// Other RIFF files, such as AVI.
    Riff = "riff", "a RIFF file, such as an AVI film", marks [0 b"RIFF"];
    /// AIFF and other IFF files.
    Iff = "iff", "an IFF file, such as AIFF sound", marks [0 b"FORM"];
    /// Ogg: Vorbis, Opus, Theora.
    Ogg = "ogg", "Ogg sound or film", marks [0 b"OggS"];
    /// MP3, with a tag or without.
    Mp3 = "mp3", "MP3 sound", marks [0 b"ID3"] [0 b"\xff\xfb"] [0 b"\xff\xf3"] [0 b"\xff\xf2"];
    /// FLAC.
    Flac = "flac", "FLAC sound", marks [0 b"fLaC"];
    /// MIDI.
    Midi = "midi", "MIDI music", marks [0 b"MThd"];
    /// MP4, QuickTime, HEIF.
    Mp4 = "mp4", "an MP4 film or picture", if is_mp4;
    /// Matroska and WebM.
    Matroska = "matroska", "a Matroska or WebM film", marks [0 b"\x1a\x45\xdf\xa3"];
    /// glTF in binary.
    Gltf = "glb", "a glTF model (.glb)", marks [0 b"glTF"];
    /// FBX in binary.
    Fbx = "fbx", "an FBX model", marks [0 b"Kaydara FBX Binary"];
    /// Blender.
    Blend = "blend", "a Blender file", marks [0 b"BLENDER"];
    /// Programs and libraries of Unix.
    Elf = "elf", "a program or library (ELF)", marks [0 b"\x7fELF"];
    /// Programs and libraries of Windows.
    Pe = "pe", "a Windows program or library", if is_windows_program;
    /// Programs and libraries of macOS.
    MachO = "mach-o", "a macOS program or library (Mach-O)",
        marks [0 b"\xfe\xed\xfa\xce"] [0 b"\xfe\xed\xfa\xcf"] [0 b"\xce\xfa\xed\xfe"]
            [0 b"\xcf\xfa\xed\xfe"];
    /// Java classes; Mach-O for several processors has the same mark.
    JavaClass = "class", "a Java class, or a macOS program for several processors",
        marks [0 b"\xca\xfe\xba\xbe"];
    /// Android's classes.
    Dex = "dex", "Android classes (.dex)", marks [0 b"dex\n"];
    /// WebAssembly.
    Wasm = "wasm", "a WebAssembly module", marks [0 b"\0asm"];
    /// Lua, compiled.
    Lua = "luac", "a compiled Lua script", marks [0 b"\x1bLua"] [0 b"\x1bLJ\x02"];
    /// Python, compiled.
    Pyc = "pyc", "a compiled Python script (.pyc)", if is_compiled_python;
    /// Python objects.
    Pickle = "pickle", "a Python pickle", if is_pickle;
    /// SQLite.
    Sqlite = "sqlite", "an SQLite database", marks [0 b"SQLite format 3\0"];
    /// PDF.
    Pdf = "pdf", "a PDF document", marks [0 b"%PDF-"];
    /// The old files of Microsoft Office, `.msi`, `Thumbs.db`.
    Ole = "ole", "an OLE file, such as an old Office document",
        marks [0 b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"];
    /// The view settings of a folder in macOS.
    DsStore = "ds-store", "what macOS remembers of a folder (.DS_Store)", if is_ds_store;
    /// Property lists of macOS in binary.
    Plist = "bplist", "a binary property list of macOS", marks [0 b"bplist0"];
    /// Translations of gettext.
    Gettext = "mo", "translations (gettext .mo)", marks [0 b"\xde\x12\x04\x95"] [0 b"\x95\x04\x12\xde"];
    /// Unity's bundles.
    Unity = "unity", "a bundle of Unity", marks [0 b"UnityFS\0"] [0 b"UnityWeb"] [0 b"UnityRaw"];
    /// Unreal's packages.
    Unreal = "uasset", "a package of Unreal", marks [0 b"\xc1\x83\x2a\x9e"];
    /// Unreal's saves.
    UnrealSave = "gvas", "a save of Unreal (GVAS)", marks [0 b"GVAS"];
    /// Doom's archives.
    Wad = "wad", "a WAD archive", marks [0 b"IWAD"] [0 b"PWAD"];
    /// HDF5.
    Hdf5 = "hdf5", "HDF5 data", marks [0 b"\x89HDF\r\n\x1a\n"];
    /// NumPy arrays.
    Numpy = "npy", "a NumPy array", marks [0 b"\x93NUMPY"];
    /// JSON, judged by the start and end of the text.
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
    /// Whether it is a wrapper whose content may be values: a compressed or encrypted file. (Feature `wrapper` opens
    /// both.)
    #[must_use]
    pub const fn is_container(self) -> bool {
        matches!(self, Self::GodotCompressed | Self::GodotEncrypted)
    }

    /// Whether it is a file of a Godot project that is whole without values.
    #[must_use]
    pub const fn is_valueless(self) -> bool {
        matches!(self, Self::GodotUid | Self::GodotUidCache | Self::GodotExtensionList)
    }
}

impl Other {
    /// Returns the format that the first bytes identify, if no packet and no frame can start this way. (Texts without a
    /// mark are not considered.)
    #[must_use]
    pub fn by_start(bytes: &[u8]) -> Option<Self> {
        let stands = |&(at, part): &(usize, &[u8])| {
            bytes.get(at..).is_some_and(|rest| rest.starts_with(part))
        };
        let marked = MARKS.iter().find(|(mark, _)| mark.iter().all(stands));
        let tested = || TESTS.iter().find(|(test, _)| test(bytes));
        match marked.map(|&(_, other)| other) {
            Some(Self::GodotScript) if is_shader_cache(bytes) => Some(Self::GodotShaderCache),
            marked => marked.or_else(|| tested().map(|&(_, other)| other)),
        }
    }
}

/// Returns the format of bytes that are known not to be packets, including formats whose marks packets could have.
pub(super) fn unmarked(bytes: &[u8]) -> Option<Other> {
    let is_tga = bytes.ends_with(b"TRUEVISION-XFILE.\0");
    let tested = match is_tga {
        true => Some(Other::Tga),
        false => is_uid_cache(bytes).then_some(Other::GodotUidCache),
    };
    tested.or_else(|| text(bytes))
}

/// Returns the kind of text, if the bytes are text. Only valid for bytes that are not packets.
#[must_use]
pub fn text(bytes: &[u8]) -> Option<Other> {
    /// Enough bytes to distinguish text from other formats.
    const LOOKED_AT: usize = 1 << 16;
    // An export of Godot 4 writes the terminating zero after the text, too.
    let bytes = match bytes.strip_suffix(b"\0") {
        Some(text) if text.starts_with(b"[remap]") => text,
        _ => bytes,
    };
    let head = bytes.get(..LOOKED_AT).unwrap_or(bytes);
    let readable = match std::str::from_utf8(head) {
        Ok(text) => text,
        // A character may be cut at the end of the examined part, but the bytes before must be valid.
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
        ("<", _) if readable.contains("<svg") => Other::Svg,
        ("[", _) if inside.starts_with("remap]") => Other::GodotImport,
        ("[", _) if inside.starts_with("gd_scene") => Other::GodotTextScene,
        ("[", _) if inside.starts_with("gd_resource") => Other::GodotTextResource,
        _ if are_dialog_folders(readable) => Other::DialogFolders,
        _ if are_extensions(readable) => Other::GodotExtensionList,
        _ if is_uid(readable) => Other::GodotUid,
        _ => Other::Text,
    })
}

/// Whether the text is one id, as the engine writes it: letters and digits.
fn is_uid(text: &str) -> bool {
    let id = text.trim().strip_prefix("uid://");
    id.is_some_and(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Whether each line is the path of an extension in a project.
fn are_extensions(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.all(|line| line.starts_with("res://") && line.ends_with(".gdextension"))
}

/// Whether the lines alternate between the name of a dialog and a Windows folder.
fn are_dialog_folders(text: &str) -> bool {
    let is_folder = |line: &str| line.get(1..3) == Some(":\\");
    let lines: Vec<&str> = text.lines().collect();
    lines.len() >= 2
        && lines.chunks(2).all(|pair| match pair {
            [name, folder] => !is_folder(name) && (is_folder(folder) || folder.is_empty()),
            // The examined part may end here.
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
        assert_eq!(text(b"[gd_scene format=2]"), Some(Other::GodotTextScene));
        assert_eq!(text(b"[gd_resource type=\"Theme\"]"), Some(Other::GodotTextResource));
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
            let &(0, mark) = &mark[0] else { panic!("{other} is not known by its start") };
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
