//! Packets and files taken apart, changed and made smaller.

mod mutations;
mod reductions;
mod samples;
mod written;
