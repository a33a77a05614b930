//! The gallery: formats of other programs, each declared in one file without further code.

pub mod bmp;
pub mod dns;
pub mod elf;
pub mod git_index;
pub mod gzip;
pub mod messagepack;
pub mod mo;
pub mod png;
pub mod tar;
pub mod tzif;
pub mod wav;
pub mod zip;
