//! From a list to a layer.

use std::collections::{HashMap, HashSet};

use formwork::{Error, PathSegment, Result};
use formwork_alb1::Text;
use formwork_alb1::terrain::{Library, ObjectLayer, Templates, hash};
use formwork_alb1::tree::{BoundingBox, Colour, Grid, Object, Tree};

use super::known_again::{There, Wanted, find_again};
use super::layer::{name_of, templates_of};
use super::number::SixDecimals;
use super::{Entry, Filter, Form, Line, Placement, marked_hash};
use crate::mode::Mode;
use crate::object_list::rule;

/// How a list goes into a layer.
#[derive(Clone, Debug, Default)]
pub struct Import {
    /// What becomes of the objects that the layer has.
    pub mode: Mode,
    /// The form of the list: in [`Form::Text`] numbers have six decimals, and those of an object
    /// that stays keep what is behind these; in the others the list has all of a number.
    pub form: Form,
    /// Only objects that this selects are changed, deleted and added. The list is filtered in the
    /// same way: of its lines only those count that are about a selected object of the layer, or
    /// about none and are selected themselves.
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
    /// Objects that were deleted.
    pub removed: usize,
    /// Of the objects that stayed as they were, those that [`Import::filter`] selects and the list
    /// does not have.
    pub unlisted: usize,
    /// The numbers of the lines that lie outside what [`Import::filter`] selects, and were left out.
    pub left_out: Vec<u64>,
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
    /// that nothing knows (once each) or that have no name, objects outside the box of the tree,
    /// numbers that no object can have (what the layer has already may stay). Or what is wrong with
    /// the layer. The layer is as it was then.
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
        let mut left_out = Vec::new();
        let there = self.there(&tree, &templates);
        let mut wanted = Vec::with_capacity(list.len());
        let mut hashes: HashMap<&[u8], Option<u32>> = HashMap::new();
        let mut unknown: HashSet<&[u8]> = HashSet::new();
        for line in list {
            let name = &*line.entry.template;
            let hash = *hashes.entry(name).or_insert_with(|| self.hash_of(&line.entry, &templates));
            match hash {
                Some(hash) => wanted.push(Wanted { line, hash, found: None }),
                None if !self.selects(line, name) => left_out.push(line.number),
                // Once is enough.
                None if !unknown.insert(name) => {}
                None => faults.push(at_line(unknown_template(name), line)),
            }
        }
        // Without a filter there is nothing that a replacement has to know again.
        let is_partial = self.filter != Filter::default();
        if matches!(self.mode, Mode::Update | Mode::Mirror)
            || (self.mode == Mode::Replace && is_partial)
        {
            find_again(&mut wanted, &there);
        }
        if is_partial {
            wanted.retain(|it| {
                let is_meant = match it.found.and_then(|position| there.get(position)) {
                    Some(object) => object.selected,
                    None if templates.get(it.hash).is_some() => {
                        self.selects(it.line, &name_of(&templates, it.hash).0)
                    }
                    None => self.selects(it.line, &it.line.entry.template),
                };
                if !is_meant {
                    left_out.push(it.line.number);
                }
                is_meant
            });
            left_out.sort_unstable();
        }
        if self.mode == Mode::Replace {
            wanted.iter_mut().for_each(|it| it.found = None);
        }
        // Templates for the layer's list, with their libraries.
        let new = self.new_templates(&wanted, layer, &templates);
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
        imported.left_out = left_out;
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
        let stays = |it: &There| !(self.mode.deletes() && it.selected);
        let mut objects: Vec<_> =
            there.iter().map(|it| stays(it).then_some((it.hash, it.object))).collect();
        let mut is_found = vec![false; there.len()];
        for Wanted { line, hash, found } in wanted {
            let listed = line.entry.placement;
            let old = found.and_then(|position| Some((there.get(position)?, position)));
            let Some((old, position)) = old else {
                let object = listed.object(ids.take().map_err(|error| at_line(error, line))?);
                if let Some(fault) = impossible(&listed, None) {
                    faults.push(at_line(fault, line));
                } else if grid.leaf_at(object.x, object.y).is_none() {
                    faults.push(outside(grid, line));
                }
                imported.added += 1;
                objects.push(Some((*hash, object)));
                continue;
            };
            let before = Placement::from(old.object);
            let now = self.joined(listed, before);
            let moved = [now.x, now.y].map(f64::to_bits) != [before.x, before.y].map(f64::to_bits);
            if let Some(fault) = impossible(&now, Some(&before)) {
                faults.push(at_line(fault, line));
            } else if moved && grid.leaf_at(now.x, now.y).is_none() {
                // Where an object that stays is, Terrain Builder has put it.
                faults.push(outside(grid, line));
            }
            if now.is_identical(&before) {
                imported.kept += 1;
            } else {
                imported.changed += 1;
            }
            if let (Some(slot), Some(is_found)) =
                (objects.get_mut(position), is_found.get_mut(position))
            {
                (*slot, *is_found) = (Some((*hash, now.object(old.object.id))), true);
            }
        }
        for (it, _) in there.iter().zip(is_found).filter(|(_, is_found)| !is_found) {
            if stays(it) {
                imported.kept += 1;
                imported.unlisted += usize::from(self.mode == Mode::Update && it.selected);
            } else {
                imported.removed += 1;
            }
        }
        Ok(Merged { objects, imported })
    }

    /// Whether the filter selects what a line says, of a template with this name.
    fn selects(&self, line: &Line<'_>, template: &[u8]) -> bool {
        let Placement { x, y, .. } = line.entry.placement;
        self.filter.has_template(template) && self.filter.has_place(x, y)
    }

    /// The hash of an entry's template; [`None`] where nothing knows it.
    fn hash_of(&self, entry: &Entry<'_>, templates: &Templates) -> Option<u32> {
        let name = Text::from_bytes(&*entry.template);
        let text = name.to_str();
        if let (Some(_), Some(hash)) = (templates.named(&text), templates.hash_of(&text)) {
            return Some(hash);
        }
        if let Some(hash) = marked_hash(&entry.template) {
            return Some(hash);
        }
        let has_library = entry.library.is_some() || self.library.is_some();
        (has_library && !is_blank(name.as_bytes())).then(|| hash(name.as_bytes()))
    }

    /// Templates that the layer's list does not have, with their libraries, in the order of the
    /// objects.
    fn new_templates(
        &self,
        wanted: &[Wanted<'_>],
        layer: &ObjectLayer,
        templates: &Templates,
    ) -> Vec<(Text, Text)> {
        let mut seen: HashSet<&[u8]> = HashSet::new();
        let mut new = Vec::new();
        for Wanted { line, .. } in wanted {
            let entry = &line.entry;
            if !seen.insert(&entry.template) {
                continue;
            }
            let name = Text::from_bytes(&*entry.template);
            let known = templates.named(&name.to_str());
            if known.is_none() && marked_hash(&entry.template).is_some() {
                continue;
            }
            let library = entry.library.as_deref().map(Text::from_bytes);
            let library = library.or_else(|| known.and_then(|known| known.library.clone()));
            if let Some(library) = library.or_else(|| self.library.clone())
                && layer.templates.get(&name).is_none()
            {
                new.push((name, library));
            }
        }
        new
    }

    /// The objects of the layer, and whether they may be changed and deleted.
    fn there(&self, tree: &Tree, templates: &Templates) -> Vec<There> {
        let mut has_template = HashMap::new();
        let mut is_selected = |hash: u32, object: &Object| {
            self.filter.has_place(object.x, object.y)
                && *has_template
                    .entry(hash)
                    .or_insert_with(|| self.filter.has_template(&name_of(templates, hash).0))
        };
        let there = |(hash, object): (u32, &Object)| There {
            hash,
            object: *object,
            selected: is_selected(hash, object),
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
    /// At their positions those that the layer has ([`None`] where one is deleted), after them the new
    /// ones; each with the hash of its template.
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
            return Err(Error::new(formwork_alb1::rule::LENGTH, 0, expected, "none"));
        };
        self.next = next;
        Ok(id)
    }
}

fn is_blank(name: &[u8]) -> bool {
    name.trim_ascii().is_empty()
}

/// The fault of a template that nothing knows.
#[cold]
fn unknown_template(name: &[u8]) -> Error {
    if is_blank(name) {
        let expected = "the name of a template";
        return Error::new(rule::LINE, 0, expected, "an empty name").within("template");
    }
    let expected = "a template that the layer or a template library has";
    let found = format!("\"{}\"", Text::from_bytes(name));
    Error::new(rule::TEMPLATE, 0, expected, found)
}

/// What is wrong with the numbers of an object. Those that it has already may stay as they are.
///
/// An angle may be any number of turns and may be negative: it is a direction all the same, other
/// programs write such lists, and Terrain Builder's own files have 360 beside 0.
pub(crate) fn impossible(now: &Placement, before: Option<&Placement>) -> Option<Error> {
    /// Beyond any model and map: degrees, metres, multiples of a model's size.
    const MOST: f64 = 100_000.0;
    let before = before.map(Placement::numbers);
    for (position, (name, number)) in Placement::NAMES.into_iter().zip(now.numbers()).enumerate() {
        let was = before.and_then(|before| before.get(position).copied());
        if was.map(f64::to_bits) == Some(number.to_bits()) {
            continue;
        }
        let expected = match name {
            _ if !number.is_finite() => "a finite number".to_owned(),
            // How far these go, the tree says.
            "x" | "y" => continue,
            "scale" if number <= 0.0 || number > MOST => {
                format!("a scale above 0, {MOST} at most")
            }
            _ if number.abs() > MOST => format!("a number from -{MOST} to {MOST}"),
            _ => continue,
        };
        let fault = Error::new(rule::NUMBER, 0, expected, number.to_string());
        return Some(fault.within(name));
    }
    None
}

/// Adds to an error the line it is in.
#[cold]
pub(super) fn at_line(error: Error, line: &Line<'_>) -> Error {
    error
        .shifted(line.offset)
        .under(vec![PathSegment::Field("line"), PathSegment::Index(line.number)].into())
}

/// An object of the list has no place in the tree.
#[cold]
fn outside(grid: &Grid, line: &Line<'_>) -> Error {
    let BoundingBox { x0, y0, x1, y1 } = grid.root();
    let Placement { x, y, .. } = line.entry.placement;
    let expected = format!("x from {x0} to below {x1} and y from {y0} to below {y1}");
    at_line(Error::new(rule::PLACE, 0, expected, format!("{x}, {y}")), line)
}
