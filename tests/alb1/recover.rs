//! Damaged files: everything that was not damaged is found again, and nothing is made up.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::time::{Duration, Instant};

use formwork::alb1::recover::{Reason, Recovered, recover};
use formwork::alb1::terrain::{ObjectLayer, Polygon, Root, Shape, ShapeLayer, Vertex};
use formwork::alb1::tree::{Colour, Grid, Item, Tree, Version, Walk};
use formwork::alb1::{self, Document, Field, Object, Text, Value};

use crate::corpus::each_sample;
use crate::damage::{Damage, KINDS, Kind, Known, Map, Random};

/// All objects of a rescued document, but the root.
fn objects(recovered: &Recovered) -> Vec<&Object> {
    let mut left: Vec<&Field> = recovered.document.root.fields.iter().collect();
    left.extend(recovered.orphans.iter().map(|orphan| &orphan.field));
    let mut found = Vec::new();
    while let Some(field) = left.pop() {
        match &field.value {
            Value::Array(elements) => left.extend(elements),
            Value::Pair(pair) => left.extend(&pair[..]),
            Value::Object(object) => {
                found.push(&**object);
                left.extend(&object.fields);
            }
            _ => {}
        }
    }
    found
}

/// How many of the objects that the damage spared were found, and how many it spared.
fn check(map: &Map<'_>, damage: &Damage, recovered: &Recovered, what: &str) -> (usize, usize) {
    let by_address: HashMap<u32, &Known<'_>> =
        map.objects.iter().map(|known| (known.object.address, known)).collect();
    let spared = map.objects.iter().filter(|known| damage.spared(known)).count();
    let mut renamed = 0;
    let mut found = HashSet::new();
    for object in objects(recovered) {
        let address = object.address;
        match by_address.get(&address) {
            Some(known) if !damage.spared(known) && found.insert(address) => {}
            Some(known) if object.is_identical(known.object) && found.insert(address) => {}
            // It has another address than it had, by chance that of another object.
            _ => renamed += 1,
        }
    }
    // Objects whose address was damaged have another one.
    let words = |known: &Known<'_>| known.range.start + 9..known.range.start + 13;
    let damaged = map.objects.iter().filter(|known| !damage.is_whole(&words(known))).count();
    assert!(
        renamed <= damaged,
        "{what}: {renamed} objects that were not there: {:#?}",
        recovered.lost
    );
    let found = map
        .objects
        .iter()
        .filter(|known| damage.spared(known) && found.contains(&known.object.address));
    (found.count(), spared)
}

/// A template and an object, by their bits.
type Bits = (u32, [u32; 10]);

/// The objects in the quadtree of a layer.
#[derive(Default)]
struct Placed {
    version: Version,
    /// Template and record, and where they stand in the tree: the group's head and the record.
    objects: Vec<(Bits, Range<usize>, Range<usize>)>,
    /// The tree itself.
    tree: Vec<u8>,
}

/// The bits of an object.
fn bits(object: &alb1::tree::Object) -> [u32; 10] {
    formwork::wire::Components::to_components(*object)
}

/// The quadtree of a layer, and its version.
fn tree_of(document: &Document) -> Option<(&[u8], Version)> {
    let tag = |name| document.tags.id(name).unwrap();
    let raw = document.root.get(tag("tree"))?.as_raw()?;
    let version = document.root.get(tag("mlayerVersion")).and_then(Value::as_integer);
    Some((raw, Version::of_layer_version(version.unwrap_or(4) as i32)))
}

impl Placed {
    fn of(document: &Document) -> Self {
        let Some((tree, version)) = tree_of(document) else { return Self::default() };
        let mut objects = Vec::new();
        for stop in Walk::new(tree, version) {
            let stop = stop.unwrap();
            let Item::Group { template, objects: group } = stop.item else { continue };
            for (index, object) in group.iter().enumerate() {
                let start = group.offset() + index * 40;
                let head = stop.offset..stop.offset + 8;
                objects.push(((template, bits(&object)), head, start..start + 40));
            }
        }
        Self { version, objects, tree: tree.to_vec() }
    }

    /// How many of the objects that the damage spared were found, and how many it spared.
    fn check(
        &self,
        whole: &[u8],
        damage: &Damage,
        recovered: &Recovered,
        what: &str,
    ) -> (usize, usize) {
        if self.tree.is_empty() {
            return (0, 0);
        }
        let start = whole.windows(64).position(|bytes| self.tree.starts_with(bytes)).unwrap();
        let moved = |range: &Range<usize>| range.start + start..range.end + start;
        let is_whole = |range: &Range<usize>| damage.is_whole(&moved(range));
        let mut left: HashMap<Bits, usize> = HashMap::new();
        let (mut count, mut touched) = (0, 0);
        if let Some((tree, _)) = tree_of(&recovered.document) {
            for object in alb1::tree::objects(tree, self.version) {
                let Ok((template, object)) = object else { break };
                *left.entry((template, bits(&object))).or_default() += 1;
                count += 1;
            }
        }
        let (mut found, mut spared) = (0, 0);
        for (object, head, record) in &self.objects {
            let is_spared = is_whole(head) && is_whole(record);
            let there = left.get_mut(object).filter(|times| **times > 0);
            spared += usize::from(is_spared);
            touched += usize::from(!is_spared);
            if let Some(times) = there {
                *times -= 1;
                count -= 1;
                found += usize::from(is_spared);
            }
        }
        assert!(
            count <= touched,
            "{what}: {count} placed objects that were not there, {touched} were touched"
        );
        (found, spared)
    }
}

/// Set, the layers are damaged as often as the other files. That takes half an hour.
const ALL: &str = "FORMWORK_RECOVER_ALL";

/// Shares of what was found, by the kinds of file and damage.
#[derive(Default)]
struct Shares {
    all: BTreeMap<(String, Kind), Vec<f64>>,
    longest: Duration,
}

impl Shares {
    /// Damages a file so many times.
    fn of(&mut self, name: &str, bytes: &[u8], times: u64) {
        let document = Document::from_slice(bytes).unwrap();
        let (map, placed) = (Map::of(&document, bytes.len()), Placed::of(&document));
        let end = name.rsplit('.').next().unwrap_or_default();
        let mut shares = Vec::new();
        for (seed, kind) in (0..times).zip(KINDS.into_iter().cycle()) {
            let damage = Damage::new(bytes, &map, kind, seed);
            let start = Instant::now();
            let recovered = recover(&damage.bytes);
            self.longest = self.longest.max(start.elapsed());
            let what = format!("{name} {kind:?} {seed}");
            // What was rescued is a document that can be written and read again.
            let rescued = recovered.document.to_vec().unwrap();
            let again = Document::from_slice(&rescued).unwrap();
            assert!(again.is_identical(&recovered.document), "{what}");
            let (found, spared) = check(&map, &damage, &recovered, &what);
            let (more_found, more_spared) = placed.check(bytes, &damage, &recovered, &what);
            if let spared @ 1.. = spared + more_spared {
                let share = (found + more_found) as f64 / spared as f64;
                shares.push(share);
                self.all.entry((end.to_owned(), kind)).or_default().push(share);
            }
        }
        let median = median(&mut shares);
        assert!(median >= 0.95, "{name}: {median}");
    }

    fn print(mut self) {
        for ((end, kind), shares) in &mut self.all {
            let (count, mean) = (shares.len(), shares.iter().sum::<f64>() / shares.len() as f64);
            let (median, least) = (median(shares), shares.first().copied().unwrap_or_default());
            println!(
                "{end} {kind:?}: {count} times, median {median:.4}, mean {mean:.4}, least {least:.4}"
            );
        }
        println!("longest: {:?}", self.longest);
    }
}

/// Sorts, and takes the middle; 1 where there was nothing to find.
fn median(shares: &mut [f64]) -> f64 {
    shares.sort_by(f64::total_cmp);
    shares.get(shares.len() / 2).copied().unwrap_or(1.0)
}

#[test]
fn real_files_lose_only_what_was_damaged() {
    let mut shares = Shares::default();
    let all = std::env::var_os(ALL).is_some();
    let count = each_sample(|sample| {
        let is_layer = sample.name.ends_with(".tv4l");
        shares.of(&sample.name, &sample.bytes, if is_layer && !all { 4 } else { 200 });
    });
    shares.print();
    println!("{count} real files");
}

/// A shape layer with so many polygons.
fn shapes(count: u32) -> Vec<u8> {
    let mut layer = ShapeLayer::new(Text::new("fields").unwrap());
    for number in 0..count {
        let corner = |x: u32| Vertex::at(f64::from(x + number), f64::from(number));
        let vertices = (0..3 + number % 9).map(corner).collect();
        let name = Text::new(&format!("field {number}")).unwrap();
        layer.shapes.push(Shape::Polygon(Polygon::new(name, vertices)));
    }
    layer.to_document().unwrap().to_vec().unwrap()
}

/// An object layer with so many objects.
fn layer(count: u32, version: Version) -> Vec<u8> {
    let mut random = Random(7);
    let objects: Vec<_> = (0..count)
        .map(|id| {
            let at = |number: u64| 1_000.0 + (number % 2_000) as f64;
            let (x, y) = (200_000.0 + at(random.next()), at(random.next()));
            let yaw = (random.next() % 360) as f32;
            (id % 7 + 1, alb1::tree::Object { x, y, yaw, scale: 1.0, id, ..Default::default() })
        })
        .collect();
    let grid = Grid::new(version, Grid::ROOTS[0]);
    let tree = Tree::build(&grid, objects, |_| Colour::from(0)).unwrap();
    let mut layer = ObjectLayer::new(Text::new("houses").unwrap(), 1).unwrap();
    layer.version = version.layer_version();
    layer.tree = tree.to_vec().unwrap().into();
    layer.object_count = count as i32;
    layer.next_object_id = count as i32;
    layer.to_document().unwrap().to_vec().unwrap()
}

#[test]
fn made_files_lose_only_what_was_damaged() {
    let mut shares = Shares::default();
    shares.of("made.tv4s", &shapes(40), 200);
    for version in [Version::V3, Version::V4] {
        shares.of("made.tv4l", &layer(500, version), 12);
    }
    shares.print();
}

#[test]
fn a_whole_file_is_what_it_was() {
    for bytes in [shapes(5), layer(20, Version::V4)] {
        let recovered = recover(&bytes);
        assert!(recovered.is_whole());
        assert_eq!(recovered.document.to_vec().unwrap(), bytes);
    }
}

#[test]
fn a_wrong_size_costs_nothing() {
    let bytes = shapes(10);
    let document = Document::from_slice(&bytes).unwrap();
    let map = Map::of(&document, bytes.len());
    let polygon = &map.objects.iter().rfind(|known| known.range.len() > 200).unwrap().range;
    let mut damaged = bytes.clone();
    damaged[polygon.start + 3..polygon.start + 7].copy_from_slice(&5_000_u32.to_le_bytes());
    let recovered = recover(&damaged);
    assert_eq!(recovered.document.to_vec().unwrap(), bytes);
    assert!(recovered.error.is_some() && recovered.orphans.is_empty());
    let [lost] = &recovered.lost[..] else { panic!("{:?}", recovered.lost) };
    assert_eq!(lost.reason, Reason::Size);
    assert_eq!(lost.range, (polygon.start + 3) as u64..(polygon.start + 7) as u64);
}

#[test]
fn objects_without_a_place_are_listed() {
    let bytes = shapes(10);
    let document = Document::from_slice(&bytes).unwrap();
    let map = Map::of(&document, bytes.len());
    // All but the vertices of the last polygon.
    let first = map.objects.iter().rfind(|known| known.range.len() < 60).unwrap();
    let damaged = &bytes[first.range.start - 200..];
    let recovered = recover(damaged);
    assert!(recovered.error.is_some());
    assert!(objects(&recovered).iter().any(|object| object.is_identical(first.object)));
}

#[test]
fn nothing_takes_long() {
    const SIZE: usize = 1 << 20;
    // What looks like the start of something at every other byte: heads of arrays, objects and pairs,
    // strings without an end, groups of a tree.
    let start = &Document::new("CLayer").to_vec().unwrap();
    let patterns: [&[u8]; 7] = [
        &[0],
        &[6, 0, 0x0D],
        &[7, 0, 0x0F],
        &[6, 0, 0x0B, 0xFF, 0xFF],
        &[0x32, 0, 0x0C, 0xFF, 0xFF, 0, 0, 9, 0, 0, 0],
        &[6, 0, 0x0D, 0xFF, 0xFF, 0xFF, 0, 7, 0, 1, 2, 3, 4, 0x2F, 0, 6, 1, 0, 0, 0, 0x27, 0, 0x0C],
        &[8, 0, 0x0D, 0xFF, 0xFF, 0, 0, 4, 0, 1, 2, 3, 4],
    ];
    for pattern in patterns {
        for start in [&start[..], &start[..40], &[]] {
            let rest = pattern.iter().copied().cycle().take(SIZE);
            let bytes: Vec<u8> = start.iter().copied().chain(rest).collect();
            let now = Instant::now();
            let recovered = recover(&bytes);
            let (took, seconds) = (now.elapsed(), now.elapsed().as_secs());
            println!("{pattern:?} behind {}: {took:?}, {} lost", start.len(), recovered.lost.len());
            assert!(seconds < 20, "{pattern:?} behind {} bytes", start.len());
        }
    }
}

#[test]
fn leaves_that_claim_the_rest_of_the_tree_do_not_take_long() {
    let bytes = layer(4_000, Version::V4);
    let document = Document::from_slice(&bytes).unwrap();
    let placed = Placed::of(&document);
    let start = bytes.windows(64).position(|some| placed.tree.starts_with(some)).unwrap();
    let mut damaged = bytes.clone();
    for (_, head, _) in &placed.objects {
        let left = (placed.tree.len() - head.end) / 40;
        let at = start + head.start;
        damaged[at..at + 4].copy_from_slice(&(left as u32).to_le_bytes());
    }
    let now = Instant::now();
    let recovered = recover(&damaged);
    println!("{:?}, {} lost", now.elapsed(), recovered.lost.len());
    assert!(now.elapsed() < Duration::from_secs(5));
}
