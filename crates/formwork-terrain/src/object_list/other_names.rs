//! Finds templates by the names that other programs give to them.

use std::collections::{BTreeMap, BTreeSet};

use formwork_alb1::Text;
use formwork_alb1::terrain::{Library, ObjectLayer, Template, Templates};

/// The start of the names of classes that a model gets in the configuration of the game.
const CLASS: &str = "land_";
/// The extension of models.
const MODEL: &str = ".p3d";

/// Returns the templates that are probably meant by a name which no template has: those that differ in case, those whose
/// model has this path or file name, and those whose class it is (`Land_barn`). The best of these ways that finds any
/// decides.
///
/// ```
/// use formwork_alb1::Text;
/// use formwork_alb1::terrain::{Library, LibraryTemplate};
/// use formwork_terrain::object_list::meant;
///
/// let text = |text| Text::new(text).unwrap();
/// let file = text("valley\\houses\\barn_big.p3d");
/// let barn = LibraryTemplate { name: text("barn"), file, ..LibraryTemplate::default() };
/// let houses = [Library { name: text("houses"), templates: vec![barn] }];
/// for name in ["BARN", "barn_big.p3d", "P:\\valley\\houses\\barn_big.p3d", "Land_Barn_big"] {
///     assert_eq!(meant(name, [], &houses), [text("barn")]);
/// }
/// ```
#[must_use]
pub fn meant<'l>(
    name: &str,
    layers: impl IntoIterator<Item = &'l ObjectLayer>,
    libraries: impl IntoIterator<Item = &'l Library>,
) -> Vec<Text> {
    let mut templates = Templates::new();
    layers.into_iter().for_each(|layer| templates.add_layer(layer));
    libraries.into_iter().for_each(|library| templates.add(library));
    OtherNames::of(&templates).meant(name)
}

/// Templates by their names and models, in lower case.
#[derive(Default)]
pub(crate) struct OtherNames<'t> {
    by_name: BTreeMap<String, BTreeSet<&'t Text>>,
    by_path: BTreeMap<String, BTreeSet<&'t Text>>,
    by_model: BTreeMap<String, BTreeSet<&'t Text>>,
}

impl<'t> OtherNames<'t> {
    pub(crate) fn of(templates: &'t Templates) -> Self {
        let mut names = Self::default();
        for Template { name, file, .. } in templates.iter() {
            names.by_name.entry(lower(&name.to_str())).or_default().insert(name);
            if let Some(file) = file.as_ref().filter(|file| !file.as_bytes().is_empty()) {
                let path = path(&lower(&file.to_str()));
                names.by_model.entry(model(&path).to_owned()).or_default().insert(name);
                names.by_path.entry(path).or_default().insert(name);
            }
        }
        names
    }

    /// Returns the templates that a name probably means, as [`meant`] does.
    pub(crate) fn meant(&self, name: &str) -> Vec<Text> {
        let name = lower(name);
        let path = path(&name);
        let model = model(&path);
        let class = name.strip_prefix(CLASS);
        let found = [
            self.by_name.get(&name),
            self.by_path.get(&path),
            self.by_model.get(model),
            self.by_name.get(model),
            class.and_then(|class| self.by_model.get(class)),
            class.and_then(|class| self.by_name.get(class)),
            self.by_name.get(&format!("{CLASS}{name}")),
        ];
        let first = found.into_iter().flatten().next();
        first.into_iter().flatten().map(|&name| name.clone()).collect()
    }
}

/// Returns the question that names templates; an empty text where there is none.
pub(crate) fn question(templates: &[Text]) -> String {
    /// Templates that are named at most.
    const MOST: usize = 3;
    let names = templates.iter().take(MOST).map(|name| format!("\"{name}\""));
    match templates {
        [] => String::new(),
        _ => format!(" (did you mean {}?)", names.collect::<Vec<_>>().join(" or ")),
    }
}

fn lower(name: &str) -> String {
    name.trim().to_lowercase()
}

/// Returns a path on the project drive, without that.
fn path(path: &str) -> String {
    let path = path.replace('/', "\\");
    let path = path.strip_prefix("p:").unwrap_or(&path);
    path.trim_start_matches('\\').to_owned()
}

/// Returns the name of a model without its folders and its extension.
fn model(path: &str) -> &str {
    let name = path.rsplit('\\').next().unwrap_or(path);
    name.strip_suffix(MODEL).unwrap_or(name)
}
