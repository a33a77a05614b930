//! A document as lines of text.

use std::fmt::{self, Write};

use super::entry::Entry;
use super::placed::{Placed, placed};
use super::show;
use super::side::{Side, is_map, is_mask};
use super::trail::Step;
use crate::terrain::{ITEM, KEY, PAIR};
use crate::{Document, Field, Object, Value, dictionary};

/// Writes what a document says, a fact a line, for tools that compare line by line: without what
/// every save changes, pairs in the order of their keys, the objects of a layer in the order of their
/// ids. Elements without a name have no number, so that one more does not change the lines of all
/// others.
///
/// The text of two documents is the same exactly if [`diff`](super::diff) finds no difference.
/// (It cannot be read back; the JSON form can.)
///
/// ```
/// use formwork_alb1::{Document, Field, Text, diff};
///
/// let mut layer = Document::new("CLayer");
/// let name = layer.tags.id("mname").unwrap();
/// layer.root.fields.push(Field::new(name, Text::new("houses").unwrap()));
///
/// let mut text = String::new();
/// diff::content(&layer, &mut text)?;
/// assert_eq!(text, "(class) CLayer\nmname = \"houses\"\n");
/// # Ok::<(), std::fmt::Error>(())
/// ```
///
/// # Errors
///
/// Returns the error of `out`.
pub fn content(document: &Document, out: &mut impl Write) -> fmt::Result {
    let side = Side::new(document, false, None);
    let mut writing = Writing { side: &side, path: String::new(), out };
    writing.tables()?;
    writeln!(writing.out, "(class) {}", show::name(&side.class(&document.root)))?;
    writing.object(&document.root)
}

/// Bytes of raw content on a line.
const RAW_LINE: usize = 32;

struct Writing<'w, 'd, W> {
    side: &'w Side<'d>,
    path: String,
    out: &'w mut W,
}

impl<'d, W: Write> Writing<'_, 'd, W> {
    /// How the tables differ from Terrain Builder's, which every file seen has.
    fn tables(&mut self) -> fmt::Result {
        let mut known = Document::new("");
        (known.tags, known.classes) = (dictionary::tags(), dictionary::classes());
        let known = Side::new(&known, false, None);
        for (classes, name) in [(false, "tags"), (true, "classes")] {
            let (here, there) = (self.side.table(classes), known.table(classes));
            for (entry, count) in &there {
                if here.get(entry).is_none_or(|times| times < count) {
                    writeln!(self.out, "({name}) without {entry}")?;
                }
            }
            for (entry, count) in &here {
                for _ in there.get(entry).copied().unwrap_or_default()..*count {
                    writeln!(self.out, "({name}) with {entry}")?;
                }
            }
        }
        Ok(())
    }

    fn object(&mut self, object: &'d Object) -> fmt::Result {
        for counted in self.side.fields(object) {
            let step = Step::Field(self.side.tag(counted.field.tag), counted.earlier);
            let placed = placed(self.side, object, &counted);
            self.within(&step, |this| match placed {
                Some(placed) => this.layer(&placed),
                None => this.field(&counted.field.value),
            })?;
        }
        Ok(())
    }

    /// The objects of a layer.
    fn layer(&mut self, placed: &[Placed]) -> fmt::Result {
        if placed.is_empty() {
            return writeln!(self.out, "{} without objects", self.path);
        }
        placed.iter().try_for_each(|one| writeln!(self.out, "{}[{}] {one}", self.path, one.name()))
    }

    /// A field of an object.
    fn field(&mut self, value: &'d Value) -> fmt::Result {
        if let Some(elements) = value.as_array() {
            return self.array(elements);
        }
        self.value(value)
    }

    fn value(&mut self, value: &'d Value) -> fmt::Result {
        match value {
            Value::Object(object) => {
                let class = self.side.class(object);
                writeln!(self.out, "{} ({})", self.path, show::name(&class))?;
                self.object(object)
            }
            Value::Raw(bytes) if !bytes.is_empty() => self.raw(bytes),
            Value::Array(_) | Value::Raw(_) => {
                // In another array: where it starts must be seen.
                writeln!(self.out, "{} (array)", self.path)?;
                self.array(value.as_array().unwrap_or_default())
            }
            Value::Pair(halves) => {
                writeln!(self.out, "{} (pair)", self.path)?;
                halves.iter().try_for_each(|half| {
                    let step = Step::Field(self.side.tag(half.tag), None);
                    self.within(&step, |this| this.value(&half.value))
                })
            }
            Value::ObjectPointer(pointer) => {
                let target = show::target(self.side.target(*pointer));
                writeln!(self.out, "{} {target}", self.path)
            }
            other => {
                let (text, mark) = (show::value(other), show::type_mark(other));
                writeln!(self.out, "{} = {text}{mark}", self.path)
            }
        }
    }

    fn array(&mut self, elements: &'d [Field]) -> fmt::Result {
        if elements.is_empty() {
            return writeln!(self.out, "{} = []", self.path);
        }
        if is_mask(elements) {
            return self.mask(elements);
        }
        if is_map(elements) {
            return self.map(elements);
        }
        let names = self.side.names(elements);
        for (element, name) in elements.iter().zip(names) {
            let step = name.map_or(Step::Any, Step::Named);
            self.within(&step, |this| {
                this.tag(element, ITEM)?;
                match element.value.as_object() {
                    Some(object) if matches!(step, Step::Any) && is_flat(object) => {
                        this.flat(object)
                    }
                    _ => this.value(&element.value),
                }
            })?;
        }
        Ok(())
    }

    /// Bools as digits.
    fn mask(&mut self, elements: &'d [Field]) -> fmt::Result {
        for element in elements {
            self.tag(element, ITEM)?;
        }
        write!(self.out, "{} = ", self.path)?;
        for element in elements {
            match element.value {
                Value::Bool(byte @ 0..=1) => write!(self.out, "{byte}")?,
                Value::Bool(byte) => write!(self.out, "<{byte}>")?,
                _ => {}
            }
        }
        writeln!(self.out)
    }

    fn map(&mut self, elements: &'d [Field]) -> fmt::Result {
        for entry in Entry::all(self.side, elements) {
            let Some([key, data]) = entry.pair.value.as_pair() else { continue };
            self.within(&entry.step(), |this| {
                this.tag(entry.pair, PAIR)?;
                this.tag(key, KEY)?;
                if show::value(&key.value).is_empty() {
                    this.within(&Step::Aside("key"), |this| this.value(&key.value))?;
                }
                let half = Step::Field(this.side.tag(data.tag), None);
                this.within(&half, |this| match data.value.as_object() {
                    Some(object) if is_flat(object) && object.fields.len() <= FEW => {
                        this.flat(object)
                    }
                    _ => this.value(&data.value),
                })
            })?;
        }
        Ok(())
    }

    /// The tag of an element or of a half of a pair, if it is not as always.
    fn tag(&mut self, field: &Field, always: &str) -> fmt::Result {
        let tag = self.side.tag(field.tag);
        if tag == always {
            return Ok(());
        }
        writeln!(self.out, "{} ({always}) {}", self.path, show::name(&tag))
    }

    /// An object without objects and arrays, in one line.
    fn flat(&mut self, object: &'d Object) -> fmt::Result {
        write!(self.out, "{} ({})", self.path, show::name(&self.side.class(object)))?;
        for counted in self.side.fields(object) {
            let (name, value) = (self.side.tag(counted.field.tag), &counted.field.value);
            let (text, mark) = (show::value(value), show::type_mark(value));
            write!(self.out, " {}={text}{mark}", show::name(&name))?;
        }
        writeln!(self.out)
    }

    fn raw(&mut self, bytes: &[u8]) -> fmt::Result {
        for line in bytes.chunks(RAW_LINE) {
            write!(self.out, "{} = raw", self.path)?;
            for byte in line {
                write!(self.out, " {byte:02x}")?;
            }
            writeln!(self.out)?;
        }
        Ok(())
    }

    fn within(
        &mut self,
        step: &Step<'_>,
        inside: impl FnOnce(&mut Self) -> fmt::Result,
    ) -> fmt::Result {
        let length = self.path.len();
        step.write(length == 0, &mut self.path)?;
        inside(self)?;
        self.path.truncate(length);
        Ok(())
    }
}

/// Most fields of an object that is written with its pair in one line.
const FEW: usize = 4;

/// Whether an object holds numbers and strings only.
fn is_flat(object: &Object) -> bool {
    object.fields.iter().all(|field| {
        !matches!(
            field.value,
            Value::Object(_)
                | Value::Array(_)
                | Value::Raw(_)
                | Value::Pair(_)
                | Value::ObjectPointer(_)
        )
    })
}
