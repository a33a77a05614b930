//! Packets and files taken apart, changed and made smaller.

mod edits;
mod mutations;
mod reductions;
mod samples;
