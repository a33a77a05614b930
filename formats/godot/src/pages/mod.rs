//! Formats as pages in Markdown, printed from the declarations that readers and writers are made of.

#[cfg(feature = "wrapper")]
mod container;
mod game_file;
#[cfg(feature = "pack")]
mod pack;
mod rules;
mod settings;
mod variant;

#[cfg(feature = "wrapper")]
#[cfg_attr(docsrs, doc(cfg(feature = "wrapper")))]
pub use container::container_page;
pub use game_file::{resource_page, script_page};
#[cfg(feature = "pack")]
#[cfg_attr(docsrs, doc(cfg(feature = "pack")))]
pub use pack::pack_page;
pub use settings::settings_page;
pub use variant::variant_page;

#[cfg(test)]
mod tests {
    use super::*;
    use formwork_records::page::check_page;

    #[test]
    fn links_lead_to_headings_and_tables_have_as_many_cells_as_columns() {
        check_page(&script_page(), "script");
        check_page(&resource_page(), "resource");
        #[cfg(feature = "wrapper")]
        check_page(&container_page(), "containers");
        #[cfg(feature = "pack")]
        check_page(&pack_page(), "pack");
    }
}
