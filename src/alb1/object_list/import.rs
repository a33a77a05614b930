//! From a list to a layer.

use std::collections::HashMap;

use super::known_again::{There, Wanted, find_again};
use super::layer::{name_of, templates_of};
use super::number::SixDecimals;
use super::{Entry, Filter, Form, Line, Placement, marked_hash};
use crate::alb1::Text;
use crate::alb1::terrain::{Library, ObjectLayer, Templates, hash};
use crate::alb1::tree::{BoundingBox, Colour, Grid, Object, Tree};
use crate::error::{Error, Result, Rule, Step};

/// What becomes of the objects that a layer has.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Mode {
    /// The layer gets what the list says. An object that is in the layer and in the list stays as it
    /// is: its id, and every bit of the numbers that are the same at six decimals.
    ///
    /// An object of the list is one of the layer if they have the same template and all numbers are
    /// the same at six decimals; what is left over, if they have the same template and id (where the
    /// list has ids), or the same template and place. Each object of the layer is taken once.
    #[default]
    Update,
    /// All objects of the layer are taken out, and those of the list are new.
    Replace,
    /// The objects of the layer stay, and those of the list are added.
    Append,
}

/// How a list goes into a layer.
#[derive(Clone, Debug, Default)]
pub struct Import {
    /// What becomes of the objects that the layer has.
    pub mode: Mode,
    /// The form of the list: in [`Form::Text`] numbers have six decimals, and those of an object
    /// that stays keep what is behind these; in the others the list has all of a number.
    pub form: Form,
    /// Only objects that this selects are updated or replaced; the others stay.
    pub filter: Filter,
    /// The library of templates that neither the layer's list nor a template library has. Without
    /// one they are refused.
    pub library: Option<Text>,
    /// The template libraries of the project.
    pub libraries: Vec<Library>,
}

/// What went into a layer.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Imported {
    /// Objects that stayed as they were.
    pub kept: usize,
    /// Objects that stayed with other numbers.
    pub changed: usize,
    /// Objects that are new.
    pub added: usize,
    /// Objects that were taken out.
    pub removed: usize,
    /// Templates that are new in the layer's list.
    pub new_templates: Vec<Text>,
}

impl Import {
    /// Puts a list into a layer: the objects into its tree, their templates and libraries into its
    /// lists; the number of objects and the next id follow. New objects get new ids, in the order of
    /// the list.
    ///
    /// A template is looked up in the layer's list, then in [`Import::libraries`]; a name made by
    /// [`marked`](super::marked) is the hash it stands for. A new template gets the library that the
    /// list says, else the one that has it, else [`Import::library`].
    ///
    /// A layer to which nothing changes keeps its tree byte for byte; otherwise the tree is built
    /// anew, as [`Tree::rebuild`] does it.
    ///
    /// # Errors
    ///
    /// All that is wrong with the list, each with the offset and the number of the line: templates
    /// that nothing knows (once each), objects outside the box of the tree. Or what is wrong with the
    /// layer. The layer is as it was then.
    pub fn apply(
        &self,
        layer: &mut ObjectLayer,
        list: &[Line<'_>],
    ) -> Result<Imported, Vec<Error>> {
        let one = |error: Error| vec![error];
        let tree =
            Tree::read(&layer.tree, layer.tree_version()).map_err(|e| one(e.within("tree")))?;
        let grid = Grid::of(&tree).map_err(one)?;
        let (templates, _) = templates_of(layer, &self.libraries).map_err(one)?;

        let mut faults = Vec::new();
        // Templates for the layer's list, with their libraries.
        let mut new: Vec<(Text, Text)> = Vec::new();
        let mut wanted = Vec::with_capacity(list.len());
        let mut hashes: HashMap<&[u8], Option<u32>> = HashMap::new();
        for line in list {
            let hash = *hashes.entry(&*line.entry.template).or_insert_with(|| {
                self.hash_of(&line.entry, layer, &templates, &mut new)
                    .map_err(|error| faults.push(at_line(error, line)))
                    .ok()
            });
            if let Some(hash) = hash {
                wanted.push(Wanted { line, hash, found: None });
            }
        }

        let there = self.there(&tree, &templates);
        if self.mode == Mode::Update {
            find_again(&mut wanted, &there);
        }
        let mut ids = Ids::after(layer, &there);
        let Merged { objects, mut imported } =
            self.merged(&wanted, &there, &grid, &mut ids, &mut faults).map_err(one)?;
        if !faults.is_empty() {
            faults.sort_by_key(Error::offset);
            return Err(faults);
        }
        if imported.changed + imported.added + imported.removed > 0 {
            // What was read is not needed beside what is written.
            drop((wanted, there));
            let colours: HashMap<u32, Colour> =
                tree.leaves.iter().map(|leaf| (leaf.template, leaf.colour)).collect();
            let colour = |hash| {
                let fill = templates.fill_of(hash);
                fill.or_else(|| colours.get(&hash).copied()).unwrap_or(Colour::from(0))
            };
            let new_tree = tree.rebuild(objects.into_iter().flatten(), colour);
            drop(tree);
            let stored = new_tree.and_then(|tree| layer.set_tree(&tree));
            stored.map_err(|error| one(error.within("tree")))?;
            layer.next_object_id = ids.next;
        }
        for (template, library) in &new {
            layer.add_template(template.clone(), library.clone());
        }
        imported.new_templates = new.into_iter().map(|(template, _)| template).collect();
        Ok(imported)
    }

    /// Layer and list in one.
    fn merged(
        &self,
        wanted: &[Wanted<'_>],
        there: &[There],
        grid: &Grid,
        ids: &mut Ids,
        faults: &mut Vec<Error>,
    ) -> Result<Merged> {
        let mut imported = Imported::default();
        let mut objects: Vec<_> =
            there.iter().map(|it| (!it.open).then_some((it.hash, it.object))).collect();
        imported.kept = objects.iter().flatten().count();
        for Wanted { line, hash, found } in wanted {
            let listed = line.entry.placement;
            let old = found.and_then(|position| Some((there.get(position)?, position)));
            let Some((old, position)) = old else {
                let object = listed.object(ids.take().map_err(|error| at_line(error, line))?);
                if grid.leaf_at(object.x, object.y).is_none() {
                    faults.push(outside(grid, line));
                }
                imported.added += 1;
                objects.push(Some((*hash, object)));
                continue;
            };
            let before = Placement::from(old.object);
            let now = self.joined(listed, before);
            let moved = [now.x, now.y].map(f64::to_bits) != [before.x, before.y].map(f64::to_bits);
            // Where an object that stays is, Terrain Builder has put it.
            if moved && grid.leaf_at(now.x, now.y).is_none() {
                faults.push(outside(grid, line));
            }
            if now.is_identical(&before) {
                imported.kept += 1;
            } else {
                imported.changed += 1;
            }
            if let Some(slot) = objects.get_mut(position) {
                *slot = Some((*hash, now.object(old.object.id)));
            }
        }
        imported.removed = there.len() - imported.kept - imported.changed;
        Ok(Merged { objects, imported })
    }

    /// The hash of an entry's template.
    fn hash_of(
        &self,
        entry: &Entry<'_>,
        layer: &ObjectLayer,
        templates: &Templates,
        new: &mut Vec<(Text, Text)>,
    ) -> Result<u32> {
        let name = Text::from_bytes(&*entry.template);
        let text = name.to_str();
        let library = entry.library.as_deref().map(Text::from_bytes);
        if let (Some(template), Some(hash)) = (templates.named(&text), templates.hash_of(&text)) {
            let library = library.or_else(|| template.library.clone());
            if let Some(library) = library.or_else(|| self.library.clone())
                && layer.templates.get(&name).is_none()
            {
                new.push((name, library));
            }
            return Ok(hash);
        }
        if let Some(hash) = marked_hash(&entry.template) {
            return Ok(hash);
        }
        match library.or_else(|| self.library.clone()) {
            Some(library) => {
                let hash = hash(name.as_bytes());
                new.push((name, library));
                Ok(hash)
            }
            None => {
                let expected = "a template that the layer or a template library has";
                let found = format!("\"{text}\"");
                Err(Error::new(Rule::ObjectListTemplate, 0, expected, found))
            }
        }
    }

    /// The objects of the layer, and whether they may be changed and taken out.
    fn there(&self, tree: &Tree, templates: &Templates) -> Vec<There> {
        let mut selected = HashMap::new();
        let mut is_open = |hash: u32, object: &Object| {
            let mut has_template = || self.filter.has_template(&name_of(templates, hash).0);
            self.mode != Mode::Append
                && self.filter.has_place(object.x, object.y)
                && *selected.entry(hash).or_insert_with(&mut has_template)
        };
        let there = |(hash, object): (u32, &Object)| There {
            hash,
            object: *object,
            open: is_open(hash, object),
        };
        tree.placed().map(there).collect()
    }

    /// The numbers of an object that is in the list and in the layer.
    fn joined(&self, listed: Placement, before: Placement) -> Placement {
        match self.form {
            Form::Text => listed
                .with_bits_of(&before, |one, other| SixDecimals::of(one) == SixDecimals::of(other)),
            // Of a NaN the list says nothing but that it is one.
            _ => listed.with_bits_of(&before, |one, other| one.is_nan() && other.is_nan()),
        }
    }
}

/// Layer and list in one.
struct Merged {
    /// At their positions those that the layer has ([`None`] where one is taken out), behind them the
    /// new ones; each with the hash of its template.
    objects: Vec<Option<(u32, Object)>>,
    imported: Imported,
}

/// The ids of new objects.
struct Ids {
    next: i32,
}

impl Ids {
    /// Ids above the layer's counter and above those of its objects: a counter may be behind.
    fn after(layer: &ObjectLayer, there: &[There]) -> Self {
        let ids = there.iter().filter_map(|it| i32::try_from(it.object.id).ok()?.checked_add(1));
        Self { next: ids.max().unwrap_or(0).max(layer.next_object_id) }
    }

    fn take(&mut self) -> Result<u32> {
        let (id, next) = (u32::try_from(self.next), self.next.checked_add(1));
        let (Ok(id), Some(next)) = (id, next) else {
            let expected = "an id that is left for a new object";
            return Err(Error::new(Rule::Alb1Length, 0, expected, "none"));
        };
        self.next = next;
        Ok(id)
    }
}

/// The same error, with the line it is in.
#[cold]
fn at_line(error: Error, line: &Line<'_>) -> Error {
    error.shifted(line.offset).under(vec![Step::Field("line"), Step::Index(line.number)].into())
}

/// An object of the list has no place in the tree.
#[cold]
fn outside(grid: &Grid, line: &Line<'_>) -> Error {
    let BoundingBox { x0, y0, x1, y1 } = grid.root();
    let Placement { x, y, .. } = line.entry.placement;
    let expected = format!("x from {x0} to below {x1} and y from {y0} to below {y1}");
    at_line(Error::new(Rule::ObjectListPlace, 0, expected, format!("{x}, {y}")), line)
}
