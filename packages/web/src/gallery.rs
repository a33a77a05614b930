//! Our formats, and those of the gallery.

use formwork::document::{Format, JsonText, RecordFormat};
use formwork_file::{Formats, formats as ours};

#[allow(missing_docs, dead_code, unreachable_pub, reason = "the names are those of the formats")]
#[path = "../../../examples/formats/mod.rs"]
mod formats;

use formats::{bmp, dns, elf, git_index, gzip, messagepack, mo, png, tar, tzif, wav, zip};

static BMP: RecordFormat = RecordFormat::new::<bmp::Bitmap>("bmp", "a picture of Windows");
static DNS: RecordFormat = RecordFormat::new::<dns::Message>("dns", "a message of DNS");
static ELF: RecordFormat = RecordFormat::new::<elf::Elf>("elf", "a program of Unix");
static GIT_INDEX: RecordFormat =
    RecordFormat::new::<git_index::Index>("git-index", "the index of git");
static GZIP: RecordFormat = RecordFormat::new::<gzip::Gzip>("gzip", "a compressed file");
static MESSAGEPACK: RecordFormat =
    RecordFormat::new::<messagepack::Value>("messagepack", "a value of MessagePack");
static MO: RecordFormat = RecordFormat::new::<mo::Messages>("mo", "translations");
static PNG: RecordFormat = RecordFormat::new::<png::Png>("png", "a picture");
static TAR: RecordFormat = RecordFormat::new::<tar::Tar>("tar", "an archive");
static TZIF: RecordFormat = RecordFormat::new::<tzif::TimeZone>("tzif", "a time zone");
static WAV: RecordFormat = RecordFormat::new::<wav::Wave>("wav", "a sound");
static ZIP: RecordFormat = RecordFormat::new::<zip::Zip>("zip", "an archive");

/// The list. (What has no magic comes last, and of that saves first.)
static ALL: [&dyn Format; 21] = [
    &ours::ALB1,
    &ours::PACKS,
    &ours::RESOURCES,
    &ours::SCRIPTS,
    &BMP,
    &ELF,
    &GIT_INDEX,
    &GZIP,
    &MO,
    &PNG,
    &TAR,
    &TZIF,
    &WAV,
    &ZIP,
    &ours::TEXT_RESOURCES,
    &ours::CONFIG_FILES,
    &JsonText,
    &ours::VALUE_TEXTS,
    &ours::SAVES,
    &DNS,
    &MESSAGEPACK,
];

/// The formats.
pub(crate) const FORMATS: Formats<'static> = Formats::new(&ALL);
