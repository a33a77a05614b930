//! Names, types and documentation as pages show them.

use crate::schema::Layout;

/// Returns the name of a heading in links.
pub fn anchor(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// Returns the type's name as a page shows it, without links.
pub fn plain(shape: Layout) -> String {
    format!("`{shape}`")
}

/// Returns a doc comment as one paragraph. Links to Rust items do not work on a page, so only their text is kept.
pub fn clean(doc: &str) -> String {
    let doc = doc.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    let mut text = String::with_capacity(doc.len());
    let mut rest = doc.as_str();
    while let Some((before, link)) = rest.split_once('[') {
        text.push_str(before);
        rest = link;
        match link.split_once("](").and_then(|(shown, to)| Some((shown, to.split_once(')')?))) {
            Some((shown, (target, behind))) if target.contains("::") && !shown.contains('[') => {
                text.push_str(shown);
                rest = behind;
            }
            _ => text.push('['),
        }
    }
    text + rest
}
