//! Cases for tests of other people's readers of ALB1.

mod breach;
mod place;
mod small;
#[cfg(test)]
mod tests;

pub(crate) use breach::near_valid;
