//! Damaged files: everything that was not damaged is found again, and nothing is made up.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::ops::Range;

use formwork::alb1::recover::{Recovered, recover};
use formwork::alb1::tree::{Item, Version, Walk};
use formwork::alb1::{self, Document, Field, FieldType, Object, Value};

use crate::corpus::each_sample;

/// Numbers that look random and are the same in every run: SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

/// An object of a whole file, and where it stands: its field with head, all of it.
struct Known<'d> {
    object: &'d Object,
    range: Range<usize>,
}

/// Where the sizes, counts and lengths of a file stand, and the objects.
#[derive(Default)]
struct Map<'d> {
    objects: Vec<Known<'d>>,
    /// The place of a length, how many bytes it has, and the field it belongs to.
    lengths: Vec<(usize, usize, Range<usize>)>,
}

impl<'d> Map<'d> {
    fn of(document: &'d Document, size: usize) -> Self {
        let mut map = Self::default();
        let end = map.fields(&document.root.fields, 0);
        // The fields of the root end where the file ends.
        let shift = size - end;
        for known in &mut map.objects {
            known.range = known.range.start + shift..known.range.end + shift;
        }
        for (at, _, range) in &mut map.lengths {
            *at += shift;
            *range = range.start + shift..range.end + shift;
        }
        map
    }

    fn fields(&mut self, fields: &'d [Field], start: usize) -> usize {
        fields.iter().fold(start, |at, field| self.field(field, at))
    }

    fn field(&mut self, field: &'d Field, start: usize) -> usize {
        let body = start + 3;
        let (end, lengths) = match &field.value {
            Value::Array(elements) => (self.fields(elements, body + 8), vec![(0, 4), (4, 4)]),
            Value::Raw(raw) => (body + 8 + raw.len(), vec![(0, 4), (4, 4)]),
            Value::Pair(pair) => (self.fields(&pair[..], body), vec![]),
            Value::String(text) => (body + 2 + text.as_bytes().len(), vec![(0, 2)]),
            Value::Object(object) => {
                let end = self.fields(&object.fields, body + 10);
                self.objects.push(Known { object, range: start..end });
                (end, vec![(0, 4)])
            }
            other => {
                let counted = matches!(
                    other.field_type(),
                    FieldType::ArrayOfFloat | FieldType::ArrayOfDouble
                );
                let size = match other {
                    Value::ArrayOfFloat(all) => 1 + 4 * all.len(),
                    Value::ArrayOfDouble(all) => 1 + 8 * all.len(),
                    other => other.field_type().extent(&[]).unwrap() as usize,
                };
                (body + size, if counted { vec![(0, 1)] } else { vec![] })
            }
        };
        for (offset, size) in lengths {
            self.lengths.push((body + offset, size, start..end));
        }
        end
    }
}

/// What is done to a file.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Kind {
    Cut,
    Zeroed,
    Flipped,
    Length,
}

const KINDS: [Kind; 4] = [Kind::Cut, Kind::Zeroed, Kind::Flipped, Kind::Length];

/// A damaged file, and which bytes are not what they were.
struct Damage {
    bytes: Vec<u8>,
    touched: Vec<Range<usize>>,
    /// For a wrong length: the field it is of; its content is whole.
    of: Option<Range<usize>>,
}

impl Damage {
    fn new(whole: &[u8], map: &Map<'_>, kind: Kind, seed: u64) -> Self {
        let mut random = Random(seed);
        let mut bytes = whole.to_vec();
        let (mut touched, mut of) = (Vec::new(), None);
        match kind {
            Kind::Cut => {
                let at = random.below(whole.len());
                bytes.truncate(at);
                touched.push(at..usize::MAX);
            }
            Kind::Zeroed => {
                let length = 1 + random.below(whole.len().min(4096) / 8);
                let at = random.below(whole.len() - length);
                bytes[at..at + length].fill(0);
                touched.push(at..at + length);
            }
            Kind::Flipped => {
                for _ in 0..1 + random.below(8) {
                    let at = random.below(whole.len());
                    bytes[at] ^= 1 + random.below(255) as u8;
                    touched.push(at..at + 1);
                }
            }
            Kind::Length => {
                let (at, size, range) = map.lengths[random.below(map.lengths.len())].clone();
                let old = bytes[at..at + size].to_vec();
                while bytes[at..at + size] == old {
                    // Close to the right one, far from it, or anything.
                    let wrong = match random.below(3) {
                        0 => random.next() & 0x3F,
                        1 => random.next() % whole.len() as u64,
                        _ => random.next(),
                    };
                    bytes[at..at + size].copy_from_slice(&wrong.to_le_bytes()[..size]);
                }
                touched.push(at..at + size);
                of = Some(range);
            }
        }
        Self { bytes, touched, of }
    }

    fn is_whole(&self, range: &Range<usize>) -> bool {
        !self.touched.iter().any(|touched| touched.start < range.end && range.start < touched.end)
    }

    /// Whether an object is to be found again.
    fn spared(&self, known: &Known<'_>) -> bool {
        let is_of = self.of.as_ref().is_some_and(|of| *of == known.range);
        self.is_whole(&known.range) && !is_of
    }
}

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
fn check(map: &Map<'_>, damage: &Damage, recovered: &Recovered, what: &dyn fmt::Display) -> (usize, usize) {
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
    assert!(renamed <= damaged, "{what}: {renamed} objects that were not there: {:#?}", recovered.lost);
    let found = map.objects.iter().filter(|known| {
        damage.spared(known) && found.contains(&known.object.address)
    });
    (found.count(), spared)
}

#[test]
fn real_files() {
    let mut table: BTreeMap<(String, Kind), Vec<f64>> = BTreeMap::new();
    let count = each_sample(|sample| {
        let end = sample.name.rsplit('.').next().unwrap_or_default().to_owned();
        let document = Document::from_slice(&sample.bytes).unwrap();
        let map = Map::of(&document, sample.bytes.len());
        let placed = Placed::of(&document);
        let mut shares = Vec::new();
        let seeds = if end == "tv4l" && std::env::var_os("FORMWORK_ALL").is_none() { 0..8 } else { 0..200 };
        for seed in seeds {
            let kind = KINDS[seed % 4];
            let damage = Damage::new(&sample.bytes, &map, kind, seed as u64);
            let recovered = recover(&damage.bytes);
            let what = format!("{} {kind:?} {seed}", sample.name);
            let (mut found, mut spared) = check(&map, &damage, &recovered, &what);
            if end == "tv4l" {
                let (f, s) = placed.check(&sample.bytes, &damage, &recovered, &what);
                (found, spared) = (found + f, spared + s);
            }
            if spared > 0 {
                let share = found as f64 / spared as f64;
                if share < 0.95 { println!("{what}: {found} of {spared} touched {:?}", damage.touched); }
                shares.push(share);
                table.entry((end.clone(), kind)).or_default().push(share);
            }
        }
        if !shares.is_empty() {
            let m = median(&mut shares);
            assert!(m >= 0.95, "{}: {m}", sample.name);
        }
    });
    for ((end, kind), mut shares) in table {
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        println!("{end} {kind:?}: median {:.4}, mean {mean:.4} of {}", median(&mut shares), shares.len());
    }
    println!("{count} real files");
}

fn median(shares: &mut [f64]) -> f64 {
    shares.sort_by(f64::total_cmp);
    shares[shares.len() / 2]
}

/// The objects in the quadtree of a layer.
#[derive(Default)]
struct Placed {
    version: Version,
    /// Template and record, and where they stand in the tree: the group's head and the record.
    objects: Vec<((u32, [u32; 10]), Range<usize>, Range<usize>)>,
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
    fn check(&self, whole: &[u8], damage: &Damage, recovered: &Recovered, what: &str) -> (usize, usize) {
        let start = whole.windows(64).position(|bytes| self.tree.starts_with(bytes)).unwrap();
        let moved = |range: &Range<usize>| range.start + start..range.end + start;
        let is_whole = |range: &Range<usize>| damage.is_whole(&moved(range));
        let mut left: HashMap<(u32, [u32; 10]), usize> = HashMap::new();
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
        assert!(count <= touched, "{what}: {count} placed objects that were not there, {touched} were touched");
        (found, spared)
    }
}

#[test]
fn scratch() {
    let Ok(spec) = std::env::var("SCRATCH") else { return };
    let mut words = spec.split(' ');
    let (name, kind, seed) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
    let kind = KINDS.into_iter().find(|k| format!("{k:?}") == kind).unwrap();
    each_sample(|sample| {
        if sample.name != name { return; }
        let document = Document::from_slice(&sample.bytes).unwrap();
        let map = Map::of(&document, sample.bytes.len());
        let damage = Damage::new(&sample.bytes, &map, kind, seed.parse().unwrap());
        println!("touched {:?} of {:?}", damage.touched, damage.of);
        let recovered = recover(&damage.bytes);
        println!("root {} {:#x}, {:?}", recovered.document.class_name(&recovered.document.root), recovered.document.root.address, recovered.error);
        for lost in &recovered.lost { println!("{lost}"); }
        for o in &recovered.orphans { println!("orphan {} {} {:?}", o.offset, o.path, o.field.value.as_object().map(|o| (o.class, o.address))); }
        let (f, s) = check(&map, &damage, &recovered, &"x");
        println!("{f} of {s}");
        for k in &map.objects { println!("{:?} class {} {:#x} spared {}", k.range, k.object.class, k.object.address, damage.spared(k)); }
    });
}
