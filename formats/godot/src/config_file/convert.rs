//! Text with the values of another engine.

use formwork_edit::convert::{Converter, Loss};
use formwork_variant::dialect::Precision;
use formwork_variant::text::{TextForm, kept_text};
use formwork_variant::{Dialect, Real, Variant};

use super::file::{ConfigFile, Entry};

/// A text whose values were converted to another engine, and what was left in it.
#[derive(Clone, Debug, Default)]
pub struct ConvertedText {
    /// The text.
    pub text: String,
    /// Number of values that were written anew.
    pub changed: u64,
    /// Number of values that the other engine reads as they are.
    pub kept: u64,
    /// The places of texts that are no values, such as `Resource("res://a.png")`: they stay as they are.
    pub unread: Vec<String>,
    /// Whether the text is the settings of a project, whose names differ between engines, too.
    pub is_project: bool,
}

impl Entry {
    /// Returns the section, if that has a name, and the key: `audio/volume`.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}/{}", self.section, self.key)
    }
}

impl ConfigFile<'_> {
    /// Returns the text with each value in the words of another engine, and passes what a value loses to `note`, with the
    /// [place](Entry::place) of its entry. Values that both engines read alike keep their texts.
    ///
    /// ```
    /// use formwork_godot::config_file::ConfigFile;
    /// use formwork_variant::Dialect;
    ///
    /// let file = ConfigFile::parse("[map]\nat=Vector2i(1, 2)\nname=\"isle\"\n")?;
    /// let mut losses = Vec::new();
    /// let converted = file.converted(Dialect::GODOT4, Dialect::GODOT3, &mut |place, loss| {
    ///     losses.push(format!("{place}: {}", loss.kind.name()));
    /// });
    /// assert_eq!(converted.text, "[map]\nat=Vector2( 1, 2 )\nname=\"isle\"\n");
    /// assert_eq!((converted.changed, converted.kept), (1, 1));
    /// assert_eq!(losses, ["map/at: type"]);
    /// # Ok::<(), formwork::Error>(())
    /// ```
    pub fn converted(
        &self,
        from: Dialect,
        to: Dialect,
        note: &mut dyn FnMut(&str, Loss),
    ) -> ConvertedText {
        match (from.precision(), to.precision()) {
            (Precision::Single, Precision::Single) => self.ported::<f32, f32>(from, to, note),
            (Precision::Single, Precision::Double) => self.ported::<f32, f64>(from, to, note),
            (Precision::Double, Precision::Single) => self.ported::<f64, f32>(from, to, note),
            (Precision::Double, Precision::Double) => self.ported::<f64, f64>(from, to, note),
        }
    }

    fn ported<R: Real, S: Real>(
        &self,
        from: Dialect,
        to: Dialect,
        note: &mut dyn FnMut(&str, Loss),
    ) -> ConvertedText {
        let converter = Converter::new(from, to).in_precision::<S>();
        let mut ported = ConvertedText::default();
        let text = self.replaced(|entry| {
            let place = entry.place();
            ported.is_project |= entry.section.is_empty() && entry.key == "config_version";
            let value = self.read_value::<R>(entry, from).ok();
            let Some(value) = value.filter(|value| kept_text(value).is_none()) else {
                ported.unread.push(place);
                return None;
            };
            let old = words(&value, from);
            let new = words(&converter.convert_noting(value, |loss| note(&place, loss)), to);
            let without_blanks = |text: &str| text.split_whitespace().collect::<String>();
            // A value that differs in blanks only counts as unchanged.
            let is_changed = without_blanks(&old) != without_blanks(&new);
            *if is_changed { &mut ported.changed } else { &mut ported.kept } += 1;
            is_changed.then_some(new)
        });
        ConvertedText { text, ..ported }
    }
}

/// Returns the text of a value in the form of an engine.
fn words<R: Real>(value: &Variant<R>, dialect: Dialect) -> String {
    let form = TextForm::new(dialect).references(true).in_precision();
    form.write(value).to_string_lossy().trim_end().to_owned()
}
