//! Formats as pages in Markdown, printed from the declarations that readers and writers are made of.

mod page;
mod rules;
mod settings;

pub use page::variant_page;
pub use settings::settings_page;
