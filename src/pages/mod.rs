//! Formats as pages in Markdown, printed from the declarations that readers and writers are made of.

mod alb1;
mod collect;
#[cfg(feature = "wrapper")]
mod container;
mod game_file;
mod page;
mod rules;
mod words;

pub use alb1::alb1_page;
#[cfg(test)]
pub(crate) use alb1::alb1_shapes;
#[cfg(feature = "wrapper")]
#[cfg_attr(docsrs, doc(cfg(feature = "wrapper")))]
pub use container::container_page;
pub use game_file::{resource_page, script_page};
pub use page::{record_page, variant_page};
