//! Packets and files taken apart, changed and made smaller.

mod reductions;
mod samples;
mod written;
