//! Checks the statements of the repository about itself: its pages, its declarations, its structure.

mod architecture;
mod declared;
mod derive;
mod expressions;
mod minimum_rust;
mod performance;
mod schema;
