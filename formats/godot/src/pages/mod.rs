//! Formats as pages in Markdown, printed from the declarations that readers and writers are made of.

#[cfg(feature = "wrapper")]
mod container;
mod game_file;
#[cfg(feature = "pack")]
mod pack;

#[cfg(feature = "wrapper")]
#[cfg_attr(docsrs, doc(cfg(feature = "wrapper")))]
pub use container::container_page;
pub use game_file::{resource_page, script_page};
#[cfg(feature = "pack")]
#[cfg_attr(docsrs, doc(cfg(feature = "pack")))]
pub use pack::pack_page;
