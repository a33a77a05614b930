//! The gallery: formats of other programs, each declared in one file without further code.

pub mod bmp;
pub mod cbor;
pub mod class;
pub mod dns;
pub mod elf;
pub mod git_index;
pub mod gzip;
pub mod kinds;
pub mod messagepack;
pub mod mo;
pub mod nbt;
pub mod png;
pub mod sqlite;
pub mod tar;
pub mod tiff;
pub mod tzif;
pub mod wasm;
pub mod wav;
pub mod zip;
