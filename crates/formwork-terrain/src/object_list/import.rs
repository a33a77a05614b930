//! Imports a list into a layer.

use std::collections::{HashMap, HashSet};

use formwork::{Error, PathSegment, Result};
use formwork_alb1::Text;
use formwork_alb1::terrain::{Library, ObjectLayer, Templates, hash};
use formwork_alb1::tree::{BoundingBox, Colour, Grid, Object, Tree};

use super::known_again::{There, Wanted, find_again};
use super::layer::{name_of, templates_of};
use super::number::SixDecimals;
use super::other_names::{OtherNames, question};
use super::{Entry, Filter, Form, Line, Placement, marked_hash};
use crate::mode::Mode;
use crate::object_list::rule;

/// The options of an import.
#[derive(Clone, Debug, Default)]
pub struct Import {
    /// The effect on the objects that the layer has.
    pub mode: Mode,
    /// The form of the list. In [`Form::Text`] numbers have six decimals, and those of a kept object keep their further
    /// digits. In the other forms the list has all digits of a number.
    pub form: Form,
    /// Only objects that this filter selects are changed, deleted and added. The list is filtered in the same way: a
    /// line counts if it belongs to a selected object of the layer, or if it belongs to none and its object is
    /// selected.
    pub filter: Filter,
    /// The library for templates that neither the layer's list nor a template library has, and the one that counts if
    /// several libraries have a template that is new to the layer. If it is [`None`], templates without a library are
    /// refused, and the first of several libraries counts.
    pub library: Option<Text>,
    /// The template libraries of the project.
    pub libraries: Vec<Library>,
}

/// The result of an import.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Imported {
    /// The number of objects that stayed unchanged.
    pub kept: usize,
    /// The number of objects that stayed with other numbers or with another template.
    pub changed: usize,
    /// The number of new objects.
    pub added: usize,
    /// The number of deleted objects.
    pub removed: usize,
    /// The number of unchanged objects that [`Import::filter`] selects and the list lacks.
    pub unlisted: usize,
    /// The numbers of the lines outside the selection of [`Import::filter`], which were left out.
    pub left_out: Vec<u64>,
    /// The numbers of the lines whose objects are new, with another id than the line has: no object of the layer has
    /// the id, or an earlier line took it. Empty where all objects of the list are new.
    pub renumbered: Vec<u64>,
    /// The templates that are new in the layer's list.
    pub new_templates: Vec<Text>,
    /// Those of the new templates that several libraries have while the list names none, each with these libraries; it
    /// is taken from the first of them. Empty if [`Import::library`] is given.
    pub in_several: Vec<(Text, Vec<Text>)>,
}

impl Import {
    /// Puts a list into a layer: the objects into its tree, their templates and libraries into its lists. The number of
    /// objects and the next id are updated. New objects get new ids, in the order of the list.
    ///
    /// A template is looked up in the layer's list, then in [`Import::libraries`]; a name made by
    /// [`marked`](super::marked) is read as its hash. A new template gets the library that the list names, otherwise
    /// the library that has it, otherwise [`Import::library`].
    ///
    /// A layer without any change keeps its tree byte for byte; otherwise the tree is built anew by [`Tree::rebuild`].
    ///
    /// # Errors
    ///
    /// Returns all faults of the list, each with the offset and the number of the line: templates that are unknown
    /// (once each) or without a name, objects outside the box of the tree, numbers that no object can have (unless the
    /// layer has them already). Or returns the fault of the layer. The layer is then unchanged.
    pub fn apply(
        &self,
        layer: &mut ObjectLayer,
        list: &[Line<'_>],
    ) -> Result<Imported, Vec<Error>> {
        let one = |error: Error| vec![error];
        let tree =
            Tree::read(&layer.tree, layer.tree_version()).map_err(|e| one(e.within("tree")))?;
        let grid = Grid::of(&tree).map_err(one)?;
        // Of several libraries that have a template, the first counts.
        let is_first = |library: &&Library| Some(&library.name) == self.library.as_ref();
        let (first, others): (Vec<_>, Vec<_>) = self.libraries.iter().partition(is_first);
        let (templates, _) = templates_of(layer, first.into_iter().chain(others)).map_err(one)?;

        let mut faults = Vec::new();
        let mut left_out = Vec::new();
        let there = self.there(&tree, &templates);
        let mut wanted = Vec::with_capacity(list.len());
        let mut hashes: HashMap<&[u8], Option<u32>> = HashMap::new();
        let mut unknown: HashSet<&[u8]> = HashSet::new();
        let mut other_names = None;
        for line in list {
            let name = &*line.entry.template;
            let hash = *hashes.entry(name).or_insert_with(|| self.hash_of(&line.entry, &templates));
            match hash {
                Some(hash) => wanted.push(Wanted { line, hash, found: None }),
                None if !self.selects(line, name) => left_out.push(line.number),
                // An unknown template is reported once.
                None if !unknown.insert(name) => {}
                None => {
                    let names = other_names.get_or_insert_with(|| OtherNames::of(&templates));
                    faults.push(at_line(unknown_template(name, names), line));
                }
            }
        }
        // Without a filter, a replacement does not need to match old objects.
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
        // New templates for the layer's list, with their libraries.
        let new = self.new_templates(&wanted, layer, &templates);
        let mut ids = Ids::after(layer, &there);
        let Merged { objects, mut imported } =
            self.merged(&wanted, &there, &grid, &mut ids, &mut faults).map_err(one)?;
        if !faults.is_empty() {
            faults.sort_by_key(Error::offset);
            return Err(faults);
        }
        let said = wanted.iter().filter(|it| it.line.entry.library.is_some());
        let said: HashSet<Box<[u8]>> =
            said.map(|it| it.line.entry.template.as_ref().into()).collect();
        if imported.changed + imported.added + imported.removed > 0 {
            // The lists that were read are no longer needed.
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
        if self.library.is_none() {
            imported.in_several = self.in_several(&new, &said);
        }
        for (template, library) in &new {
            layer.add_template(template.clone(), library.clone());
        }
        imported.left_out = left_out;
        imported.new_templates = new.into_iter().map(|(template, _)| template).collect();
        Ok(imported)
    }

    /// Merges layer and list.
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
                let is_matched = matches!(self.mode, Mode::Update | Mode::Mirror);
                if is_matched && line.entry.id.is_some_and(|id| id != object.id) {
                    imported.renumbered.push(line.number);
                }
                objects.push(Some((*hash, object)));
                continue;
            };
            let before = Placement::from(old.object);
            let mut now = self.joined(listed, before);
            if line.entry.no_height {
                now.z = before.z;
            }
            let moved = [now.x, now.y].map(f64::to_bits) != [before.x, before.y].map(f64::to_bits);
            if let Some(fault) = impossible(&now, Some(&before)) {
                faults.push(at_line(fault, line));
            } else if moved && grid.leaf_at(now.x, now.y).is_none() {
                // The place of an unmoved object was set by Terrain Builder.
                faults.push(outside(grid, line));
            }
            if now.is_identical(&before) && *hash == old.hash {
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

    /// Whether the filter selects the object of a line, with a template of this name.
    fn selects(&self, line: &Line<'_>, template: &[u8]) -> bool {
        let Placement { x, y, .. } = line.entry.placement;
        self.filter.has_template(template) && self.filter.has_place(x, y)
    }

    /// Returns the hash of an entry's template; [`None`] if it is unknown.
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

    /// Returns the templates that the layer's list lacks, with their libraries, in the order of the objects.
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

    /// Returns the new templates that several libraries have, except those whose library the list names (`said`).
    fn in_several(
        &self,
        new: &[(Text, Text)],
        said: &HashSet<Box<[u8]>>,
    ) -> Vec<(Text, Vec<Text>)> {
        let names = new.iter().map(|(template, _)| template);
        let mut libraries: HashMap<&Text, Vec<Text>> = names
            .filter(|name| !said.contains(name.as_bytes()))
            .map(|name| (name, Vec::new()))
            .collect();
        if libraries.is_empty() {
            return Vec::new();
        }
        for library in &self.libraries {
            for template in &library.templates {
                let known = libraries.get_mut(&template.name);
                if let Some(known) = known.filter(|known| !known.contains(&library.name)) {
                    known.push(library.name.clone());
                }
            }
        }
        let several = new.iter().filter_map(|(name, _)| libraries.remove_entry(name));
        several.filter(|(_, it)| it.len() > 1).map(|(name, it)| (name.clone(), it)).collect()
    }

    /// Returns the objects of the layer, and whether they may be changed and deleted.
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

    /// Returns the numbers of an object that is in the list and in the layer.
    fn joined(&self, listed: Placement, before: Placement) -> Placement {
        match self.form {
            Form::Text => listed
                .with_bits_of(&before, |one, other| SixDecimals::of(one) == SixDecimals::of(other)),
            // The list keeps of a NaN only that it is a NaN.
            _ => listed.with_bits_of(&before, |one, other| one.is_nan() && other.is_nan()),
        }
    }
}

/// Layer and list, merged.
struct Merged {
    /// The objects of the layer at their positions ([`None`] for deleted ones), then the new objects; each with the
    /// hash of its template.
    objects: Vec<Option<(u32, Object)>>,
    imported: Imported,
}

/// The ids of new objects.
struct Ids {
    next: i32,
}

impl Ids {
    /// Returns ids above the layer's counter and above those of its objects: a counter may be too low.
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

/// Returns the fault of an unknown template.
#[cold]
fn unknown_template(name: &[u8], others: &OtherNames<'_>) -> Error {
    if is_blank(name) {
        let expected = "the name of a template";
        return Error::new(rule::LINE, 0, expected, "an empty name").within("template");
    }
    let expected = "a template that the layer or a template library has";
    let name = Text::from_bytes(name);
    let found = format!("\"{name}\"{}", question(&others.meant(&name.to_str())));
    Error::new(rule::TEMPLATE, 0, expected, found)
}

/// Returns the fault of an object's numbers. Numbers that the object has already are accepted.
///
/// An angle may have any number of turns and may be negative: it is a direction all the same, other programs write such
/// lists, and Terrain Builder's files have 360 beside 0.
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
            // The tree limits these.
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

/// Adds the number of its line to an error.
#[cold]
pub(super) fn at_line(error: Error, line: &Line<'_>) -> Error {
    error
        .shifted(line.offset)
        .under(vec![PathSegment::Field("line"), PathSegment::Index(line.number)].into())
}

/// Returns the fault of an object that has no place in the tree.
#[cold]
fn outside(grid: &Grid, line: &Line<'_>) -> Error {
    let BoundingBox { x0, y0, x1, y1 } = grid.root();
    let Placement { x, y, .. } = line.entry.placement;
    let expected = format!("x from {x0} to below {x1} and y from {y0} to below {y1}");
    at_line(Error::new(rule::PLACE, 0, expected, format!("{x}, {y}")), line)
}
