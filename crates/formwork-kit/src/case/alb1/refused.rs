//! Files of the enumeration that are refused: what random files show seldom, each once.

use formwork_alb1::terrain::{DATA, ITEM};
use formwork_alb1::{Document, FieldType, Raw, Value};
use formwork_variant::generate::interesting::COUNTS;

use super::hostile::{FILE, TABLE};
use super::small::{self, judged};
use crate::Format;
use crate::case::Made;
use crate::tree::Tree;

/// The files, the empty one first.
pub(crate) fn refused() -> Vec<Made> {
    let mut all = vec![judged(FILE, Vec::new())];
    tables(&mut all);
    beyond(&mut all);
    all
}

/// Each table with counts that are wrong.
fn tables(all: &mut Vec<Made>) {
    let tree = Tree::of_vec(small::written(&small::document()), Format::Alb1);
    for count in ["tags", "classes"].iter().filter_map(|table| tree.at(&[table, "count"])) {
        let right = tree.node(count).map_or(0, |node| tree.raw(node) as u32);
        for wrong in [0, right.saturating_sub(1), right + 1].iter().chain(COUNTS) {
            let made = tree.with_number(count, u64::from(*wrong));
            all.extend(made.map(|bytes| judged(TABLE, bytes)));
        }
    }
}

/// Objects and arrays that reach beyond the one that they are in, within the file and beyond it.
fn beyond(all: &mut Vec<Made>) {
    let address = Document::FIRST_ADDRESS;
    let number = || small::field(DATA, Value::SignedInt(1));
    let inner = [
        small::object(address + 8, vec![number()]),
        Value::Array(vec![number()]),
        Value::Raw(Raw::from(vec![0xa5; 8])),
    ];
    for value in inner {
        let field_type = value.field_type();
        let field = small::field(ITEM, value);
        let around = [Value::Array(vec![field.clone()]), small::object(address + 4, vec![field])];
        for around in around {
            for behind in [0, 1, 3] {
                let mut document = small::document();
                document.root.fields.push(small::field(DATA, around.clone()));
                document.root.fields.extend((0..behind).map(|_| number()));
                longer(all, field_type, small::written(&document));
            }
        }
    }
}

/// The file with another size of the second field, which is the last one in the first.
fn longer(all: &mut Vec<Made>, field_type: FieldType, file: Vec<u8>) {
    let tree = Tree::of_vec(file, Format::Alb1);
    let fields = (0..tree.nodes.len()).filter(|&index| tree.measure_of(index).is_some());
    let Some(size) = fields.skip(1).find_map(|index| tree.measure_of(index)) else { return };
    let right = tree.value_of(size).unwrap_or_default();
    for more in [1, 2, 3, 4, 7, 14] {
        let made = tree.with_number(size.node, right + more);
        all.extend(made.map(|bytes| judged(field_type.variant(), bytes)));
    }
}
