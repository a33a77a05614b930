//! Files of values, in any framing and wrapper.

use std::io;
use std::ops::Range;

use crate::Framing;
use crate::inspect::Inspector;
use bytes::Bytes;
use formwork::document::{Confidence, Document, Format, Json, Lost, Problem, Recovered, Row};
use formwork::{Error, Result};
use formwork_edit::{Replacement, ValuePath};
use formwork_records::inspect::rows;
use formwork_variant::dialect::Precision;
use formwork_variant::frame::{ByteOrder, Frames};
use formwork_variant::json::Json as JsonForm;
use formwork_variant::{Decoder, Dialect, Real, Rule, Strictness, Variant};

use super::opened::{Around, Opened, json};
use super::{rule, shallow};
use crate::detect::{Detector, Other};
use crate::file::{Opener, RecoveredFile, ValueFile};
use crate::wrapper::Unwrapped;

/// The format of files of values, of whichever engine they are.
pub static SAVES: SaveFormat = SaveFormat(Opener::new(), None);

/// A format of files of values: see [`SAVES`].
#[derive(Clone, Debug)]
pub struct SaveFormat(Opener, Option<i64>);

impl SaveFormat {
    /// Returns the format of files that this opener opens, with its engine, framing, header, password and limits.
    ///
    /// ```
    /// use formwork::document::{Format, Json};
    /// use formwork_godot::Opener;
    /// use formwork_godot::document::SaveFormat;
    /// use formwork_variant::Dialect;
    ///
    /// let format = SaveFormat::new(Opener::new().dialect(Dialect::GODOT3));
    /// let save = format.make(&Json::read(br#"{"gold": 5}"#)?)?;
    /// // (`make` puts the value into a frame, as `store_var` does.)
    /// assert_eq!(save.to_bytes()[..8], [28, 0, 0, 0, 18, 0, 0, 0]);
    /// # Ok::<(), formwork::Error>(())
    /// ```
    #[must_use]
    pub const fn new(opener: Opener) -> Self {
        Self(opener, None)
    }

    /// Chooses one of several values, by its number; a negative one counts from the last. Paths and JSON of a document are
    /// those of this value then, and the other values stay.
    #[must_use]
    pub const fn choosing(mut self, number: Option<i64>) -> Self {
        self.1 = number;
        self
    }

    fn open_as<R: Real>(&self, bytes: &Bytes) -> Result<ValueFile<R>> {
        let opener = self.0.clone();
        let opener = opener.in_precision::<R>();
        let limits = opener.known_limits();
        match opener.clone().limits(shallow(limits)).split(bytes.clone()) {
            Err(error) if error.rule() == Rule::DEPTH_LIMIT => {
                // Most containers cost one level of JSON, so that there may be JSON of the values all the same.
                let file = opener.limits(limits).open(bytes.to_vec())?;
                let mut jsons = file.values().iter().map(|value| json(value, file.dialect()));
                jsons.try_for_each(|json| json.map(drop))?;
                Ok(file)
            }
            split => split,
        }
    }

    /// Opens a file in the precision of its dialect.
    fn precise<T>(
        &self,
        bytes: &Bytes,
        single: impl FnOnce(ValueFile<f32>) -> T,
        double: impl FnOnce(ValueFile<f64>) -> T,
    ) -> Result<T> {
        match self.open_as::<f32>(bytes) {
            Ok(file) if file.dialect().precision() == Precision::Single => Ok(single(file)),
            Ok(_) => self.open_as(bytes).map(double),
            Err(error) => match self.open_as::<f64>(bytes) {
                Ok(file) if file.dialect().precision() == Precision::Double => Ok(double(file)),
                _ => Err(error),
            },
        }
    }

    /// Opens a file that shares its bytes, see [`Format::open`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn open_shared(&self, bytes: Bytes) -> Result<Box<dyn Document>> {
        let single = |file| self.opened(file, bytes.clone());
        self.precise(&bytes, single, |file| self.opened(file, bytes.clone()))?
    }

    fn opened<R: Real>(&self, mut file: ValueFile<R>, bytes: Bytes) -> Result<Box<dyn Document>> {
        let values = std::mem::take(file.values_mut());
        let values = (values.len() == file.count()).then_some(values);
        let known = (file.dialect(), file.known_limits());
        Ok(Box::new(Opened::new(Box::new(file), values, bytes, known).choosing(self.1)?))
    }

    fn made<R: Real>(&self, json: &Json, dialect: Dialect, framing: Framing) -> Result<Vec<u8>> {
        let limits = shallow(self.0.known_limits());
        let form = JsonForm::lossless(dialect).in_precision::<R>().limits(limits);
        let value = form.read(json.to_string().as_bytes()).map_err(Error::nowhere)?;
        let encoder = formwork_variant::Encoder::new(dialect).in_precision::<R>();
        framing.join(dialect, [encoder.limits(limits).rounding(true).encode(&value)?])
    }

    /// Makes the rest of a damaged file a file again, without layers and header.
    fn recovered<R: Real>(&self, left: RecoveredFile<R>) -> Result<Recovered> {
        let RecoveredFile { values, lost, faults, dialect, framing, .. } = left;
        let framing = match (framing, values.len()) {
            (Framing::Bare, 2..) => Framing::BareSequence,
            (framing, _) => framing,
        };
        let encoder = formwork_variant::Encoder::new(dialect).in_precision::<R>();
        let encoder = encoder.limits(shallow(self.0.known_limits())).rounding(true);
        let packets =
            values.iter().map(|value| encoder.encode(value)).collect::<Result<Vec<_>>>()?;
        let bytes = framing.join(dialect, packets)?;
        let opener = Opener::new().dialect(dialect).framing(framing).limits(self.0.known_limits());
        let document = Self::new(opener).open(&bytes)?;
        let faults = faults.into_iter().map(|error| {
            let at = error.offset();
            Lost { range: at..at, error }
        });
        let lost =
            lost.into_iter().map(|it| Lost { range: it.range, error: it.error.at_place(it.place) });
        Ok(Recovered { document, lost: faults.chain(lost).collect() })
    }
}

impl Format for SaveFormat {
    fn name(&self) -> &'static str {
        "save"
    }

    fn description(&self) -> &'static str {
        "values of Godot or Pandemonium"
    }

    fn page(&self) -> String {
        crate::pages::variant_page(self.0.known_dialect().unwrap_or(Dialect::GODOT4))
    }

    fn sniff(&self, bytes: &[u8]) -> Confidence {
        if self.precise(&Bytes::copy_from_slice(bytes), drop, drop).is_ok() {
            return Confidence::Whole;
        }
        let mut unwrapped = Unwrapped::new(bytes);
        if unwrapped.is_wrapped() || Other::by_start(bytes) == Some(Other::GodotProject) {
            return Confidence::Start;
        }
        let detection = Detector::new().detect(bytes);
        let is_begun = !detection.leading().is_empty() || detection.partial().is_some();
        if is_begun { Confidence::Start } else { Confidence::None }
    }

    fn open(&self, bytes: &[u8]) -> Result<Box<dyn Document>> {
        self.open_shared(Bytes::copy_from_slice(bytes))
    }

    /// Makes a file of one value: of the newest Godot, in a frame, unless the opener names others. It has no wrapper.
    fn make(&self, json: &Json) -> Result<Box<dyn Document>> {
        let dialect = self.0.known_dialect().unwrap_or(Dialect::GODOT4);
        let framing = self.0.known_framing().unwrap_or(Framing::Frames(ByteOrder::Little));
        let bytes = match dialect.precision() {
            Precision::Single => self.made::<f32>(json, dialect, framing)?,
            Precision::Double => self.made::<f64>(json, dialect, framing)?,
        };
        Self::new(self.0.clone().dialect(dialect).framing(framing)).open(&bytes)
    }

    /// Reads what is left of a damaged file, after damage too. The document has it without the layers around it.
    fn recover(&self, bytes: &[u8]) -> Result<Recovered> {
        if let Ok(document) = self.open(bytes) {
            return Ok(Recovered { document, lost: Vec::new() });
        }
        let single = self.0.clone().in_precision::<f32>().recover(bytes);
        match single {
            Ok(left) if left.dialect.precision() == Precision::Double => {
                self.recovered(self.0.clone().in_precision::<f64>().recover(bytes)?)
            }
            left => self.recovered(left?),
        }
    }

    fn problems(&self, bytes: &[u8]) -> Vec<Problem> {
        let bytes = Bytes::copy_from_slice(bytes);
        let warnings = self.precise(&bytes, |file| file.warnings(), |file| file.warnings());
        match warnings {
            Ok(warnings) => warnings.into_iter().map(Problem::warning).collect(),
            Err(error) => vec![Problem::damage(error)],
        }
    }

    fn rows(
        &self,
        bytes: &[u8],
        each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let known = |file: &dyn Known| file.known();
        let shared = Bytes::copy_from_slice(bytes);
        let found = self.precise(&shared, |file| known(&file), |file| known(&file));
        let (unwrapped, dialect, framing) = match found {
            Ok(found) => found,
            Err(error) => {
                let unwrapped = self.0.unwrapped(bytes);
                let detection = Detector::new().detect(unwrapped.content());
                match detection.partial() {
                    Some(partial) => (unwrapped, partial.dialect, partial.framing),
                    None => return rows::fault(error, each),
                }
            }
        };
        let inspector = Inspector::new(unwrapped.bytes(), dialect).behind(unwrapped.skipped());
        rows::of_spans(inspector.framing(framing).list_elements(true), each)
    }
}

/// A file of values in either precision.
trait Known {
    fn known(&self) -> (Unwrapped, Dialect, Framing);
}

impl<R: Real> Known for ValueFile<R> {
    fn known(&self) -> (Unwrapped, Dialect, Framing) {
        (self.unwrapped().clone(), self.dialect(), self.framing())
    }
}

impl<R: Real> Around<R> for ValueFile<R> {
    fn copy(&self) -> Box<dyn Around<R>> {
        Box::new(self.clone())
    }

    fn summary(&self) -> Vec<(&'static str, Json)> {
        let mut summary = vec![("engine", self.dialect().name().into())];
        summary.push(("framing", self.framing().to_string().into()));
        let layers: Vec<Json> = self.layers().iter().map(|it| it.to_string().into()).collect();
        if !layers.is_empty() {
            summary.push(("wrapper", Json::Array(layers)));
        }
        if let length @ 1.. = self.header().len() {
            summary.push(("header", length.into()));
        }
        summary
    }

    fn content(&self, bytes: &Bytes) -> Result<(Bytes, usize)> {
        let unwrapped = self.unwrapped_of(bytes)?;
        Ok((unwrapped.shared(), unwrapped.skipped()))
    }

    fn count(&self) -> usize {
        ValueFile::count(self)
    }

    fn read(&self, bytes: &Bytes) -> Result<Vec<Variant<R>>> {
        ValueFile::read(self, bytes)
    }

    fn sought(&self, bytes: &Bytes, number: Option<usize>, path: &str) -> Option<Variant<R>> {
        let unwrapped = self.unwrapped_of(bytes).ok()?;
        let content = unwrapped.content();
        let packet = content.get(packet(self, content, number).ok()??)?;
        let range = ValuePath::new(path).find_packet(packet, &reader(self)).ok()??;
        reader(self).decode(packet.get(range)?).ok()
    }

    fn place(
        &self,
        content: &[u8],
        number: Option<usize>,
        path: &str,
    ) -> Result<Option<Range<usize>>> {
        let Some(packet) = packet(self, content, number)? else { return Ok(None) };
        let start = packet.start;
        let range = match path {
            "" => Some(0..packet.len()),
            path => ValuePath::new(path).find_packet(&content[packet], &reader(self))?,
        };
        Ok(range.map(|it| start + it.start..start + it.end))
    }

    fn replaced(
        &self,
        bytes: &Bytes,
        number: Option<usize>,
        path: &str,
        new: &Variant<R>,
    ) -> Result<Option<(Vec<u8>, Replacement<R>)>> {
        if !self.behind().is_empty() {
            return Ok(None);
        }
        let unwrapped = self.unwrapped_of(bytes)?;
        let content = unwrapped.content();
        let Some(range) = packet(self, content, number)? else { return Ok(None) };
        let encoder = self.encoder().rounding(true);
        let make = |_: &Variant<R>| Ok::<_, Error>(new.clone());
        let old = &content[range.clone()];
        let replaced = ValuePath::new(path).replace_in(old, &reader(self), &encoder, make)?;
        let Some(replaced) = replaced else { return Ok(None) };
        let mut content = content.to_vec();
        if !replaced.put(&mut content, range, self.framing().order()) {
            return Ok(None);
        }
        let wrapping = unwrapped.wrapping();
        let bytes = match wrapping.is_nothing() {
            true => content,
            false => wrapping.close(&content, self.known_key())?,
        };
        Ok(Some((bytes, replaced)))
    }

    fn only_packet(&self, bytes: &Bytes) -> Option<Bytes> {
        let unwrapped = self.unwrapped_of(bytes).ok().filter(|_| self.count() == 1)?;
        let range = packet(self, unwrapped.content(), None).ok()??;
        let content = unwrapped.shared_content();
        (range.end <= content.len()).then(|| content.slice(range))
    }

    fn stored(&self, value: Variant<R>) -> Variant<R> {
        let encoder = self.encoder();
        if encoder.encode(&value).is_ok() {
            return value;
        }
        let packet = encoder.rounding(true).encode(&value);
        packet.and_then(|packet| reader(self).decode(&packet)).unwrap_or(value)
    }

    fn unwritten(&self, values: &[Variant<R>]) -> Option<(usize, Error)> {
        // Rounding is allowed: a typed 0.1 must not be refused because Godot 2 rounds it.
        let encoder = self.encoder().rounding(true);
        let mut packet = Vec::new();
        values.iter().enumerate().find_map(|(number, value)| {
            packet.clear();
            Some((number, encoder.encode_into(value, &mut packet).err()?))
        })
    }

    fn write(&self, values: &[Variant<R>], anew: bool) -> Result<Vec<u8>> {
        let mut file = self.clone();
        *file.values_mut() = values.to_vec();
        if let Some(fault) = file.fault() {
            let expected = "a file of which all can be written again";
            return Err(Error::new(rule::WHOLE, 0, expected, fault.to_string()).nowhere());
        }
        let encoder = file.encoder().rounding(true);
        if anew { file.encode_anew(&encoder) } else { file.encode(&encoder) }
    }
}

/// Returns where the packet of one of the values is in a content, if that is known without reading the others.
fn packet<R: Real>(
    file: &ValueFile<R>,
    content: &[u8],
    number: Option<usize>,
) -> Result<Option<Range<usize>>> {
    match file.framing() {
        Framing::Bare => Ok(content.len().checked_sub(file.behind().len()).map(|end| 0..end)),
        Framing::Frames(order) => {
            let frame = Frames::new(content, order).nth(number.unwrap_or_default()).transpose()?;
            let start = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
            Ok(frame.map(|frame| start(frame.offset)..start(frame.offset) + frame.packet.len()))
        }
        Framing::BareSequence | Framing::Settings => Ok(None),
    }
}

/// Returns a reader of what the engine reads.
fn reader<R: Real>(file: &ValueFile<R>) -> Decoder<R> {
    let decoder = Decoder::new(file.dialect()).in_precision::<R>().strictness(Strictness::Engine);
    decoder.limits(file.known_limits()).allow_objects(true)
}
