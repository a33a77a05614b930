//! Records that are declared outside of the library, with the derive that the formats of this library have.

mod git_index;
mod kinds;
mod proof;
