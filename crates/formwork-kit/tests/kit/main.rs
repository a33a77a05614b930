//! Packets taken apart, changed and made small; what is reported of them.

mod shrink;
mod tree;
