//! Reads the values of properties.

use binrw::{BinRead, Endian};

use super::record::{
    ExternalResource, IMAGE_ENCODINGS, PaddedBytes, PropertyNodePath, RawImage, ResourceArray,
    ResourceDictionary, ResourceImage, ResourceName, ResourceNodePath, ResourceReference,
    ResourceText, ResourceTexts, ValueWord,
};
use super::rule;
use super::text::{UTF8, cut_text, decoded};
use super::types::{Layout, Row, endian};
use crate::codec::Decoder;
use crate::dialect::{BOOL, once};
use crate::value::Making;
use crate::{
    Builder, Front, FullObject, InputEvent, Math, NodePath, NumberSource, Object, OwnType, Real,
    RealMath, Signal, Variant, VariantString, VariantType,
};
use formwork::{Error, Result, Rule};
use formwork_records::limits::Limits;
use formwork_records::schema::{Field, Schema, Sizes};
use formwork_records::wire::{Block, CountArgs, Cursor, Element, read_record_in};

/// Bytes of the shortest value: the number of its type.
pub(super) const LEAST: u64 = 4;

/// Bytes of the shortest name: its number.
pub(super) const NAME_LEAST: u64 = ResourceName::LEAST as u64;

/// The most bytes of names that are given by their numbers, as a multiple of the file's size.
const NAMES: u64 = 16;

/// Reads the contents of a resource file.
pub(super) struct Reader<'a, R: Real> {
    pub(super) input: Cursor<'a>,
    pub(super) decoder: &'a Decoder<R>,
    pub(super) layout: Layout,
    /// The table of names.
    pub(super) names: Vec<VariantString>,
    /// Bytes of names that may still be given by their numbers.
    names_left: u64,
    /// The targets of references.
    pub(super) targets: Targets,
}

/// The possible targets of references.
#[derive(Default)]
pub(super) struct Targets {
    /// The number of external resources.
    pub(super) external: u32,
    /// The number of internal resources, if references give their positions.
    pub(super) positions: Option<u32>,
    /// The positions of internal resources by the numbers in their paths.
    pub(super) numbers: std::collections::HashMap<u32, u32>,
}

/// The start of a value.
pub(super) enum Piece<R: Real> {
    /// A value that holds no others.
    Value(Variant<R>),
    /// A container that holds this number of values.
    Open(Front, u64),
}

impl<R: Real, V: Into<Variant<R>>> From<V> for Piece<R> {
    fn from(value: V) -> Self {
        Self::Value(value.into())
    }
}

/// Reads the rest of a value, after the number of its type.
type Read<R> = fn(&mut Reader<'_, R>) -> Result<Piece<R>>;

/// Returns the fields after the number of a type that is not only numbers, and their reader.
pub(super) fn own<R: Real>(own: OwnType, row: Row, layout: Layout) -> (&'static [Field], Read<R>) {
    const TEXT: &[Field] = &once::<ResourceText<'static>>();
    match own {
        OwnType::Nil | OwnType::TypedArray | OwnType::PackedTypedArray => (&[], |_| Ok(().into())),
        OwnType::Bool => (BOOL, |reader| Ok((reader.number::<u32>()? != 0).into())),
        OwnType::Int if row.wide => {
            (const { &once::<i64>() }, |reader| reader.number::<i64>().map(Into::into))
        }
        OwnType::Int => (const { &once::<i32>() }, |reader| reader.number::<i32>().map(Into::into)),
        OwnType::Float if row.wide || layout.double => {
            (const { &once::<f64>() }, |reader| reader.number::<f64>().map(Into::into))
        }
        OwnType::Float => {
            (const { &once::<f32>() }, |reader| reader.number::<f32>().map(Into::into))
        }
        OwnType::String => (TEXT, |reader| reader.text().map(Into::into)),
        OwnType::StringName => (TEXT, |reader| Ok(Variant::StringName(reader.text()?).into())),
        OwnType::NodePath if layout.has_property => {
            (const { &once::<PropertyNodePath>() }, |reader| reader.node_path().map(Into::into))
        }
        OwnType::NodePath => {
            (const { &once::<ResourceNodePath>() }, |reader| reader.node_path().map(Into::into))
        }
        OwnType::Rid => (const { &once::<u32>() }, |reader| {
            Ok(Variant::Rid(reader.number::<u32>()?.into()).into())
        }),
        OwnType::Object => (const { &once::<ResourceReference<'static>>() }, |reader| {
            reader.reference().map(Into::into)
        }),
        OwnType::Callable => (&[], |_| Ok(Variant::Callable.into())),
        OwnType::Signal => (&[], |_| Ok(Signal::default().into())),
        OwnType::InputEvent => (&[], |_| Ok(InputEvent::default().into())),
        OwnType::Array => (const { &once::<ResourceArray>() }, |reader| reader.array()),
        OwnType::Dictionary => {
            (const { &once::<ResourceDictionary>() }, |reader| reader.dictionary())
        }
        OwnType::PackedByteArray => {
            (const { &once::<PaddedBytes<'static>>() }, |reader| reader.bytes().map(Into::into))
        }
        OwnType::PackedStringArray => {
            (const { &once::<ResourceTexts>() }, |reader| reader.texts().map(Into::into))
        }
        OwnType::Image => {
            (const { &once::<ResourceImage<'static>>() }, |reader| reader.image().map(Into::into))
        }
    }
}

impl<'a, R: Real> Reader<'a, R> {
    pub(super) fn new(input: Cursor<'a>, decoder: &'a Decoder<R>, layout: Layout) -> Self {
        let names_left = (input.all().len() as u64).saturating_mul(NAMES);
        let (names, targets) = (Vec::new(), Targets::default());
        Self { input, decoder, layout, names, names_left, targets }
    }

    pub(super) fn record<T>(&mut self) -> Result<T>
    where
        T: for<'b> BinRead<Args<'b> = ()> + Schema,
    {
        let endian = self.endian();
        read_record_in(&mut self.input, endian)
    }

    const fn endian(&self) -> Endian {
        endian(self.layout.order)
    }

    /// Refuses a count of items of at least `least` bytes each, if the input cannot hold them.
    pub(super) fn fits(&self, count: u64, least: u64, what: &str) -> Result<()> {
        let (needed, left) = (count.saturating_mul(least), self.input.left() as u64);
        if needed <= left {
            return Ok(());
        }
        let expected = format!("{count} {what} of at least {least} bytes");
        Err(Error::incomplete(self.input.position() as u64, needed - left, expected, left))
    }

    /// Reads a text.
    pub(super) fn text(&mut self) -> Result<VariantString> {
        let text: ResourceText<'_> = self.record()?;
        let end = self.input.position();
        self.decoded(&text.bytes, end)
    }

    /// Decodes the bytes of a text that end there.
    pub(super) fn decoded(&self, bytes: &[u8], end: usize) -> Result<VariantString> {
        decoded(bytes, self.decoder.dialect()).map_err(|at| cut_text(end - bytes.len() + at))
    }

    /// Reads a name: of a property, or a part of a path.
    pub(super) fn name(&mut self) -> Result<VariantString> {
        let start = self.input.position();
        let name: ResourceName<'_> = self.record()?;
        self.resolved(start, &name)
    }

    /// Looks up a name that starts there and was read last.
    pub(super) fn resolved(
        &mut self,
        start: usize,
        ResourceName { word, bytes }: &ResourceName<'_>,
    ) -> Result<VariantString> {
        let start = start as u64;
        if let Some(bytes) = bytes {
            return self.decoded(bytes, self.input.position());
        }
        let number = word.number();
        let Some(name) = self.names.get(number as usize) else {
            let expected = format!("a number below {}", self.names.len());
            return Err(Error::new(rule::NAME, start, expected, number.to_string()));
        };
        match self.names_left.checked_sub(name.as_bytes().len() as u64) {
            Some(left) => self.names_left = left,
            None => {
                let expected = format!("names that are together at most {NAMES} times the file");
                return Err(Error::new(rule::NAMES, start, expected, "more"));
            }
        }
        Ok(name.clone())
    }

    /// Reads a value.
    pub(super) fn value(&mut self) -> Result<Variant<R>> {
        // With each container how many values it still lacks; and how many have not begun in all of them.
        let mut builder = Builder::<R, u64>::new();
        let mut lacking = 1;
        self.value_into(&mut builder, &mut lacking).map_err(|error| error.under(builder.path()))
    }

    fn value_into(
        &mut self,
        builder: &mut Builder<R, u64>,
        lacking: &mut u64,
    ) -> Result<Variant<R>> {
        let limits = self.decoder.size_limits();
        let deepest = limits.depth.unwrap_or(Limits::DEPTH_WITHOUT_ENGINE_LIMIT) as usize;
        let same_keys = self.decoder.dialect().quirks().same_keys;
        loop {
            let start = self.input.position() as u64;
            *lacking = lacking.saturating_sub(1);
            let mut done = match self.piece()? {
                Piece::Value(value) => value,
                Piece::Open(front, count) => {
                    if builder.depth() == deepest {
                        let expected = format!("at most {deepest} containers in each other");
                        return Err(Error::new(Rule::DEPTH_LIMIT, start, expected, "one more"));
                    }
                    *lacking += count;
                    self.fits(*lacking, LEAST, "values")?;
                    let is_dictionary = front.variant_type == VariantType::Dictionary;
                    let room = if is_dictionary { count / 2 } else { count };
                    let making = Making::new(front, room as usize, Some(same_keys));
                    if count > 0 {
                        builder.open(making, count);
                        continue;
                    }
                    making.finish()
                }
            };
            // The innermost container continues, or is complete and becomes a value of the one around it.
            loop {
                let Some(value) = builder.put(done) else {
                    let Some((_, left)) = builder.innermost() else { break };
                    *left -= 1;
                    if *left > 0 {
                        break;
                    }
                    let Some((making, _)) = builder.close() else { break };
                    done = making.finish();
                    continue;
                };
                return Ok(value);
            }
        }
    }

    /// Reads the start of a value.
    fn piece(&mut self) -> Result<Piece<R>> {
        let start = self.input.position() as u64;
        let word: ValueWord = self.record()?;
        let number = word.value_type();
        let Some(row) = self.layout.row(number) else {
            let expected = "the number of a type";
            return Err(Error::new(rule::TYPE, start, expected, number.to_string()));
        };
        let within = |error: Error| error.within(row.variant_type.path_name());
        let numbers = Variant::from_numbers(row.variant_type, Source { reader: self });
        let own = match numbers {
            Ok(made) => return made.map(Piece::Value).map_err(within),
            Err(own) => own,
        };
        let (_, read) = self::own(own, row, self.layout);
        read(self).map_err(within)
    }

    /// Reads the start of an array.
    fn array(&mut self) -> Result<Piece<R>> {
        let ResourceArray { count, .. } = self.record()?;
        Ok(Piece::Open(Front::new(VariantType::Array), count.count().into()))
    }

    /// Reads the start of a dictionary.
    fn dictionary(&mut self) -> Result<Piece<R>> {
        let ResourceDictionary { count, .. } = self.record()?;
        Ok(Piece::Open(Front::new(VariantType::Dictionary), 2 * u64::from(count.count())))
    }

    fn bytes(&mut self) -> Result<Vec<u8>> {
        let bytes: PaddedBytes<'_> = self.record()?;
        Ok(bytes.bytes.0.into_owned())
    }

    /// Reads a number.
    fn number<T: Element>(&mut self) -> Result<T> {
        let numbers = self.elements::<T>(1)?;
        match numbers.as_slice() {
            [number] => Ok(*number),
            _ => Err(self.cut(T::BYTES)),
        }
    }

    /// Reads `count` math types or numbers.
    fn elements<T: Element>(&mut self, count: usize) -> Result<Vec<T>> {
        self.fits(count as u64, T::BYTES as u64, "elements")?;
        let args = CountArgs { count };
        let endian = self.endian();
        let block = Block::<'static, T>::read_options(&mut self.input, endian, args);
        block.map(|block| block.0.into_owned()).map_err(|_| self.cut(T::BYTES))
    }

    #[cold]
    fn cut(&self, size: usize) -> Error {
        let (size, left) = (size as u64, self.input.left() as u64);
        let offset = self.input.position() as u64;
        Error::incomplete(
            offset,
            size.saturating_sub(left),
            formwork::wire::bytes(size).to_string(),
            left,
        )
    }

    fn texts(&mut self) -> Result<Vec<VariantString>> {
        let ResourceTexts { count, .. } = self.record()?;
        self.list(count, ResourceText::LEAST as u64, "elements", Self::text)
    }

    /// Reads a list of `count` items of at least `least` bytes each.
    pub(super) fn list<T>(
        &mut self,
        count: u32,
        least: u64,
        name: &'static str,
        read: impl Fn(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.fits(count.into(), least, name).map_err(|error| error.within(name))?;
        let mut list = Vec::with_capacity(count as usize);
        for index in 0..u64::from(count) {
            list.push(read(self).map_err(|error| error.within(index).within(name))?);
        }
        Ok(list)
    }

    fn node_path(&mut self) -> Result<NodePath> {
        let ResourceNodePath { name_count, subname_count, .. } = match self.layout.has_property {
            true => {
                let PropertyNodePath { path, .. } = self.record()?;
                path
            }
            false => self.record()?,
        };
        let names = self.list(name_count.into(), NAME_LEAST, "names", Self::name)?;
        let count = subname_count.count();
        let mut subnames = self.list(count.into(), NAME_LEAST, "subnames", Self::name)?;
        let absolute = subname_count.absolute();
        let mut property = None;
        if self.layout.has_property {
            let name = self.name().map_err(|error| error.within("property"))?;
            match (name.is_empty(), self.decoder.dialect().quirks().whole_header) {
                (true, _) => {}
                // Godot 2 keeps it apart.
                (false, true) => property = Some(name),
                (false, false) => subnames.push(name),
            }
        }
        Ok(NodePath { absolute, names, subnames, property })
    }

    /// Reads an object: none, or a reference.
    fn reference(&mut self) -> Result<Object<R>> {
        let start = self.input.position() as u64;
        let reference: ResourceReference<'_> = self.record()?;
        let (is_external, number) = match reference {
            ResourceReference { kind: 0, .. } => return Ok(Object::Null),
            ResourceReference { kind: 1, external: Some(external), .. } => {
                return self.by_path(&external, start);
            }
            ResourceReference { kind: 2, index: Some(index), .. } => (false, index),
            ResourceReference { kind: 3, index: Some(index), .. } => (true, index),
            ResourceReference { kind, .. } => {
                let error = Error::new(rule::REFERENCE, start, "0 to 3", kind.to_string());
                return Err(error.within("kind"));
            }
        };
        let position = self.targets.position(is_external, number);
        let (name, number) = match position {
            Some(position) => ("index", position),
            None => ("missing", number),
        };
        let class = if is_external { "ExtResource" } else { "SubResource" };
        Ok(object(class, vec![(name, Variant::Int(number.into()))]))
    }

    fn by_path(&self, external: &ExternalResource<'_>, start: u64) -> Result<Object<R>> {
        let text = |text: &ResourceText<'_>| {
            let at = |at: usize| Error::new(rule::TEXT, start + at as u64, UTF8, "another byte");
            decoded(&text.bytes, self.decoder.dialect()).map_err(at)
        };
        let (class, path) = (text(&external.class)?, text(&external.path)?);
        let properties = vec![("class", Variant::String(class)), ("path", Variant::String(path))];
        Ok(object("ExtResource", properties))
    }

    fn image(&mut self) -> Result<Object<R>> {
        let start = self.input.position() as u64;
        let ResourceImage { encoding, size, data } = self.record()?;
        let Some(&name) = IMAGE_ENCODINGS.get(encoding as usize) else {
            let error = Error::new(rule::IMAGE, start, "0 to 3", encoding.to_string());
            return Err(error.within("encoding"));
        };
        let Some(data) = data else { return Ok(Object::Null) };
        let mut properties = vec![("encoding", Variant::from(name))];
        if let Some(RawImage { width, height, mipmaps, format }) = size {
            let numbers =
                [("width", width), ("height", height), ("mipmaps", mipmaps), ("format", format)];
            let number = |(name, number): (_, u32)| (name, Variant::Int(number.into()));
            properties.extend(numbers.map(number));
        }
        properties.push(("data", Variant::PackedByteArray(data.bytes.0.into_owned())));
        Ok(object("Image", properties))
    }
}

impl Targets {
    /// Returns the position of the target of a reference.
    fn position(&self, is_external: bool, number: u32) -> Option<u32> {
        match (is_external, self.positions) {
            (true, _) => (number < self.external).then_some(number),
            (false, Some(count)) => (number < count).then_some(number),
            (false, None) => self.numbers.get(&number).copied(),
        }
    }
}

/// An object with these properties.
fn object<R: Real>(class: &str, properties: Vec<(&str, Variant<R>)>) -> Object<R> {
    let properties = properties.into_iter().map(|(name, value)| (name.into(), value)).collect();
    Object::Full(Box::new(FullObject { class: class.into(), properties }))
}

/// The numbers of a value.
struct Source<'r, 'a, R: Real> {
    reader: &'r mut Reader<'a, R>,
}

impl<R: Real> Source<'_, '_, R> {
    /// Reads one math type of real numbers, of the width that the file has.
    fn real<T: RealMath<R>>(reader: &mut Reader<'_, R>) -> Result<T> {
        match reader.layout.double {
            true => reader.number::<T::In<f64>>().map(T::from_precision),
            false => reader.number::<T::In<f32>>().map(T::from_precision),
        }
    }

    fn count(&mut self) -> Result<usize> {
        self.reader.number::<u32>().map(|count| count as usize)
    }
}

impl<R: Real> NumberSource<R> for Source<'_, '_, R> {
    type Error = Error;

    fn real_math<T: RealMath<R>>(self) -> Result<T> {
        Self::real(self.reader)
    }

    fn math<T: Math>(self) -> Result<T> {
        self.reader.number()
    }

    fn packed_real_math<T: RealMath<R>>(mut self) -> Result<Vec<T>> {
        let count = self.count()?;
        let within = |error: Error| error.within("elements");
        match self.reader.layout.double {
            true => {
                let elements = self.reader.elements::<T::In<f64>>(count).map_err(within)?;
                Ok(elements.into_iter().map(T::from_precision).collect())
            }
            false => {
                let elements = self.reader.elements::<T::In<f32>>(count).map_err(within)?;
                Ok(elements.into_iter().map(T::from_precision).collect())
            }
        }
    }

    fn packed<T: Element>(mut self) -> Result<Vec<T>> {
        let count = self.count()?;
        self.reader.elements(count).map_err(|error| error.within("elements"))
    }
}
