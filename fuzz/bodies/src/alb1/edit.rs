//! Changes to documents by paths.

use arbitrary::{Arbitrary, Result, Unstructured};

use formwork_alb1::{Addresses, Document, Reader, Value};
use formwork_variant::Limits;
use formwork_variant::Rule;

/// Checks that a document can be written and read unchanged after any edits, and that a refused edit changes
/// nothing.
pub fn edit(data: &[u8]) {
    // Missing bytes count as zeros, so this ends.
    let _ = edits(&mut Unstructured::new(data));
}

fn edits(u: &mut Unstructured<'_>) -> Result<()> {
    let (mut document, donor) = (Document::arbitrary(u)?, Document::arbitrary(u)?);
    for _ in 0..24 {
        if u.is_empty() {
            break;
        }
        let before = document.clone();
        let edit = edit_once(&mut document, &donor, u)?;
        if !edit.is_done {
            assert!(document.is_identical(&before), "{}: {document:?} was {before:?}", edit.what);
            continue;
        }
        let bytes = match document.to_vec() {
            Ok(bytes) => bytes,
            // Values put into each other again and again get too deep in the end.
            Err(error) if error.rule() == Rule::DEPTH_LIMIT => break,
            Err(error) => panic!("{}: {document:?}: {error}", edit.what),
        };
        let reader = Reader::new().limits(Limits::default().depth(Reader::DEEPEST));
        let read = match reader.read(&bytes) {
            Ok(read) => read,
            Err(error) => panic!("{}: {document:?}: {error}", edit.what),
        };
        assert!(read.is_identical(&document), "{}: {read:?} for {document:?}", edit.what);
    }
    Ok(())
}

/// A tried edit, and whether it was done.
struct Edit {
    what: String,
    is_done: bool,
}

fn edit_once(document: &mut Document, donor: &Document, u: &mut Unstructured<'_>) -> Result<Edit> {
    let path = path(document, u)?;
    let what = u.int_in_range(0..=8)?;
    let edit = |name, result: formwork_variant::Result<()>| {
        Ok(Edit { what: format!("{name} {path:?}"), is_done: result.is_ok() })
    };
    match what {
        0 | 1 => {
            let value = value(document, donor, u)?;
            let set = if what == 0 { Document::set } else { Document::replace };
            let old = set(document, &path, value.clone());
            if old.is_ok() {
                assert!(document.get(&path).is_ok_and(|it| it.is_identical(&value)), "{path}");
            }
            edit("set", old.map(drop))
        }
        2 => {
            let text = *u.choose(&["", "7", "-1", "0xFF", "1.5", "nan", "true", "1, 2", "[3]"])?;
            edit("set_text", document.set_text(&path, text).map(drop))
        }
        3 => {
            let name = name(document, u)?;
            edit("rename", document.rename(&path, &name))
        }
        4 => {
            let (name, value) = (name(document, u)?, value(document, donor, u)?);
            edit("add", document.add(&path, &name, value))
        }
        5 => {
            let (name, value) = (name(document, u)?, value(document, donor, u)?);
            edit("insert", document.insert(&path, u.int_in_range(0..=3)?, &name, value))
        }
        6 => edit("remove", document.remove(&path).map(drop)),
        7 => edit("move_to", document.move_to(&path, u.int_in_range(0..=5)?)),
        _ => {
            let class = *u.choose(&["CLayer", "CVertex", "a class of its own"])?;
            let name = name(document, u)?;
            let Some(object) = document.new_object(class) else {
                return edit("new_object", Ok(()));
            };
            // The class may be new even where the object is refused.
            let _ = document.add(&path, &name, object);
            edit("new_object", Ok(()))
        }
    }
}

/// Returns a path to the root object, to a field, or to nothing.
fn path(document: &Document, u: &mut Unstructured<'_>) -> Result<String> {
    let mut walk = document.walk();
    let count = walk.clone().count();
    for _ in 0..=u.choose_index(count)? {
        walk.next();
    }
    let path = format!("{:#}", walk.path());
    Ok(match u.int_in_range(0..=15)? {
        0 => format!("{path}[0]"),
        1 => format!("{path}.data"),
        2 => u.arbitrary::<&str>()?.to_owned(),
        _ => path,
    })
}

/// Returns the name of a tag, mostly an existing one.
fn name(document: &Document, u: &mut Unstructured<'_>) -> Result<String> {
    if u.ratio(1, 8)? {
        return Ok(u.arbitrary::<&str>()?.to_owned());
    }
    let position = u.choose_index(document.tags.len())?;
    let entry = document.tags.entries().nth(position);
    Ok(entry.map(|(_, name)| name.to_str().into_owned()).unwrap_or_default())
}

/// Returns a value of another document, mostly with the addresses of that document.
fn value(document: &Document, donor: &Document, u: &mut Unstructured<'_>) -> Result<Value> {
    let values: Vec<_> = donor.walk().filter_map(|item| item.value()).collect();
    if values.is_empty() {
        return Ok(Value::SignedInt(u.arbitrary()?));
    }
    let mut value = (*u.choose(&values)?).clone();
    if u.ratio(3, 4)? {
        assert!(Addresses::of(document).renew(&mut value), "there are addresses enough");
    }
    Ok(value)
}
