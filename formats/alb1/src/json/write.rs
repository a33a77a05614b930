//! Documents to JSON.

use std::borrow::Cow;
use std::collections::HashMap;

use super::tree::{self, Trees};
use super::{LOST, TERRAIN_BUILDER};
use crate::recover::{Lost, Orphan, Recovered};
use crate::tree::Version;
use crate::{Document, Field, FieldNumber, NumberSink, Object, OwnValue, Table, Value, dictionary};
use formwork::Result;
use formwork_records::json::number::Scalar;
use formwork_records::json::output::{Bracket, Output};

/// Writes the document; `between` is called now and then with what is written so far, and may take
/// it. The caller has made sure that nothing is too deep.
pub(super) fn document(
    document: &Document,
    trees: Option<Trees>,
    recovered: Option<&Recovered>,
    out: &mut Output,
    between: &mut dyn FnMut(&mut Output) -> Result<()>,
) -> Result<()> {
    let Document { header, tags, classes, root } = document;
    out.open(Bracket::Object);
    out.name("$alb1");
    out.open(Bracket::Object);
    for (name, number) in [("version", header.version), ("project_version", header.project_version)]
    {
        out.name(name);
        out.number(number);
    }
    if let reserved @ 1.. = header.reserved {
        out.name("reserved");
        out.number(reserved);
    }
    for (name, table, known) in
        [("tags", tags, dictionary::tags()), ("classes", classes, dictionary::classes())]
    {
        out.name(name);
        write_table(table, &known, out);
        between(out)?;
    }
    out.name("root");
    let mut writer = Writer { tags: names(tags), classes: names(classes), trees, between };
    writer.object(root, out)?;
    if let Some(recovered) = recovered {
        writer.lost(recovered, out)?;
    }
    out.close();
    out.close();
    Ok(())
}

/// Writes what a field of the document holds.
pub(super) fn value(
    document: &Document,
    value: &Value,
    out: &mut Output,
    between: &mut dyn FnMut(&mut Output) -> Result<()>,
) -> Result<()> {
    if *value == Value::Empty {
        // In a field the member is left out.
        out.null();
        return Ok(());
    }
    let (tags, classes) = (names(&document.tags), names(&document.classes));
    Writer { tags, classes, trees: None, between }.value(value, out)
}

fn write_table(table: &Table, known: &Table, out: &mut Output) {
    if table == known {
        return out.string(TERRAIN_BUILDER);
    }
    out.open(Bracket::List);
    for (id, name) in table.entries() {
        out.open_flat(Bracket::List);
        out.number(id);
        out.string(&name.to_str());
        out.close();
    }
    out.close();
}

/// The names that lead back to their ids.
fn names(table: &Table) -> HashMap<u16, Cow<'_, str>> {
    let first = table.entries().filter(|(id, name)| table.name(*id) == Some(*name));
    let names = first.map(|(id, name)| (id, name.to_str()));
    names.filter(|(id, name)| table.id(name) == Some(*id)).collect()
}

struct Writer<'d> {
    tags: HashMap<u16, Cow<'d, str>>,
    classes: HashMap<u16, Cow<'d, str>>,
    /// Raw arrays that are written as trees.
    trees: Option<Trees>,
    between: &'d mut dyn FnMut(&mut Output) -> Result<()>,
}

impl Writer<'_> {
    fn object(&mut self, object: &Object, out: &mut Output) -> Result<()> {
        let Object { class, address, fields } = object;
        out.open_flat(Bracket::Object);
        out.name("$object");
        self.class_and_address(*class, *address, out);
        out.name("fields");
        out.open(Bracket::List);
        for field in fields {
            let tree = self.trees.as_ref().and_then(|trees| trees.version(object, field));
            self.field(field, tree, out)?;
            (self.between)(out)?;
        }
        out.close();
        out.close();
        out.close();
        Ok(())
    }

    /// Writes the parts that a rescue could not put into the document.
    fn lost(&mut self, recovered: &Recovered, out: &mut Output) -> Result<()> {
        out.name(LOST);
        out.open(Bracket::Object);
        if let Some(error) = &recovered.error {
            out.name("error");
            out.string(&error.to_string());
        }
        out.name("ranges");
        out.open(Bracket::List);
        for Lost { range, path, reason, thought } in &recovered.lost {
            out.open_flat(Bracket::Object);
            out.name("offset");
            out.number(range.start);
            out.name("size");
            out.number(range.end.saturating_sub(range.start));
            let path = path.to_string();
            for (name, text) in [("path", &*path), ("kind", reason.name()), ("message", thought)] {
                out.name(name);
                out.string(text);
            }
            out.close();
            (self.between)(out)?;
        }
        out.close();
        out.name("orphans");
        out.open(Bracket::List);
        for Orphan { offset, path, field } in &recovered.orphans {
            out.open_flat(Bracket::Object);
            out.name("offset");
            out.number(*offset);
            out.name("path");
            out.string(&path.to_string());
            out.name("field");
            self.field(field, None, out)?;
            out.close();
            (self.between)(out)?;
        }
        out.close();
        out.close();
        Ok(())
    }

    /// Opens what a class and an address are members of.
    fn class_and_address(&self, class: i16, address: u32, out: &mut Output) {
        out.open_flat(Bracket::Object);
        out.name("class");
        match self.classes.get(&(class as u16)) {
            Some(name) => out.string(name),
            None => out.number(class),
        }
        out.name("address");
        out.number(address);
    }

    /// The fields of an array or pair.
    fn fields(&mut self, fields: &[Field], out: &mut Output) -> Result<()> {
        out.open(Bracket::List);
        for field in fields {
            self.field(field, None, out)?;
            (self.between)(out)?;
        }
        out.close();
        Ok(())
    }

    fn field(&mut self, field: &Field, tree: Option<Version>, out: &mut Output) -> Result<()> {
        out.open_flat(Bracket::Object);
        out.name("tag");
        match self.tags.get(&field.tag) {
            Some(name) => out.string(name),
            None => out.number(field.tag),
        }
        out.name("type");
        out.string(field.value.field_type().key());
        if field.value != Value::Empty {
            out.name("value");
            match (&field.value, tree) {
                (Value::Raw(bytes), Some(version)) => {
                    tree::write(bytes, version, out, self.between)?;
                }
                (value, _) => self.value(value, out)?,
            }
        }
        out.close();
        Ok(())
    }

    fn value(&mut self, value: &Value, out: &mut Output) -> Result<()> {
        match value.give_numbers(Put(out)) {
            Ok(()) => {}
            Err(OwnValue::Bool(byte @ (0 | 1))) => out.bool(*byte == 1),
            Err(OwnValue::Bool(byte)) => out.number(*byte),
            Err(OwnValue::String(text)) => out.string(&text.to_str()),
            Err(OwnValue::Array(elements)) => self.fields(elements, out)?,
            Err(OwnValue::Raw(bytes)) => {
                out.open_flat(Bracket::Object);
                out.name("$raw");
                out.base64(bytes, self.between)?;
                out.close();
            }
            Err(OwnValue::Object(object)) => self.object(object, out)?,
            Err(OwnValue::ObjectPointer(pointer)) => {
                out.open_flat(Bracket::Object);
                out.name("$object_pointer");
                self.class_and_address(pointer.class, pointer.address, out);
                out.close();
                out.close();
            }
            Err(OwnValue::Pair(pair)) => self.fields(&pair[..], out)?,
            Err(OwnValue::Empty) => {}
        }
        Ok(())
    }
}

/// Writes numbers.
struct Put<'o>(&'o mut Output);

impl NumberSink for Put<'_> {
    type Output = ();

    fn number<N: FieldNumber>(self, number: N) {
        self.0.scalar(Scalar::of(number));
    }

    fn numbers<N: FieldNumber>(self, numbers: &[N]) {
        self.0.numbers(&numbers, Output::scalar);
    }
}
