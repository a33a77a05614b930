//! Checks the statements of the repository about itself: its pages, its declarations, its structure.

mod architecture;
mod declared;
mod expressions;
mod minimum_rust;
mod performance;
mod schema;
