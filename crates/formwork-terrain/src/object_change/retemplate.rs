//! Gives objects other templates.

use std::collections::HashMap;

use formwork::{Error, Result};
use formwork_alb1::Text;
use formwork_alb1::terrain::{Library, ObjectLayer, hash};

use super::{Open, rule};
use crate::encoding::in_utf8;
use crate::object_list::{Filter, OtherNames, marked_hash, question};

/// The replacement of a template by another.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct TemplateChange {
    /// The name of the old one, or its hash as [`marked`](crate::object_list::marked) writes it.
    pub old: Text,
    /// The name of the new one, or its hash.
    pub new: Text,
    /// The library of the new one; [`None`] if the layer or a template library knows it.
    pub library: Option<Text>,
}

/// Replacements of templates.
#[derive(Clone, Debug, Default)]
pub struct Retemplate {
    /// The replacements. Each object changes once, so two templates may be swapped.
    pub changes: Vec<TemplateChange>,
    /// The template libraries of the project.
    pub libraries: Vec<Library>,
}

/// The result of replacing templates in a layer.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Retemplated {
    /// The number of objects of each change.
    pub objects: Vec<usize>,
    /// The number of templates that are new in the list of the layer.
    pub new_templates: usize,
}

impl Retemplate {
    /// Gives the objects of a layer that the filter selects their new templates. A new template is added to the list of
    /// the layer; the old one stays there.
    ///
    /// # Errors
    ///
    /// [`rule::TEMPLATE`] if an old template occurs twice or is the same as its new one, or if a new one is unknown.
    /// Also returns an error if the layer's tree is broken.
    pub fn apply(&self, layer: &mut ObjectLayer, filter: &Filter) -> Result<Retemplated> {
        let open = Open::new(layer, &self.libraries)?;
        let mut by_hash: HashMap<u32, (u32, usize)> = HashMap::new();
        for (position, change) in self.changes.iter().enumerate() {
            let Some(old) = known(&open, &change.old) else { continue };
            let new = known(&open, &change.new).or_else(|| {
                let named =
                    change.library.is_some() && !change.new.as_bytes().trim_ascii().is_empty();
                named.then(|| hash(change.new.as_bytes()))
            });
            let Some(new) = new else {
                let expected = "a template that the layer or a template library has";
                let meant = OtherNames::of(&open.templates).meant(&change.new.to_str());
                let found = format!("\"{}\"{}", change.new, question(&meant));
                return Err(Error::new(rule::TEMPLATE, 0, expected, found));
            };
            if old == new {
                let found = format!("\"{}\" for \"{}\"", change.new, change.old);
                return Err(Error::new(rule::TEMPLATE, 0, "another template", found));
            }
            if by_hash.insert(old, (new, position)).is_some() {
                let found = format!("\"{}\" twice", change.old);
                return Err(Error::new(rule::TEMPLATE, 0, "each old template once", found));
            }
        }
        let mut done = Retemplated { objects: vec![0; self.changes.len()], new_templates: 0 };
        let selected = open.selected(filter);
        let mut objects = Vec::with_capacity(selected.len());
        for ((hash, object), selected) in open.tree.placed().zip(selected) {
            let new = by_hash.get(&hash).filter(|_| selected);
            if let Some(count) = new.and_then(|(_, position)| done.objects.get_mut(*position)) {
                *count += 1;
            }
            objects.push((new.map_or(hash, |(new, _)| *new), *object));
        }
        if done.objects.iter().all(|count| *count == 0) {
            return Ok(done);
        }
        let tree = open.rebuilt(objects)?;
        let tree = tree.to_vec().map_err(|error| error.within("tree"))?;
        for (change, _) in self.changes.iter().zip(&done.objects).filter(|(_, count)| **count > 0) {
            let known = open.templates.named(&change.new.to_str());
            let library = known.and_then(|known| known.library.clone());
            let library = change.library.clone().or(library);
            if let Some(library) = library
                && layer.templates.get(&change.new).is_none()
                && marked_hash(change.new.as_bytes()).is_none()
            {
                layer.add_template(change.new.clone(), library);
                done.new_templates += 1;
            }
        }
        layer.tree = tree.into();
        Ok(done)
    }
}

/// Returns the hash of a template that the layer or a library knows, or that is given by its hash.
fn known(open: &Open, name: &Text) -> Option<u32> {
    let by_name = open.templates.hash_of(&name.to_str());
    by_name.or_else(|| marked_hash(name.as_bytes()))
}

impl TemplateChange {
    /// Reads a table in CSV. Its first line names the columns: `old`, `new` and, if needed, `library`.
    ///
    /// # Errors
    ///
    /// Returns a description of the fault, with the number of the line.
    ///
    /// ```
    /// use formwork_terrain::object_change::TemplateChange;
    ///
    /// let table = TemplateChange::from_csv(b"old,new,library\nt_oak,t_elm,\nt_fir,t_larch,Trees\n")?;
    /// assert_eq!(table[1].library.as_ref().unwrap().to_str(), "Trees");
    /// # Ok::<(), String>(())
    /// ```
    pub fn from_csv(table: &[u8]) -> std::result::Result<Vec<Self>, String> {
        let table = &*in_utf8(table).map_err(|error| error.to_string())?;
        let table = table.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(table);
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::Headers).from_reader(table);
        let headers = reader.headers().map_err(|error| error.to_string())?.clone();
        let column = |name: &str| headers.iter().position(|header| header == name);
        if let Some(other) = headers.iter().find(|name| !["old", "new", "library"].contains(name)) {
            return Err(format!("line 1: expected the columns old, new, library, found {other:?}"));
        }
        let (Some(old), Some(new)) = (column("old"), column("new")) else {
            return Err("line 1: expected the columns old and new".into());
        };
        let library = column("library");
        let mut changes = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| error.to_string())?;
            let line = record.position().map_or(0, csv::Position::line);
            let text = |column: usize| {
                let text = record.get(column).unwrap_or_default();
                Text::new(text).ok_or_else(|| {
                    format!("line {line}: {text:?} has a character that is not in Windows-1252")
                })
            };
            let (old, new) = (text(old)?, text(new)?);
            if old.as_bytes().is_empty() || new.as_bytes().is_empty() {
                return Err(format!("line {line}: expected two templates, found an empty name"));
            }
            let library = library.map(text).transpose()?;
            let library = library.filter(|library| !library.as_bytes().is_empty());
            changes.push(Self { old, new, library });
        }
        match changes.is_empty() {
            true => Err("there is no template in it".into()),
            false => Ok(changes),
        }
    }
}
