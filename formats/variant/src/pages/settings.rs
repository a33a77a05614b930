//! Files of settings as a page, from their declarations.

use super::collect::Collected;
use super::page::{Page, line};
use crate::schema::Schema;
use crate::settings::SettingsFile;

/// The engines' files of settings as a page in Markdown: records. Everything on it is read from the declarations
/// that reader and writer use.
#[must_use]
pub fn settings_page() -> String {
    let mut page = Page { collected: Collected::of([SettingsFile::SHAPE]), text: String::new() };
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
    use super::super::page::tests::check_page;
    use super::*;

    #[test]
    fn links_lead_to_headings_and_tables_have_as_many_cells_as_columns() {
        check_page(&settings_page(), "settings");
    }
}
