//! Splits a layer into several.

use std::collections::{BTreeMap, HashMap};

use formwork::{Error, Result};
use formwork_alb1::Text;
use formwork_alb1::terrain::{Library, ObjectLayer};
use formwork_alb1::tree::{Colour, Rebuild};

use super::{Open, rule};
use crate::object_list::Filter;

/// The way to cut a layer.
#[derive(Clone, Debug)]
pub enum Cut {
    /// Into the objects that a filter selects and the rest.
    Filter(Filter),
    /// Into squares.
    Squares {
        /// The length of their sides, in metres.
        side: f64,
        /// A corner of one of them.
        corner: [f64; 2],
    },
}

/// The parts of a layer.
#[derive(Debug)]
pub struct Parts<'l> {
    layer: &'l ObjectLayer,
    open: Open,
    rebuild: Rebuild,
    /// The hash of the template of each object, in the order of the tree.
    hashes: Vec<u32>,
    /// The colours of the leaves, by their main templates.
    colours: HashMap<u32, Colour>,
    /// The names of the parts, and the positions of their objects.
    parts: Vec<(String, Vec<usize>)>,
}

impl std::fmt::Debug for Open {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Open").field("objects", &self.tree.objects.len()).finish_non_exhaustive()
    }
}

impl<'l> Parts<'l> {
    /// The greatest number of parts: each is a file of several megabytes.
    pub const MOST: usize = 1000;

    /// Cuts a layer. Parts without objects are left out.
    ///
    /// # Errors
    ///
    /// [`rule::NUMBER`] if squares have no size; [`rule::PARTS`] if there would be only one part or more than
    /// [`Parts::MOST`]; [`rule::PLACE`] if an object has no place among squares. Also returns an error if the layer's
    /// tree is broken.
    pub fn of(layer: &'l ObjectLayer, libraries: &[Library], cut: &Cut) -> Result<Self> {
        let open = Open::new(layer, libraries)?;
        let parts = match cut {
            Cut::Filter(filter) => {
                let (inside, outside): (Vec<_>, Vec<_>) =
                    open.selected(filter).into_iter().enumerate().partition(|(_, inside)| *inside);
                let positions =
                    |part: Vec<(usize, bool)>| part.into_iter().map(|(at, _)| at).collect();
                let named: [(String, Vec<usize>); 2] =
                    [("inside".into(), positions(inside)), ("outside".into(), positions(outside))];
                named.into_iter().filter(|(_, part)| !part.is_empty()).collect()
            }
            Cut::Squares { side, corner } => squares(&open, *side, *corner)?,
        };
        if let [] | [_] = parts[..] {
            let found = match &parts[..] {
                [(name, _)] if matches!(cut, Cut::Filter(_)) => format!("all objects {name}"),
                [(name, _)] => format!("all objects in the square {name}"),
                _ => "no object".into(),
            };
            return Err(Error::new(rule::PARTS, 0, "objects in two parts or more", found));
        }
        let rebuild = Rebuild::of(&open.tree).map_err(|error| error.within("tree"))?;
        let hashes = open.tree.placed().map(|(hash, _)| hash).collect();
        let colours = open.colours();
        Ok(Self { layer, open, rebuild, hashes, colours, parts })
    }

    /// Returns the names of the parts and the number of objects in each. A name is `inside` or `outside`, or the corner
    /// of a square, `x200000-y1024`.
    pub fn names(&self) -> impl ExactSizeIterator<Item = (&str, usize)> {
        self.parts.iter().map(|(name, objects)| (&**name, objects.len()))
    }

    /// Makes a part: the layer with another name, and with the objects of that part. Its list has all templates.
    /// [`None`] if there is no such part.
    ///
    /// # Errors
    ///
    /// No error is expected: objects of a tree fit into it again.
    pub fn part(&self, position: usize, name: Text) -> Option<Result<ObjectLayer>> {
        let (_, positions) = self.parts.get(position)?;
        let objects = positions.iter().filter_map(|&at| {
            let (hash, object) = (self.hashes.get(at)?, self.open.tree.objects.get(at)?);
            Some((*hash, *object))
        });
        let colour = |hash| {
            let fill = self.open.templates.fill_of(hash);
            fill.or_else(|| self.colours.get(&hash).copied()).unwrap_or(Colour::from(0))
        };
        let tree = self.rebuild.with(objects, colour).map_err(|error| error.within("tree"));
        Some(tree.and_then(|tree| {
            // (Without the position, two parts made in the same second would have the same number.)
            let id = self.layer.id.saturating_add(i32::try_from(position).unwrap_or_default());
            let mut part = ObjectLayer { name, id, ..self.layer.clone() };
            part.set_tree(&tree)?;
            Ok(part)
        }))
    }
}

fn squares(open: &Open, side: f64, corner: [f64; 2]) -> Result<Vec<(String, Vec<usize>)>> {
    if !(side.is_finite() && side >= 1.0 && corner.iter().all(|number| number.is_finite())) {
        let found = side.to_string();
        return Err(Error::new(rule::NUMBER, 0, "squares of a metre or more", found));
    }
    let mut squares: BTreeMap<[i64; 2], Vec<usize>> = BTreeMap::new();
    for (position, object) in open.tree.objects.iter().enumerate() {
        if !(object.x.is_finite() && object.y.is_finite()) {
            let found = format!("{}, {} for object {}", object.x, object.y, object.id);
            return Err(Error::new(rule::PLACE, 0, "a place with finite numbers", found));
        }
        let square = [object.x - corner[0], object.y - corner[1]];
        let square = square.map(|distance| (distance / side).floor() as i64);
        squares.entry(square).or_default().push(position);
        if squares.len() > Parts::MOST {
            let expected = format!("{} squares with objects at most", Parts::MOST);
            return Err(Error::new(rule::PARTS, 0, expected, "more: take larger ones"));
        }
    }
    let named = squares.into_iter().map(|([x, y], objects)| {
        let (x, y) = (corner[0] + x as f64 * side, corner[1] + y as f64 * side);
        (format!("x{x}-y{y}"), objects)
    });
    Ok(named.collect())
}
