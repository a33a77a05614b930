//! Fresh addresses: none is 0, and none is given twice.

use formwork_alb1::{Addresses, Document, Field, Object, ObjectPointer, Value};

const ROOT: u32 = Document::FIRST_ADDRESS;

/// A document whose root is at the first of these addresses, and that has an object at each of the others, and pointers
/// to addresses.
fn document(objects: &[u32], pointers: &[u32]) -> Document {
    let mut document = Document::new("CLayer");
    let class = document.root.class;
    document.root.address = objects[0];
    let objects = objects[1..]
        .iter()
        .map(|&address| Field::new(3, Object { class, address, fields: Vec::new() }));
    let pointers = pointers.iter().map(|&address| Field::new(4, ObjectPointer { class, address }));
    document.root.fields = objects.chain(pointers).collect();
    document
}

#[test]
fn a_fresh_address_is_above_all_others_or_in_a_gap() {
    const TOP: u32 = u32::MAX - 3;
    let rows: &[(&[u32], &[u32], &[u32])] = &[
        // Objects, pointers, the next ones that are fresh.
        (&[ROOT], &[], &[ROOT + 4, ROOT + 8, ROOT + 12]),
        (&[0x20], &[], &[ROOT, ROOT + 4]),
        (&[ROOT - 1], &[], &[ROOT, ROOT + 4]),
        (&[ROOT, ROOT + 4], &[], &[ROOT + 8]),
        (&[ROOT + 8, ROOT], &[], &[ROOT + 12]),
        (&[ROOT + 1], &[], &[ROOT + 4]),
        (&[ROOT + 7], &[], &[ROOT + 8]),
        (&[ROOT], &[ROOT + 8], &[ROOT + 12]),
        (&[0], &[0], &[ROOT]),
        // Behind the last one it goes on below the others, and 0 is none of them.
        (&[TOP - 4], &[], &[TOP, 4, 8]),
        (&[TOP - 4, 4, 8, 16], &[], &[TOP, 12, 20]),
        (&[TOP - 4, 4, 8], &[12], &[TOP, 16]),
        (&[TOP - 5], &[5], &[TOP - 4, TOP, 4, 8]),
        // What is behind the last one that there can be has room below, too.
        (&[TOP], &[], &[ROOT, ROOT + 4]),
        (&[u32::MAX, ROOT], &[], &[ROOT + 4]),
    ];
    for (objects, pointers, expected) in rows {
        let mut addresses = Addresses::of(&document(objects, pointers));
        let found: Vec<_> = expected.iter().map(|_| addresses.fresh().unwrap()).collect();
        assert_eq!(found, *expected, "{objects:x?} {pointers:x?}");
    }
    // Where none is taken yet, 0 is still none.
    let mut none = Addresses::default();
    assert_eq!([none.fresh(), none.fresh()], [Some(4), Some(8)]);
}

#[test]
fn addresses_of_another_document_are_taken_too() {
    let mut addresses = Addresses::of(&document(&[ROOT], &[]));
    addresses.take(&document(&[ROOT + 8, ROOT + 0x20], &[ROOT + 0x40]));
    assert_eq!(addresses.fresh(), Some(ROOT + 0x44));
    // What is below what was given already does not lead back.
    addresses.take(&document(&[0x20], &[]));
    assert_eq!(addresses.fresh(), Some(ROOT + 0x48));
    addresses.take(&document(&[ROOT + 0x48 + 4], &[]));
    assert_eq!(addresses.fresh(), Some(ROOT + 0x50));
}

#[test]
fn renewed_objects_take_their_pointers_along_and_no_others() {
    let (class, tag) = (7, 3);
    let pointer = |address| Field::new(tag, ObjectPointer { class, address });
    let object = |address, fields| Object { class, address, fields };
    let inner = |own: u32, at: [u32; 3]| {
        let list = vec![pointer(at[0]), Field::new(tag, object(own, vec![pointer(at[1])]))];
        vec![Field::new(tag, Value::Array(list)), pointer(at[2])]
    };
    let mut addresses = Addresses::of(&document(&[ROOT], &[]));
    // Two in each other that point to each other, and to something else.
    let mut value = Value::from(object(0x20, inner(0x30, [0x30, 0x20, 0x99])));
    assert!(addresses.renew(&mut value));
    let [outer, new] = [ROOT + 4, ROOT + 8];
    assert_eq!(value, Value::from(object(outer, inner(new, [new, outer, 0x99]))));
    // A pointer alone leads where it led, and so does what has no object in it.
    let mut value = pointer(0x20).value;
    assert!(addresses.renew(&mut value));
    assert_eq!(value, pointer(0x20).value);
    let mut list = Value::Array(vec![pointer(0x30), Field::new(tag, object(0x30, Vec::new()))]);
    assert!(addresses.renew(&mut list));
    let third = ROOT + 12;
    assert_eq!(
        list,
        Value::Array(vec![pointer(third), Field::new(tag, object(third, Vec::new()))])
    );
}

#[test]
fn a_new_object_has_a_class_and_an_address_of_its_own() {
    let mut made = document(&[ROOT, ROOT + 0x10], &[ROOT + 0x20]);
    let known = made.new_object("CLayer").unwrap();
    assert_eq!(known, Object { class: made.root.class, address: ROOT + 0x24, fields: Vec::new() });
    let before = made.classes.clone();
    let new = made.new_object("CNew").unwrap();
    assert!(before.id("CNew").is_none());
    assert_eq!((made.classes.id("CNew"), new.address), (Some(new.class as u16), ROOT + 0x24));
    let after = made.classes.clone();
    assert_eq!(made.new_object("\u{65e5}"), None);
    assert_eq!(made.classes, after);
}
