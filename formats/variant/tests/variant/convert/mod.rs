//! Values of every dialect converted to every other.

mod generated;
mod golden;
mod losses;
mod same;
mod table;
