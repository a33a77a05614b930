//! Trees of packets and files, their mutations and their reductions.

mod edits;
mod mutations;
mod reductions;
mod samples;
