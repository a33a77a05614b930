//! Files of the enumeration that are refused: what random files show seldom, each once.

use formwork_alb1::terrain::{DATA, ITEM};
use formwork_alb1::{Document, FieldType, Raw, Value};
use formwork_variant::generate::interesting::COUNTS;

use super::breach::put;
use super::hostile::{FILE, TABLE};
use super::place::{File, SIZE, TABLE_COUNT};
use super::small::{self, judged};
use crate::case::Made;

/// The files, the empty one first.
pub(crate) fn refused() -> Vec<Made> {
    let mut all = vec![judged(FILE, Vec::new())];
    tables(&mut all);
    beyond(&mut all);
    all
}

/// Each table with counts that are wrong.
fn tables(all: &mut Vec<Made>) {
    let file = File::of(&small::document());
    for (table, entries) in &file.tables {
        let right = entries.len() as u32;
        for count in [0, right.saturating_sub(1), right + 1].iter().chain(COUNTS) {
            let mut bytes = file.bytes.clone();
            put(&mut bytes, table + TABLE_COUNT, &count.to_le_bytes());
            all.push(judged(TABLE, bytes));
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
                longer(all, field_type, &File::of(&document));
            }
        }
    }
}

/// The file with another size of the second field, which is the last one in the first.
fn longer(all: &mut Vec<Made>, field_type: FieldType, file: &File) {
    let Some(place) = file.place(1) else { return };
    let size = place.end - place.value - SIZE;
    for more in [1, 2, 3, 4, 7, 14] {
        let mut bytes = file.bytes.clone();
        put(&mut bytes, place.value, &((size + more) as u32).to_le_bytes());
        all.push(judged(field_type.variant(), bytes));
    }
}
