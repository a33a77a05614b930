//! Packets: parsing them into trees, mutating and shrinking them, and the reports about them.

mod judge;
mod shrink;
mod suite;
mod tree;
