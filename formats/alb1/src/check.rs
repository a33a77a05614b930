//! Checks of a document that can be read: anything unusual in it becomes a finding.

use super::finding::{Finding, FindingKind};
use super::{Document, Field, Value};
use formwork::Result;

impl Document {
    /// Hands `found` every value that no file of Terrain Builder holds: bools that are neither 0 nor 1,
    /// arrays whose elements differ in tag or type. All of it can be read and written. The findings
    /// name `file`. (What is odd about tags, classes, addresses and pointers, a [`Graph`] finds.)
    ///
    /// ```
    /// use formwork_alb1::{Document, Field, Value};
    ///
    /// let mut layer = Document::new("CLayer");
    /// layer.root.fields.push(Field::new(layer.tags.id("mbLocked").unwrap(), Value::Bool(7)));
    ///
    /// let mut found = Vec::new();
    /// layer.check_values("a.tv4l", |finding| found.push(finding));
    /// assert_eq!(found[0].kind.name(), "bool.byte");
    /// assert_eq!(found[0].path.to_string(), "mbLocked");
    /// ```
    ///
    /// [`Graph`]: super::Graph
    pub fn check_values(&self, file: &str, mut found: impl FnMut(Finding)) {
        let mut walk = self.walk();
        while let Some(item) = walk.next() {
            let (kind, message) = match item.value() {
                Some(Value::Bool(byte @ 2..)) => {
                    (FindingKind::BoolByte, format!("the bool is {byte}"))
                }
                Some(Value::Array(elements)) => match self.mixed(elements) {
                    Some(message) => (FindingKind::ArrayMixed, message),
                    None => continue,
                },
                _ => continue,
            };
            let (file, offset) = (file.to_owned(), Some(item.offset));
            found(Finding { file, offset, path: walk.path(), kind, message });
        }
    }

    /// Returns how the elements differ in tag or type.
    fn mixed(&self, elements: &[Field]) -> Option<String> {
        let shape = |field: &Field| (field.tag, field.value.field_type());
        let first = elements.first()?;
        let other = elements.iter().find(|element| shape(element) != shape(first))?;
        let [first, other] = [first, other].map(|field| {
            format!("{} of type {}", self.tags.display(field.tag), field.value.field_type())
        });
        Some(format!("an element is {first}, another is {other}"))
    }

    /// Returns the offset of the first byte at which the written document differs from `bytes`; [`None`] if all bytes
    /// are equal.
    ///
    /// # Errors
    ///
    /// As [`Document::to_vec`].
    pub fn difference(&self, bytes: &[u8]) -> Result<Option<u64>> {
        let written = self.to_vec()?;
        let same = written.iter().zip(bytes).take_while(|(one, other)| one == other).count();
        Ok((written != bytes).then_some(same as u64))
    }
}
