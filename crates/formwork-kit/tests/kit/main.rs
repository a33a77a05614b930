//! Packets: parsing them into trees, mutating and shrinking them, and the reports about them.

mod shrink;
mod tree;
