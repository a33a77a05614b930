//! Formats as pages in Markdown, printed from the declarations of the readers and writers.

mod page;
mod rules;
mod settings;

pub use page::variant_page;
pub use settings::settings_page;
