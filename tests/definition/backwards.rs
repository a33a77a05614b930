//! What goes backwards through expressions: settled, made and computed values.

use formwork::document::{Document, Edit, Format, Json, RecordFormat};
use formwork::{BinRead, BinWrite, Block, Each, Schema, ToEnd, Until, Within, binrw, record};

/// Returns the bytes of a settled value.
fn settled<T: record::Declared>(mut value: T) -> Result<Vec<u8>, String> {
    record::settle(&mut value).map_err(|error| error.to_string())?;
    record::to_vec(&value).map_err(|error| format!("settled, and not written: {error}"))
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Table {
    count: u8,
    size: u8,
    #[br(count = count, args { inner: (size,) })]
    rows: Each<Row>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[br(import(size: u8))]
struct Row {
    mark: u8,
    #[br(count = size)]
    data: Block<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct List {
    of: u8,
    count: u8,
    #[br(count = count, args { inner: (of,) })]
    items: Each<Item>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[br(import(of: u8))]
enum Item {
    #[br(pre_assert(of == 1))]
    Byte(u8),
    #[br(pre_assert(of == 2))]
    Short(u16),
}

#[test]
fn what_does_not_settle_is_named_as_the_writer_names_it_and_stays_as_it_was() {
    let rows = |sizes: [usize; 2]| sizes.map(|size| Row { mark: 1, data: vec![7; size].into() });
    let mut table = Table { count: 9, size: 9, rows: rows([3, 1]).to_vec().into() };
    let before = table.clone();
    let error = record::settle(&mut table).unwrap_err();
    assert_eq!(error.path().to_string(), "rows[1].data", "{error}");
    assert_eq!(table, before);
    assert_eq!(
        settled(Table { rows: rows([2, 2]).to_vec().into(), ..before }).unwrap(),
        [2, 2, 1, 7, 7, 1, 7, 7]
    );
    let mut list = List { of: 9, count: 9, items: vec![Item::Byte(1), Item::Short(2)].into() };
    let before = list.clone();
    let error = record::settle(&mut list).unwrap_err();
    assert_eq!(error.path().to_string(), "items[1]", "{error}");
    assert_eq!(list, before);
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Telemetry {
    wide: u8,
    count: u8,
    #[br(count = count, args { inner: (wide,) })]
    samples: Each<Wide>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[br(import(wide: u8))]
struct Wide {
    at: u8,
    #[br(if(wide & 4 != 0))]
    second: Option<u16>,
}

#[test]
fn options_that_disagree_are_an_error_of_their_element() {
    let wide = |second| Wide { at: 1, second };
    let samples = vec![wide(Some(2)), wide(Some(3)), wide(None)];
    let error = settled(Telemetry { wide: 0x80, count: 0, samples: samples.into() }).unwrap_err();
    assert!(error.starts_with("samples[2].second: expected"), "{error}");
    // The bits that nothing is said of stay.
    let samples = vec![wide(Some(2))];
    let telemetry = Telemetry { wide: 0x80, count: 0, samples: samples.into() };
    assert_eq!(settled(telemetry).unwrap(), [0x84, 1, 1, 2, 0]);
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Flat {
    words: u8,
    #[br(calc = words * 2)]
    #[bw(ignore)]
    bytes: u8,
    #[br(count = bytes)]
    body: Block<u8>,
    #[br(calc = bytes > 4)]
    #[bw(ignore)]
    is_long: bool,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Twice {
    half: u8,
    #[br(calc = half * 2)]
    #[bw(ignore)]
    value: u8,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Nested {
    length: Twice,
    #[br(count = length.value)]
    body: Block<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Far {
    count: u8,
    #[br(count = count)]
    all: Each<Nested>,
    #[br(args { bytes: 1 })]
    around: Within<Twice>,
}

#[test]
fn computed_members_follow() {
    let mut flat: Flat = record::from_slice(&[1, 9, 9]).unwrap();
    flat.body.extend_from_slice(&[8, 8, 8, 8]);
    record::settle(&mut flat).unwrap();
    assert_eq!((flat.words, flat.bytes, flat.is_long), (3, 6, true));
    assert_eq!(record::to_vec(&flat).unwrap(), [3, 9, 9, 8, 8, 8, 8]);
    flat.is_long = false;
    assert!(record::to_vec(&flat).is_err());
    record::settle(&mut flat).unwrap();
    assert!(flat.is_long);

    let mut nested: Nested = record::from_slice(&[1, 7, 8]).unwrap();
    record::settle(&mut nested).unwrap();
    nested.body.extend_from_slice(&[9, 9]);
    record::settle(&mut nested).unwrap();
    assert_eq!((nested.length.half, nested.length.value), (2, 4));
    nested.body.push(1);
    let error = record::settle(&mut nested).unwrap_err().to_string();
    assert!(error.starts_with("body: expected 4 elements, found 5"), "{error}");

    let mut far: Far = record::from_slice(&[2, 0, 1, 7, 7, 5]).unwrap();
    far.all[0].body = vec![1, 2].into();
    far.around.half = 6;
    record::settle(&mut far).unwrap();
    assert_eq!((far.all[0].length.value, far.around.value), (2, 12));

    for faults in [
        record::audit::<Flat>(&[&[1, 9, 9], &[0]], 300).faults,
        record::audit::<Nested>(&[&[1, 9, 9]], 300).faults,
        record::audit::<Far>(&[&[2, 0, 1, 7, 7, 5]], 300).faults,
    ] {
        assert_eq!(faults, Vec::<String>::new());
    }
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
struct Short {
    head: u8,
    #[br(if(head & 31 == 24))]
    long: Option<u8>,
    #[br(calc = if head & 31 < 24 { head & 31 } else { long.unwrap_or(0) })]
    #[bw(ignore)]
    length: u8,
    #[br(count = length)]
    bytes: Block<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
struct Cbor {
    head: u8,
    #[br(if(head & 31 == 24))]
    long: Option<u8>,
    #[br(calc = if head & 31 < 24 { head & 31 } else { long.unwrap_or(0) })]
    #[bw(ignore)]
    length: u8,
    #[br(args(head, length))]
    body: Body,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[br(import(head: u8, length: u8))]
enum Body {
    #[br(pre_assert(head >> 5 == 3))]
    Text(#[br(count = length)] Block<u8>),
    #[br(pre_assert(head >> 5 == 1 && length < 5))]
    Few,
    Nothing,
}

#[test]
fn conditions_on_parts_of_one_number_hold_together() {
    let body = |length| Body::Text(vec![1; length].into());
    let cbor = |head, long, body| settled(Cbor { head, long, length: 0, body });
    assert_eq!(cbor(0, None, body(5)).unwrap(), [0x65, 1, 1, 1, 1, 1]);
    assert_eq!(cbor(0, Some(0), body(50)).unwrap()[..3], [0x78, 50, 1]);
    assert_eq!(cbor(0xff, None, Body::Few).unwrap().len(), 1);
    // The longer form appears where the shorter one has no room.
    assert_eq!(cbor(0, None, body(50)).unwrap()[..3], [0x78, 50, 1]);
    let error = cbor(0, None, body(256)).unwrap_err();
    assert!(error.contains("body"), "{error}");
    for seed in 0..2000 {
        for bytes in [record::generate_bytes::<Short>(seed), record::generate_bytes::<Cbor>(seed)] {
            bytes.unwrap();
        }
        let bytes = record::generate_bytes::<Short>(seed).unwrap();
        record::from_slice::<Short>(&bytes).unwrap();
        let bytes = record::generate_bytes::<Cbor>(seed).unwrap();
        record::from_slice::<Cbor>(&bytes).unwrap();
    }
    let audit = record::audit::<Cbor>(&[&[0x61, 7]], 500);
    assert_eq!((audit.faults, audit.never), (vec![], vec![]));
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Packet {
    id: u8,
    #[br(args { bytes: 16 })]
    body: Within<Content>,
    #[br(args { bytes: 8 })]
    shorts: Within<ToEnd<u16>>,
    #[br(args { bytes: 6 })]
    pairs: Within<ToEnd<Pair>>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Content {
    kind: u8,
    count: u8,
    #[br(count = count)]
    ids: Block<u16>,
    size: u8,
    #[br(args { bytes: size })]
    inner: Within<ToEnd<u8>>,
    data: ToEnd<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Pair {
    one: u8,
    two: u16,
}

#[test]
fn a_region_of_a_constant_size_is_filled() {
    let audit = record::audit::<Packet>(&[], 200).ok().unwrap();
    assert_eq!((audit.made, audit.never), (200, vec![]));
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Operation {
    opcode: u8,
    #[br(if(opcode == 0x54))]
    tuple: Option<u16>,
    #[br(if(opcode == 0x53))]
    text: Option<u8>,
    #[br(if(matches!(opcode, 0x60 | 0x61)))]
    more: Option<u8>,
    #[br(if(opcode >= 0xf0))]
    high: Option<u8>,
}

#[test]
fn conditions_that_exclude_each_other_are_all_made() {
    let mut counts = [0; 5];
    for seed in 0..1000 {
        let made = record::generate::<Operation>(seed).unwrap();
        let there =
            [made.tuple.is_some(), made.text.is_some(), made.more.is_some(), made.high.is_some()];
        counts[there.iter().position(|it| *it).unwrap_or(4)] += 1;
    }
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
}

fn first(bytes: &[u8; 5]) -> u8 {
    bytes[0]
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(last = first(&bytes) == 0xaa)]
struct Five {
    bytes: [u8; 5],
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Fives {
    records: Until<Five>,
}

#[test]
fn a_list_whose_end_cannot_be_made_does_not_go_on() {
    for seed in 0..50 {
        if let Ok(bytes) = record::generate_bytes::<Fives>(seed) {
            assert!(bytes.len() < 5 * 400, "{}", bytes.len());
        }
    }
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[br(import(left: u16))]
#[schema(deepest = 512)]
struct Chain {
    tag: u8,
    #[br(if(left > 1), args(left - 1))]
    rest: Option<Box<Chain>>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
struct Pool {
    #[br(assert(count > 0))]
    count: u16,
    #[br(args(count))]
    rest: Chain,
}

#[test]
fn the_count_of_a_tail_is_settled() {
    let mut pool: Pool = record::from_slice(&[0, 3, 7, 7, 7]).unwrap();
    pool.rest.rest.as_mut().unwrap().rest = None;
    assert_eq!(settled(pool).unwrap(), [0, 2, 7, 7]);
    let bytes = [[1, 0x2c].as_slice(), &[7; 300]].concat();
    let mut pool: Pool = record::from_slice(&bytes).unwrap();
    pool.count = 1;
    assert_eq!(settled(pool).unwrap(), bytes);
    record::audit::<Pool>(&[&[0, 3, 7, 7, 7]], 40).ok().unwrap();
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[schema(last = kind == 0)]
struct Tag {
    kind: u8,
    #[br(if(kind > 0))]
    length: Option<u8>,
    #[br(if(kind > 0), count = length.unwrap_or(0))]
    #[schema(terminated)]
    text: Option<Block<u8>>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Root {
    tags: Until<Tag>,
    #[schema(terminated)]
    name: [u8; 6],
}

fn edit(document: &mut dyn Document, path: &str, value: &str, adds: bool) -> Vec<u8> {
    let value = Json::read(value.as_bytes()).unwrap();
    document.edit(&[Edit::Set { path: path.into(), value, adds }]).unwrap();
    document.to_bytes()
}

#[test]
fn an_element_is_added_in_front_of_the_one_that_ends_its_list() {
    let format = RecordFormat::new::<Root>("root", "");
    let mut document = format.open(b"\x01\x03ab\0\0moon\0\0").unwrap();
    let bytes = edit(&mut *document, "tags/+", r#"{"kind":2,"length":2,"text":"c"}"#, true);
    assert_eq!(bytes, b"\x01\x03ab\0\x02\x02c\0\0moon\0\0");
}

#[test]
fn the_zero_at_the_end_of_a_text_is_not_in_its_json() {
    let format = RecordFormat::new::<Root>("root", "");
    let mut document = format.open(b"\x01\x03ab\0\0moon\0\0").unwrap();
    let json = r#"{"tags":[{"kind":1,"length":3,"text":"ab"},{"kind":0}],"name":"moon"}"#;
    assert_eq!(document.to_json().to_string(), json);
    assert_eq!(edit(&mut *document, "tags/0/text", r#""moon""#, false)[..7], *b"\x01\x05moon\0");
    // As it was written once.
    assert_eq!(edit(&mut *document, "tags/0/text", r#""a\u0000""#, false)[..4], *b"\x01\x02a\0");
    assert_eq!(edit(&mut *document, "name", r#""sun""#, false)[5..], *b"sun\0\0\0");
    for bytes in [
        &b"\x01\x02ab\0moon\0\0"[..],
        b"\x01\x03a\0\0\0moon\0\0",
        b"\x01\0\0moonxy",
        b"\x01\x01\0\0\0\0\0\0\0\0",
        b"\x01\x04a\0b\0\0moon\0\0",
    ] {
        let json = format.open(bytes).unwrap().to_json();
        assert_eq!(format.make(&json).unwrap().to_bytes(), bytes, "{json}");
    }
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Parallel {
    count: u8,
    #[br(count = count)]
    names: Each<Row0>,
    #[br(count = names.len())]
    sizes: Block<u16>,
    #[br(if(sizes.len() > 1), count = sizes.total())]
    bodies: Option<Block<u8>>,
    inner: Inner,
    #[br(count = inner.rest.len() * 2)]
    pairs: Block<u8>,
    all: Until<Tag>,
    #[br(count = all.len() - 1)]
    ids: Block<u8>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Row0 {
    mark: u8,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Inner {
    size: u8,
    #[br(args { bytes: size })]
    rest: Within<ToEnd<u8>>,
}

#[test]
fn a_count_may_be_the_length_of_another_list() {
    let good = b"\x02ab\x01\0\x02\0xyz\x01q\x01\x02\x01\x01\0\x00\x05";
    let mut value: Parallel = record::from_slice(good).unwrap();
    assert_eq!((value.sizes.len(), value.pairs.len(), value.ids.len()), (2, 2, 1));
    assert_eq!(record::to_vec(&value).unwrap(), good);
    let document = RecordFormat::new::<Parallel>("parallel", "").open(good).unwrap();
    let made = RecordFormat::new::<Parallel>("parallel", "").make(&document.to_json()).unwrap();
    assert_eq!(made.to_bytes(), good);
    value.sizes.push(0);
    assert_eq!(
        record::to_vec(&value).unwrap_err().to_string(),
        "sizes: expected 2 elements, found 3 (inexpressible, rule record.agreement)"
    );
    let audit = record::audit::<Parallel>(&[good], 300).ok().unwrap();
    assert!(audit.made > 200, "{audit}");
}

/// A region of constant size, whose last field is there or not.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct Regions {
    #[br(args { bytes: 4 })]
    short: Within<OneOrTwo>,
    #[br(args { bytes: 8 })]
    long: Within<OneOrTwo>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
struct OneOrTwo {
    one: u32,
    two: formwork::OrEnd<u32>,
}

#[test]
fn what_may_be_missing_is_left_out_at_the_end_of_a_region() {
    let bytes = b"\x01\0\0\0\x02\0\0\0\x03\0\0\0";
    let audit = record::audit::<Regions>(&[bytes], 200).ok().unwrap_or_else(|it| panic!("{it}"));
    assert_eq!(audit.never, ["OneOrTwo.two"; 0], "{audit}");
    assert_eq!(record::from_slice::<Regions>(bytes).unwrap().short.two.0, None);
}
