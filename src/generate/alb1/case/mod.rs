//! Cases for tests of other people's readers of ALB1.

mod breach;
mod enumerate;
mod nest;
mod place;
mod small;
mod terrain;
#[cfg(test)]
mod tests;
mod valid;

pub(crate) use breach::near_valid;
pub(crate) use enumerate::enumerate;
pub(crate) use valid::valid;
