//! The printed table.

use formwork_edit::convert::Table;

#[test]
fn the_page_is_current() {
    let page = format!(
        "# What becomes of a value in another dialect\n\nPrinted by `formwork convert --table`, from the \
         table that conversion goes by; with --from and --to for two dialects.\n\n{}",
        Table::new(None, None)
    );
    let path = formwork_testkit::formats().join("conversion.md");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "{} is old; BLESS=1 writes it anew", path.display());
}
