//! Unusual objects and pointers.

use arbitrary::{Result, Unstructured};
use formwork_alb1::terrain::{DATA, ITEM};
use formwork_alb1::{Document, Field, FieldType, ObjectPointer, Reader, Value};
use formwork_variant::generate::Config;

use super::super::nest::{FORMS, nested};
use super::{made, one, small, with};
use crate::case::Made;

/// An address of an object in the files here.
const ADDRESS: u32 = Document::FIRST_ADDRESS + 64;

fn pointer_to(address: u32) -> Field {
    let class = small::document().root.class;
    small::field(small::VALUE, ObjectPointer { class, address })
}

pub(super) fn repeated_addresses(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    let address = if u.arbitrary()? { Document::FIRST_ADDRESS } else { ADDRESS };
    let object = || small::object(address, vec![pointer_to(address)]);
    let around = small::object(address, vec![small::field(DATA, object())]);
    let list = Value::Array(vec![small::field(ITEM, object()), small::field(ITEM, object())]);
    let value = u.choose(&[object(), around, list])?.clone();
    let twice = [small::field(DATA, value), small::field(DATA, object())];
    Ok(made(FieldType::Object.variant(), &with(u, config, twice)?))
}

pub(super) fn null_address(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    if u.arbitrary()? {
        let mut document = with(u, config, [pointer_to(0)])?;
        document.root.address = 0;
        return Ok(made(small::ROOT_CLASS, &document));
    }
    let object = small::field(DATA, small::object(0, vec![pointer_to(0)]));
    one(u, config, FieldType::Object.variant(), object)
}

pub(super) fn pointer(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    // To nothing, to somewhere, to the root, to the object that it is in.
    let to = *u.choose(&[0, 1, u32::MAX, Document::FIRST_ADDRESS, ADDRESS, ADDRESS + 4])?;
    let fields = match u.int_in_range(0..=2_u8)? {
        0 => vec![pointer_to(to)],
        1 => vec![small::field(DATA, small::object(ADDRESS, vec![pointer_to(to)]))],
        // Two objects that point to each other.
        _ => vec![
            small::field(DATA, small::object(ADDRESS, vec![pointer_to(ADDRESS + 4)])),
            small::field(DATA, small::object(ADDRESS + 4, vec![pointer_to(ADDRESS)])),
        ],
    };
    Ok(made(FieldType::ObjectPointer.variant(), &with(u, config, fields)?))
}

pub(super) fn deep(u: &mut Unstructured<'_>, _: &Config) -> Result<Made> {
    let least = Reader::DEPTH / 2;
    let layers =
        if u.arbitrary()? { Reader::DEPTH - 1 } else { u.int_in_range(least..=Reader::DEPTH - 1)? };
    let mut forms = Vec::new();
    for _ in 0..u.int_in_range(1..=5_u8)? {
        forms.push(*u.choose(&FORMS)?);
    }
    let mut forms = forms.into_iter().cycle();
    let inner = small::field(DATA, Value::Empty);
    let field = nested(inner, layers, || forms.next().unwrap_or(FORMS[0]));
    let subject = field.value.field_type().variant();
    let mut document = small::document();
    document.root.fields.push(field);
    Ok(made(subject, &document))
}
