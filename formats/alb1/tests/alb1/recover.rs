//! Damaged files: all intact parts are found again, and nothing is invented.

use formwork_alb1::recover::{Lost, Reason, Recovered, recover, recover_within};
use formwork_alb1::terrain::{ObjectLayer, Polygon, Root, Shape, ShapeLayer, Vertex};
use formwork_alb1::tree::{Colour, Grid, Tree, TreeItem, TreeWalk, Version};
use formwork_alb1::{Document, Field, Object, Reader, Text, Value};
use formwork_records::limits::Limits;
use formwork_testkit::Noise;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::time::Duration;

use crate::corpus::each_sample;
use crate::damage::{Damage, KINDS, Kind, Known, Map, is_plain};

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

/// The recovered objects that one damage spared, and the changed ones.
#[derive(Clone, Copy, Default)]
struct Count {
    /// Objects that the damage spared.
    spared: usize,
    /// The spared objects that were found unchanged.
    found: usize,
    /// Objects that changed, each with bytes that were damaged.
    changed: usize,
    /// The changed objects without a mark: bytes of values were damaged, which cannot be detected.
    unmarked: usize,
}

/// Checks the recovered objects of a document. Every changed object must be damaged, and marked if the damage is
/// visible: unless the whole file still reads, or the object has the same fields as before.
fn check(map: &Map<'_>, damage: &Damage, recovered: &Recovered, what: &str) -> Count {
    let by_address: HashMap<u32, &Known<'_>> =
        map.objects.iter().map(|known| (known.object.address, known)).collect();
    let mut count = Count::default();
    let (mut renamed, mut found) = (0, HashSet::new());
    // New objects are listed; by chance they have the address of one that was lost.
    let (put, values) = put_in(recovered);
    let is_own = |object: &&Object| !put.contains(&std::ptr::from_ref(*object));
    for object in objects(recovered).into_iter().filter(is_own) {
        let address = object.address;
        match by_address.get(&address) {
            Some(known)
                if without(object, &values).is_identical(known.object) && found.insert(address) => {
            }
            Some(known) if !damage.spared(known) && found.insert(address) => {
                count.changed += 1;
                let foreign = foreign(object, known, &values);
                let touched = known.values.iter().filter(|at| !damage.is_whole(at)).count();
                assert!(
                    foreign <= touched,
                    "{what}: {foreign} values of {address:#x} are not its own, {touched} were damaged: \
                     {object:#?} {:#?}",
                    known.object
                );
                let is_marked = is_marked(recovered, &known.range);
                count.unmarked += usize::from(!is_marked);
                assert!(
                    is_marked || recovered.error.is_none() || has_same_shape(object, known.object),
                    "{what}: {address:#x} has other fields, and nothing says so: {:#?}",
                    recovered.lost
                );
            }
            // The object has a new address, by chance that of another object.
            _ => renamed += 1,
        }
    }
    count.changed += renamed;
    // Objects whose address was damaged have another one.
    let words = |known: &Known<'_>| known.range.start + 9..known.range.start + 13;
    let damaged = map.objects.iter().filter(|known| !damage.is_whole(&words(known))).count();
    assert!(
        renamed <= damaged,
        "{what}: {renamed} objects that were not there: {:#?}",
        recovered.lost
    );
    for known in map.objects.iter().filter(|known| damage.spared(known)) {
        count.spared += 1;
        count.found += usize::from(found.contains(&known.object.address));
    }
    count
}

/// The new objects that were put in where one was missing, with those in them; and all values that were.
fn put_in(recovered: &Recovered) -> (HashSet<*const Object>, HashSet<*const Value>) {
    let (mut put, mut values) = (HashSet::new(), HashSet::new());
    let listed = recovered.lost.iter().filter(|lost| lost.reason == Reason::Default);
    for lost in listed {
        let (fields, _) = lost.thought.rsplit_once(" of ").unwrap();
        for field in fields.split(", ") {
            let (name, _) = field.split_once(' ').unwrap();
            let dot = if lost.path.is_empty() { "" } else { "." };
            let path = format!("{}{dot}{name}", lost.path);
            // Only of the arrays `libs` of a layer there are two; no plain value is in them.
            let Ok(value) = recovered.document.get(&path) else { continue };
            values.insert(std::ptr::from_ref(value));
            let mut left: Vec<_> = value.as_object().into_iter().collect();
            while let Some(object) = left.pop() {
                put.insert(std::ptr::from_ref(object));
                left.extend(object.fields.iter().filter_map(|field| field.value.as_object()));
            }
        }
    }
    (put, values)
}

/// An object without the values that were put in, be it into objects in it: where a name in the table
/// of tags is damaged, every object of a class lacks the field.
fn without(object: &Object, put: &HashSet<*const Value>) -> Object {
    fn kept(fields: &[Field], put: &HashSet<*const Value>) -> Vec<Field> {
        let own = fields.iter().filter(|field| !put.contains(&std::ptr::from_ref(&field.value)));
        own.map(|field| {
            let value = match &field.value {
                Value::Object(object) => Value::Object(Box::new(without(object, put))),
                Value::Array(elements) => Value::Array(kept(elements, put)),
                Value::Pair(pair) => {
                    let pair: Result<Box<[Field; 2]>, _> = kept(&pair[..], put).try_into();
                    pair.map_or_else(|_| Value::Empty, Value::Pair)
                }
                value => value.clone(),
            };
            Field { value, ..field.clone() }
        })
        .collect()
    }
    Object { fields: kept(&object.fields, put), ..object.clone() }
}

/// How many plain values of an object it did not have.
fn foreign(object: &Object, known: &Known<'_>, put: &HashSet<*const Value>) -> usize {
    let mut own: Vec<&Field> = known.object.fields.iter().collect();
    let plain = object.fields.iter().filter(|field| is_plain(&field.value));
    // A count of the recovered elements differs if others were damaged.
    let counts = |field: &&Field| {
        let length = |it: &Field| it.value.as_array().map(|elements| elements.len() as i64);
        let said = field.value.as_integer();
        said.is_some() && object.fields.iter().any(|it| length(it) == said)
    };
    plain
        .filter(|field| !put.contains(&std::ptr::from_ref(&field.value)) && !counts(field))
        .filter(|field| {
            let same = |own: &&Field| own.tag == field.tag && own.value.is_identical(&field.value);
            own.iter().position(same).map(|at| own.swap_remove(at)).is_none()
        })
        .count()
}

/// Returns whether the rescue reports bytes of this range.
fn is_marked(recovered: &Recovered, range: &Range<usize>) -> bool {
    recovered
        .lost
        .iter()
        .any(|lost| lost.range.start <= range.end as u64 && range.start as u64 <= lost.range.end)
}

/// Whether two objects have the same fields with other values.
fn has_same_shape(one: &Object, other: &Object) -> bool {
    let shape = |object: &Object| -> Vec<_> {
        object.fields.iter().map(|field| (field.tag, field.value.field_type())).collect()
    };
    one.class == other.class && shape(one) == shape(other)
}

/// A template and an object, by their bits.
type WordPart = (u32, [u32; 10]);

/// The objects in the quadtree of a layer.
#[derive(Default)]
struct Placed {
    version: Version,
    /// Template and record, and their ranges in the tree: the group's head and the record.
    objects: Vec<(WordPart, Range<usize>, Range<usize>)>,
    /// The tree itself.
    tree: Vec<u8>,
}

/// The bits of an object.
fn bits(object: &formwork_alb1::tree::Object) -> [u32; 10] {
    formwork_records::wire::Components::to_components(*object)
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
        for stop in TreeWalk::new(tree, version) {
            let stop = stop.unwrap();
            let TreeItem::Group { template, objects: group } = stop.item else { continue };
            for (index, object) in group.iter().enumerate() {
                let start = group.offset() + index * 40;
                let head = stop.offset..stop.offset + 8;
                objects.push(((template, bits(&object)), head, start..start + 40));
            }
        }
        Self { version, objects, tree: tree.to_vec() }
    }

    /// Checks the recovered objects of the tree. Every changed object must be in the damaged file exactly as
    /// recovered, in the place of an object whose bytes, or those of its group, were damaged.
    fn check(&self, whole: &[u8], damage: &Damage, recovered: &Recovered, what: &str) -> Count {
        let mut count = Count::default();
        if self.tree.is_empty() {
            return count;
        }
        let start = whole.windows(64).position(|bytes| self.tree.starts_with(bytes)).unwrap();
        let moved = |range: &Range<usize>| range.start + start..range.end + start;
        let is_whole = |range: &Range<usize>| damage.is_whole(&moved(range));
        let mut left: HashMap<WordPart, usize> = HashMap::new();
        if let Some((tree, version)) = tree_of(&recovered.document) {
            let version = if TreeWalk::new(tree, version).all(|stop| stop.is_ok()) {
                version
            } else {
                self.version
            };
            for object in formwork_alb1::tree::objects(tree, version) {
                let Ok((template, object)) = object else { break };
                *left.entry((template, bits(&object))).or_default() += 1;
            }
        }
        let mut take = |bits: &WordPart| {
            let times = left.get_mut(bits).filter(|times| **times > 0);
            times.map(|times| *times -= 1).is_some()
        };
        let mut damaged = Vec::new();
        for (object, head, record) in &self.objects {
            let is_spared = is_whole(head) && is_whole(record);
            let is_there = take(object);
            count.spared += usize::from(is_spared);
            count.found += usize::from(is_spared && is_there);
            if !is_spared && !is_there {
                damaged.push((object.0, moved(head), moved(record)));
            }
        }
        for (template, head, record) in damaged {
            let word = |at: usize| -> Option<u32> {
                let bytes = damage.bytes.get(at..at + 4)?;
                Some(u32::from_le_bytes(bytes.try_into().unwrap()))
            };
            let mut now = [0; 10];
            for (index, to) in now.iter_mut().enumerate() {
                *to = word(record.start + index * 4).unwrap_or_default();
            }
            let templates = [word(head.start + 4).unwrap_or_default(), template];
            if templates.into_iter().any(|template| take(&(template, now))) {
                count.changed += 1;
                count.unmarked += usize::from(!is_marked(recovered, &record));
            }
        }
        let made_up = left.values().sum::<usize>();
        assert_eq!(made_up, 0, "{what}: placed objects that were not there");
        count
    }
}

/// The shares of the recovered objects, by the kinds of file and damage.
#[derive(Default)]
struct Shares {
    all: BTreeMap<(String, Kind), Vec<f64>>,
    counts: BTreeMap<(String, Kind), Count>,
    longest: Duration,
}

impl Shares {
    /// Damages a file `times` times.
    fn of(&mut self, name: &str, bytes: &[u8], times: u64) {
        let document = Document::from_slice(bytes).unwrap();
        let (map, placed) = (Map::of(&document, bytes.len()), Placed::of(&document));
        let end = name.rsplit('.').next().unwrap_or_default();
        let mut shares = Vec::new();
        for (seed, kind) in (0..times).zip(KINDS.into_iter().cycle()) {
            let damage = Damage::new(bytes, &map, kind, seed);
            let (recovered, cost) = formwork_testkit::cost(|| recover(&damage.bytes));
            self.longest = self.longest.max(cost);
            let what = format!("{name} {kind:?} {seed}");
            // What was rescued is a document that can be written and read again.
            let rescued = recovered.document.to_vec().unwrap();
            let again = recover(&rescued);
            assert!(again.document.is_identical(&recovered.document), "{what}");
            let is_kept = |lost: &Lost| lost.thought.ends_with("kept as it is");
            let is_whole = again.is_whole() || recovered.lost.iter().any(is_kept);
            assert!(is_whole, "{what}: {:?} {:#?}", again.error, again.lost);
            let inside = check(&map, &damage, &recovered, &what);
            let in_tree = placed.check(bytes, &damage, &recovered, &what);
            let key = (end.to_owned(), kind);
            let sum = self.counts.entry(key.clone()).or_default();
            sum.changed += inside.changed + in_tree.changed;
            sum.unmarked += inside.unmarked + in_tree.unmarked;
            if let spared @ 1.. = inside.spared + in_tree.spared {
                let share = (inside.found + in_tree.found) as f64 / spared as f64;
                shares.push(share);
                self.all.entry(key).or_default().push(share);
            }
        }
        let median = median(&mut shares);
        assert!(median >= 0.95, "{name}: {median}");
    }

    fn print(mut self) {
        for (key @ (end, kind), shares) in &mut self.all {
            let Count { changed, unmarked, .. } = self.counts.get(key).copied().unwrap_or_default();
            let (count, mean) = (shares.len(), shares.iter().sum::<f64>() / shares.len() as f64);
            let (median, least) = (median(shares), shares.first().copied().unwrap_or_default());
            println!(
                "{end} {kind:?}: {count} times, median {median:.4}, mean {mean:.4}, least {least:.4}; \
                 {changed} objects not as they were, {unmarked} of them unmarked"
            );
        }
        println!("longest: {:?}", self.longest);
    }
}

/// Returns the median; 1 if there are no values.
fn median(shares: &mut [f64]) -> f64 {
    shares.sort_by(f64::total_cmp);
    shares.get(shares.len() / 2).copied().unwrap_or(1.0)
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn real_files_lose_only_what_was_damaged() {
    let mut shares = Shares::default();
    let count = each_sample(|sample| {
        let is_layer = sample.name.ends_with(".tv4l");
        shares.of(
            &sample.name,
            &sample.bytes,
            if is_layer {
                formwork_testkit::rounds(4, 20)
            } else {
                formwork_testkit::rounds(40, 200)
            },
        );
    });
    shares.print();
    println!("{count} real files");
}

/// Returns a shape layer with `count` polygons.
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

/// Returns an object layer with `count` objects.
fn layer(count: u32, version: Version) -> Vec<u8> {
    let mut noise = Noise::new(7);
    let objects: Vec<_> = (0..count)
        .map(|id| {
            let at = |number: u64| 1_000.0 + (number % 2_000) as f64;
            let (x, y) = (200_000.0 + at(noise.number()), at(noise.number()));
            let yaw = (noise.number() % 360) as f32;
            (
                id % 7 + 1,
                formwork_alb1::tree::Object { x, y, yaw, scale: 1.0, id, ..Default::default() },
            )
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
            let (recovered, cost) = formwork_testkit::cost(|| recover(&bytes));
            println!("{pattern:?} behind {}: {cost:?}, {} lost", start.len(), recovered.lost.len());
            assert!(cost.as_secs() < 20, "{pattern:?} behind {} bytes", start.len());
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
    let (recovered, cost) = formwork_testkit::cost(|| recover(&damaged));
    println!("{cost:?}, {} lost", recovered.lost.len());
    assert!(cost < Duration::from_secs(5), "{cost:?}");
}

#[test]
fn a_damaged_box_of_the_root_is_that_of_the_grid_again() {
    let bytes = layer(20, Version::V4);
    let placed = Placed::of(&Document::from_slice(&bytes).unwrap());
    let root = bytes.windows(64).position(|some| placed.tree.starts_with(some)).unwrap();
    let mut damaged = bytes.clone();
    // No kind of node, and a west border that is not quite 0: most boxes of that grid are those of the other.
    damaged[root] = 7;
    damaged[root + 3] ^= 0x40;
    assert_eq!(recover(&damaged).document.to_vec().unwrap(), bytes);
}

#[test]
fn limits_hold_as_for_the_reader() {
    let bytes = shapes(3);
    let size = bytes.len() as u64;
    let limits = Limits::default();
    for (most, is_read) in [(size, true), (size - 1, false)] {
        let limits = limits.packet_bytes(most);
        let reader = Reader::new().limits(limits).read(&bytes);
        assert_eq!(reader.is_ok(), is_read);
        let recovered = recover_within(&bytes, limits);
        assert_eq!(recovered.as_ref().err(), reader.as_ref().err());
        assert!(recovered.is_ok_and(|recovered| recovered.is_whole()) == is_read);
    }
    let damaged = &bytes[..bytes.len() - 1];
    for depth in 0..12 {
        let limits = limits.depth(depth);
        let is_read = Reader::new().limits(limits).read(&bytes).is_ok();
        for bytes in [&bytes, damaged] {
            let recovered = recover_within(bytes, limits).unwrap();
            // What was rescued can be read within the same limits.
            let rescued = recovered.document.to_vec().unwrap();
            let again = Reader::new().limits(limits).read(&rescued).unwrap();
            assert!(again.is_identical(&recovered.document), "{depth}");
            assert!(
                is_read || recovered.lost.iter().any(|lost| lost.thought.contains("may be read"))
            );
        }
    }
}

/// The pairs of the two arrays `libs` of a layer.
fn libraries(document: &Document) -> [Option<Vec<Field>>; 2] {
    let mut all = document.root.all(document.tags.id("libs").unwrap());
    [all.next(), all.next()].map(|value| value.and_then(Value::as_array).map(<[Field]>::to_vec))
}

#[test]
fn templates_do_not_take_the_place_of_libraries() {
    let mut document = Document::from_slice(&layer(20, Version::V4)).unwrap();
    let mut layer = ObjectLayer::of(&document).unwrap();
    let text = |name: &str| Text::new(name).unwrap();
    let hash = |name: &str| formwork_alb1::terrain::hash(name.as_bytes()) as i32;
    layer.libraries = [(text("houses"), hash("houses"))].into_iter().collect();
    layer.templates =
        ["barn", "shed", "tower"].map(|name| (text(name), hash("houses"))).into_iter().collect();
    layer.store_in(&mut document).unwrap();
    let whole = libraries(&document);
    let [libraries_whole, templates_whole] = &whole;
    let bytes = document.to_vec().unwrap();
    let tag = document.tags.id("libs").unwrap().to_le_bytes();
    let head = [tag[0], tag[1], 0x0C];
    let heads: Vec<usize> =
        (0..bytes.len() - 3).filter(|&at| bytes[at..].starts_with(&head)).collect();
    let &[first, second] = &heads[..] else { panic!("{heads:?}") };
    // The first array is gone.
    let mut damaged = bytes.clone();
    damaged[first..second].fill(0xEE);
    let recovered = recover(&damaged);
    assert_eq!(libraries(&recovered.document), [Some(Vec::new()), templates_whole.clone()]);
    assert!(recovered.lost.iter().any(|lost| lost.reason == Reason::Rebuilt));
    // The first array is cut out, and so is the end of the file: otherwise the cut could not be detected.
    let damaged = [&bytes[..first], &bytes[second..bytes.len() - 1]].concat();
    assert_eq!(libraries(&recover(&damaged).document), [Some(Vec::new()), templates_whole.clone()]);
    // The head of the second one is gone.
    let mut damaged = bytes.clone();
    damaged[second..second + 11].fill(0xEE);
    assert_eq!(libraries(&recover(&damaged).document), whole);
    // The second one is gone.
    assert_eq!(
        libraries(&recover(&bytes[..second]).document),
        [libraries_whole.clone(), Some(Vec::new())]
    );
}

#[test]
fn counts_are_those_of_what_was_found_and_the_old_ones_are_listed() {
    let bytes = shapes(1);
    let document = Document::from_slice(&bytes).unwrap();
    let map = Map::of(&document, bytes.len());
    let vertex = &map.objects[1].range;
    let mut damaged = bytes.clone();
    damaged[vertex.clone()].fill(0);
    let recovered = recover(&damaged);
    let doubted = recovered.lost.iter().find(|lost| lost.reason == Reason::Doubtful).unwrap();
    assert_eq!(doubted.thought, "mnVertexCount is 3, mpVertices has 2 elements");
    let read = ShapeLayer::of(&recovered.document).unwrap();
    assert_eq!((read.shapes[0].vertex_count(), read.shapes[0].vertices().len()), (Some(2), 2));

    let layer = layer(100, Version::V4);
    let placed = Placed::of(&Document::from_slice(&layer).unwrap());
    let start = layer.windows(64).position(|some| placed.tree.starts_with(some)).unwrap();
    let (_, _, last) = placed.objects.last().unwrap();
    let recovered = recover(&layer[..start + last.start]);
    let doubted = recovered.lost.iter().find(|lost| lost.thought.contains("100 objects")).unwrap();
    assert_eq!(
        (doubted.reason, doubted.path.to_string()),
        (Reason::Doubtful, "objectCount".into())
    );
    let read = ObjectLayer::of(&recovered.document).unwrap();
    let has = formwork_alb1::tree::objects(&read.tree, read.tree_version()).count();
    assert!(has < 100 && has > 0);
    assert_eq!(read.object_count as usize, has);
    let placed = recovered.placed.unwrap();
    assert_eq!((placed.kept, placed.said), (has as u64, Some(100)));
}
