//! Files of settings (`ECFG`): `project.binary` of Godot 3 and 4 and of Pandemonium, `engine.cfb` of Godot 1 and 2.
//!
//! Such a file has a name and a packet for each setting. Here it is one value: a Dictionary with the names as keys,
//! in the order of the file. [`Settings`] goes through the settings one by one.
//!
//! ```
//! use formwork_godot::settings;
//! use formwork_variant::{Decoder, Dialect, Encoder};
//!
//! let file = b"ECFG\x01\0\0\0\x08\0\0\0game/max\x08\0\0\0\x02\0\0\0\x09\0\0\0";
//! let decoder = Decoder::new(Dialect::GODOT4);
//! let mut value = settings::decode(file, &decoder)?;
//! assert_eq!(value["game/max"], 9);
//!
//! value["game/max"] = 10.into();
//! let packet = Encoder::new(Dialect::GODOT4).encode(&value)?;
//! let file = settings::from_packet(&packet, &decoder, None)?;
//! assert_eq!(file, b"ECFG\x01\0\0\0\x08\0\0\0game/max\x08\0\0\0\x02\0\0\0\x0a\0\0\0");
//! # Ok::<(), formwork::Error>(())
//! ```
//!
//! # Behaviour of the engines
//!
//! * A setting named `_custom_features` comes first if the exported game has custom features.
//! * Objects are in full form, such as the InputEvents of the input map: a [`Decoder`](formwork_variant::Decoder) needs
//!   [`allow_objects`](formwork_variant::Decoder::allow_objects).
//! * If a packet is no value, engines skip the setting. If a name is repeated, the last value is kept.
//! * Godot up to 3.2 gives the length of a name in characters and writes its bytes. If a name is not plain ASCII, no
//!   engine reads the rest of the file. It is read here, and [`Setting::counts_characters`] is set.

mod fold;
mod read;
mod recover;
pub mod rule;

pub use fold::{from_packet, to_packet};
pub(crate) use read::bytes_of_characters;
pub use read::{ReadSettings, Setting, Settings, decode, read};
pub use recover::recover;

use formwork::{BinRead, BinWrite, Deferred, Each, Nested, Path, PathSegment, Schema, Within};
use formwork_records::schema::{Record, VARIANT, record_of};
use formwork_records::wire::Block;
use formwork_variant::VariantType;

/// The first bytes of a file of settings (`project.binary`, `engine.cfb`).
pub(crate) const MAGIC: &[u8; 4] = b"ECFG";

/// A file of settings: `project.binary`, `engine.cfb`.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct SettingsFile {
    /// The first eight bytes.
    #[schema(inline)]
    pub head: SettingsHead,
    /// The settings.
    #[br(count = head.count)]
    pub settings: Deferred<Each<SettingRecord<'static>>>,
}

/// The head of a file of settings.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct SettingsHead {
    /// `ECFG`: 0x47464345.
    #[schema(letters)]
    pub magic: u32,
    /// How many settings follow.
    pub count: u32,
}

/// A setting: its name, and the packet of its value. Nothing is padded.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct SettingRecord<'a> {
    /// Bytes of the name. (Godot up to 3.2 counts characters.)
    pub name_length: u32,
    /// The name in UTF-8, without a terminator: `application/config/name`.
    #[br(count = name_length)]
    #[schema(text)]
    pub name: Block<'a, u8>,
    /// Bytes of the packet.
    pub length: u32,
    /// The packet of the value.
    #[br(args { bytes: length })]
    #[schema(inline)]
    pub value: Deferred<Within<Nested<VARIANT>>>,
}

/// The record that a file of settings starts with.
pub const HEAD: &Record = record_of::<SettingsHead>();

/// The record of a setting.
pub const SETTING: &Record = record_of::<SettingRecord<'_>>();

/// Returns whether bytes start as a file of settings does.
#[must_use]
pub fn is_settings(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The size in bytes of the words before a name, and before a packet.
const WORD: usize = size_of::<u32>();

/// Returns the path of a setting's name.
fn path_of_name(index: u64) -> Path {
    path_of(index, "key")
}

/// Returns the path of a setting's value.
fn path_of_value(index: u64) -> Path {
    path_of(index, "value")
}

/// Returns the path of a part of a setting, which is a pair of a Dictionary.
fn path_of(index: u64, part: &'static str) -> Path {
    let dictionary = PathSegment::Field(VariantType::Dictionary.path_name());
    vec![dictionary, PathSegment::Index(index), PathSegment::Field(part)].into()
}
