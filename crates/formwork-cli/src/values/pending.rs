//! The content of a file of values that is being changed: the values are only read if the change needs them.

use std::collections::HashSet;

use formwork::document::Json;
use formwork_godot::{Opener, ValueFile};
use formwork_variant::edit::{Side, ValuePath, strays};
use formwork_variant::{Dialect, Error, Real, Strictness, Variant};

use super::content::{Context, Values, refuse_stray};
use crate::changed::{Changed, ShownValue};
use crate::content::{Content, Merged, Replaced, Replacing, SetOptions, Version};
use crate::failure::Failure;
use crate::file::{Chosen, NewContent};
use crate::form::Form;
use crate::framing::FramingName;
use crate::number::number_of;
use crate::packets::Input;
use crate::source::Source;

/// A content that is being changed.
pub(super) struct Pending<'i, R: Real> {
    input: &'i Input,
    /// How the file is read.
    reading: (Dialect, FramingName),
    chosen: Chosen,
    /// The content with values that were replaced in its bytes.
    spliced: Option<Vec<u8>>,
    opened: Option<Opened<'i, R>>,
}

/// Ends a replacement in the bytes.
enum Stopped {
    /// The packet is no value, or would be none.
    Packet,
    /// The new value is refused.
    Refused(Failure),
}

impl From<Error> for Stopped {
    fn from(_: Error) -> Self {
        Self::Packet
    }
}

/// A content whose values were read.
struct Opened<'i, R: Real> {
    file: ValueFile<R>,
    values: Values<'i, R>,
    /// The values that typed dictionaries do not declare, before the change.
    known: Vec<Variant<R>>,
}

impl<'i, R: Real> Pending<'i, R> {
    pub(super) const fn new(
        input: &'i Input,
        reading: (Dialect, FramingName),
        chosen: Chosen,
    ) -> Self {
        Self { input, reading, chosen, spliced: None, opened: None }
    }

    /// Returns the bytes as they are now.
    fn content(&self) -> &[u8] {
        self.spliced.as_deref().unwrap_or_else(|| self.input.source.content())
    }

    fn context(&self) -> Context<'i> {
        let (name, dialect) = (self.input.source.name.as_str(), self.reading.0);
        Context { name, dialect, limits: self.chosen.limits, levels: 0, index: None }
    }

    /// Reads the values, once.
    fn opened(&mut self) -> Result<&mut Opened<'i, R>, Failure> {
        let opened = match self.opened.take() {
            Some(opened) => opened,
            None => self.open()?,
        };
        Ok(self.opened.insert(opened))
    }

    fn open(&self) -> Result<Opened<'i, R>, Failure> {
        let (dialect, framing) = self.reading;
        let (name, skipped) = (&self.input.source.name, self.input.source.skipped() as u64);
        let opener = Opener::new().dialect(dialect).framing(framing.framing());
        let opener = opener.limits(self.chosen.limits.limits()).in_precision::<R>();
        let opened = opener.open(self.content());
        let mut file: ValueFile<R> =
            opened.map_err(|error| self.input.damaged(error.shifted(skipped)))?;
        let number = |index| number_of(name, index, file.values().len());
        let index = self.chosen.index.map(number).transpose()?;
        let context = Context { index, ..self.context() };
        let values = std::mem::take(file.values_mut());
        let known = values.iter().flat_map(strays).map(|stray| stray.value.clone()).collect();
        Ok(Opened { file, values: Values { values, context, is_anew: false }, known })
    }

    /// Sets values in the bytes of the only packet, each to one of its type; none where more than these values counts.
    fn splice(
        &self,
        pairs: &[[String; 2]],
        options: SetOptions<'_>,
    ) -> Result<Option<NewContent>, Failure> {
        let typed = options.typed;
        let says_more = typed.type_name.is_some() || typed.form.is_some() || typed.file.is_some();
        let places: HashSet<_> = pairs.iter().map(|[path, _]| path).collect();
        let is_plain = !pairs.is_empty() && places.len() == pairs.len();
        if says_more || self.chosen.index.is_some() || !is_plain {
            return Ok(None);
        }
        let (dialect, framing) = self.reading;
        let input = Input::known(self.input.source.clone(), dialect, framing, self.chosen.limits);
        let Some((start, packet)) = input.only_packet() else { return Ok(None) };
        let start = start as usize - input.source.skipped();
        let (context, encoder) = (self.context(), self.chosen.limits.encoder::<R>(dialect));
        let (decoder, encoder) = (input.decoder(Strictness::Engine), encoder.rounding(true));
        let mut content = input.source.content().to_vec();
        let mut packet = start..start + packet.len();
        let mut changed = Vec::with_capacity(pairs.len());
        for [path, text] in pairs {
            let bytes = content.get(packet.clone()).unwrap_or_default();
            let make = |old: &Variant<R>| {
                typed.read(path, text, Some(old), &context).map(|it| context.stored(it))
            };
            let make = |old: &_| make(old).map_err(Stopped::Refused);
            let it = match ValuePath::new(path).replace_in(bytes, &decoder, &encoder, make) {
                Ok(Some(replacement)) => replacement,
                // What is wrong with the packet is told where its values are read.
                Ok(None) | Err(Stopped::Packet) => return Ok(None),
                Err(Stopped::Refused(failure)) => return Err(failure),
            };
            let before = content.len();
            if !it.put(&mut content, packet.clone(), framing.order()) {
                return Ok(None);
            }
            packet.end = packet.end + content.len() - before;
            let shown = |value| ShownValue::of(value, dialect);
            let is_same = it.old.is_identical(&it.new);
            changed.push(Changed::replaced(it.place, shown(&it.old), shown(&it.new), is_same));
        }
        Ok(Some(NewContent { content, changed }))
    }

    /// Returns the new content.
    pub(super) fn finish(mut self, changed: Vec<Changed>) -> Result<NewContent, Failure> {
        let Some(Opened { mut file, values, known }) = self.opened.take() else {
            let old = || self.input.source.content().to_vec();
            return Ok(NewContent { content: self.spliced.take().unwrap_or_else(old), changed });
        };
        refuse_stray::<R>(known, &values.values, &values.context)?;
        // Rounding is allowed: a typed 0.1 must not be refused because Godot 2 rounds it.
        let encoder = file.encoder().rounding(true);
        *file.values_mut() = values.values;
        let made = match values.is_anew {
            true => self.input.anew(file.values(), self.reading.1, &encoder),
            false => file.content(&encoder),
        };
        let content = made.map_err(|error| self.input.unwritten(file.values(), &encoder, error))?;
        Ok(NewContent { content, changed })
    }
}

impl<R: Real> Content for Pending<'_, R> {
    fn name(&self) -> &str {
        &self.input.source.name
    }

    fn ready(&mut self) -> Result<(), Failure> {
        self.opened().map(drop)
    }

    fn set(
        &mut self,
        pairs: &[[String; 2]],
        options: SetOptions<'_>,
    ) -> Result<Vec<Changed>, Failure> {
        if self.opened.is_none()
            && self.spliced.is_none()
            && let Some(NewContent { content, changed }) = self.splice(pairs, options)?
        {
            self.spliced = Some(content);
            return Ok(changed);
        }
        self.opened()?.values.set(pairs, options)
    }

    fn remove(&mut self, paths: &[String]) -> Result<Vec<Changed>, Failure> {
        self.opened()?.values.remove(paths)
    }

    fn text(&mut self, form: Form) -> Result<Vec<u8>, Failure> {
        self.opened()?.values.text(form)
    }

    fn replace(&mut self, text: &Source, replacing: Replacing) -> Result<Replaced, Failure> {
        self.opened()?.values.replace(text, replacing)
    }

    fn merge(
        &mut self,
        base: &Version,
        theirs: &Version,
        prefer: Option<Side>,
    ) -> Result<Merged, Failure> {
        self.opened()?.values.merge(base, theirs, prefer)
    }

    fn json(&mut self, trees: bool) -> Result<(Vec<Json>, bool), Failure> {
        self.opened()?.values.json(trees)
    }
}
