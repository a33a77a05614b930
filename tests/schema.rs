//! The pages in `formats/` say what the declarations say.

use std::path::Path;

use formwork::Dialect;
use formwork::schema::{alb1_markdown, markdown};

#[test]
fn the_schema_pages_are_current() {
    for (page, folder) in [
        (markdown(Dialect::GODOT2), "godot2"),
        (markdown(Dialect::GODOT3), "godot3"),
        (markdown(Dialect::GODOT4), "godot4"),
        (markdown(Dialect::PANDEMONIUM), "pandemonium"),
        (alb1_markdown(), "alb1"),
        #[cfg(feature = "container")]
        (formwork::schema::container_markdown(), "containers"),
    ] {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("formats").join(folder).join("schema.md");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &page).expect("the page can be written");
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(written == page, "{} is old; BLESS=1 writes it anew", path.display());
    }
}

#[test]
fn every_dialect_has_a_page_with_all_its_types() {
    for dialect in Dialect::all() {
        let page = markdown(dialect);
        for row in dialect.rows() {
            assert!(page.contains(row.name), "{dialect}: {}", row.name);
        }
    }
}
