//! The gallery: formats of other programs, each declared in one file and nothing else.

pub mod elf;
pub mod git_index;
pub mod gzip;
pub mod messagepack;
pub mod png;
pub mod tar;
pub mod wav;
pub mod zip;
