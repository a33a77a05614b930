//! Files of settings as a page, from their declarations.

use crate::settings::SettingsFile;
use formwork_records::page::collect::Collected;
use formwork_records::page::{Page, line};
use formwork_records::schema::Schema;

/// The engines' files of settings as a page in Markdown: records. Everything on it is read from the declarations
/// that reader and writer use.
#[must_use]
pub fn settings_page() -> String {
    let mut page = Page { collected: Collected::of([SettingsFile::LAYOUT]), text: String::new() };
    line!(page, "# Files of settings\n");
    line!(
        page,
        "`project.binary` of Godot 3 and 4 and of Pandemonium, `engine.cfb` of Godot 1 and 2."
    );
    line!(page, "All numbers are little endian; the packets are those of the engine's dialect.\n");
    page.records();
    page.text
}

#[cfg(test)]
mod tests {
    use super::*;
    use formwork_records::page::check_page;

    #[test]
    fn links_lead_to_headings_and_tables_have_as_many_cells_as_columns() {
        check_page(&settings_page(), "settings");
    }
}
