//! Checks that the pages in `formats/` match the declarations.

use formwork_alb1::page::alb1_page;
use formwork_godot::pages::{resource_page, script_page};
use formwork_godot::pages::{settings_page, variant_page};
use formwork_variant::Dialect;

#[test]
fn the_schema_pages_are_current() {
    for (page, folder) in [
        (variant_page(Dialect::GODOT2), "godot2"),
        (variant_page(Dialect::GODOT3), "godot3"),
        (variant_page(Dialect::GODOT4), "godot4"),
        (variant_page(Dialect::PANDEMONIUM), "pandemonium"),
        (alb1_page(), "alb1"),
        (settings_page(), "settings"),
        (script_page(), "script"),
        (resource_page(), "resource"),
        (formwork_godot::pages::container_page(), "containers"),
        (formwork_godot::pages::pack_page(), "pack"),
    ] {
        let path = formwork_testkit::formats().join(folder).join("schema.md");
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
        let page = variant_page(dialect);
        for row in dialect.rows() {
            assert!(page.contains(row.name), "{dialect}: {}", row.name);
        }
    }
}
