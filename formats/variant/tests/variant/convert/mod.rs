//! Values of every dialect converted to every other.

mod generated;
mod golden;
mod guards;
mod losses;
mod same;
mod table;
