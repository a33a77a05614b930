//! The two types that only Godot 2 stores: images and input events.

use super::Reader;
use crate::codec::rule;
use crate::packet::{AxisEvent, ImageRecord, InputEventHead, KeyEvent, NumberedEvent};
use crate::{Image, InputEvent, InputEventKind, Modifiers};
use formwork::{Error, Result};
use formwork_records::schema::{Sizes, offset};
use formwork_records::wire::word;

/// Bytes of an image before its data.
const IMAGE_HEAD: usize = <ImageRecord<'_> as Sizes>::LEAST;
/// Offset of the length in an input event.
const EVENT_LENGTH: usize = offset::<InputEventHead, u32>("length");
/// Offset of the length of an image's data.
const IMAGE_LENGTH: usize = offset::<ImageRecord<'_>, i32>("length");

impl Reader<'_, '_> {
    pub(super) fn image(&mut self) -> Result<Image> {
        let start = self.input.position();
        let rest = self.input.rest();
        let (Some(format), Some(mipmaps), Some(width), Some(height), Some(length)) = (
            word!(rest, ImageRecord<'static>, format: u32),
            word!(rest, ImageRecord<'static>, mipmaps: u32),
            word!(rest, ImageRecord<'static>, width: u32),
            word!(rest, ImageRecord<'static>, height: u32),
            word!(rest, ImageRecord<'static>, length: i32),
        ) else {
            return Err(self.cut_head(IMAGE_HEAD));
        };
        if format as usize >= Image::FORMATS.len() {
            let expected = format!("a format below {}", Image::FORMATS.len());
            return Err(Error::new(rule::IMAGE_FORMAT, start as u64, expected, format.to_string()));
        }
        let Ok(bytes) = usize::try_from(length) else {
            // To the engine, a negative length is no data.
            self.warn(rule::IMAGE_FORMAT, start + IMAGE_LENGTH, length)?;
            self.input.take(IMAGE_HEAD);
            return Ok(Image::default());
        };
        self.within_limits(bytes as u64, start + IMAGE_LENGTH)?;
        let image = match self.unpadded(start + IMAGE_HEAD, bytes)? {
            Some(data) => Image { format, mipmaps, width, height, data: data.to_vec() },
            None => {
                let record = self.read::<ImageRecord<'_>>()?;
                self.padding_or_end(rule::BYTES_PADDING, record.padding, record.data.len())?;
                Image {
                    format: record.format,
                    mipmaps: record.mipmaps,
                    width: record.width,
                    height: record.height,
                    data: record.data.0.into_owned(),
                }
            }
        };
        if image.is_as_engine_keeps() {
            return Ok(image);
        }
        self.warn(rule::IMAGE_FORMAT, start, "data of another size")?;
        Ok(Image::default())
    }

    pub(super) fn input_event(&mut self) -> Result<InputEvent> {
        let start = self.input.position();
        if (8..12).contains(&self.input.left()) && !self.is_canonical() {
            return self.input_event_without_length();
        }
        let head = self.read::<InputEventHead>()?;
        let kind = match head.event_type {
            0 => InputEventKind::None,
            1 => {
                let key = self.read::<KeyEvent>()?;
                let modifiers = Modifiers {
                    shift: key.modifiers.shift(),
                    alt: key.modifiers.alt(),
                    meta: key.modifiers.meta(),
                    control: key.modifiers.control(),
                };
                if key.modifiers.unused() != 0 || key.modifiers.unused_high() != 0 {
                    self.warn(rule::HEADER_FLAGS, start + 12, "other modifiers")?;
                }
                InputEventKind::Key { modifiers, scancode: key.scancode }
            }
            2 => InputEventKind::MouseMotion,
            3 => InputEventKind::MouseButton { button: self.read::<NumberedEvent>()?.number },
            4 if !self.quirks.joystick_value => {
                let axis = self.read::<NumberedEvent>()?.number;
                InputEventKind::JoystickMotion { axis, value: None }
            }
            4 => {
                let motion = self.read::<AxisEvent>()?;
                InputEventKind::JoystickMotion { axis: motion.axis, value: Some(motion.value) }
            }
            5 => InputEventKind::JoystickButton { button: self.read::<NumberedEvent>()?.number },
            6 => InputEventKind::ScreenTouch { index: self.read::<NumberedEvent>()?.number },
            7 => InputEventKind::ScreenDrag,
            8 => InputEventKind::Action,
            number => {
                self.warn(rule::INPUT_EVENT_TYPE, start, number)?;
                InputEventKind::Other { number }
            }
        };
        let length = (self.input.position() - start) as u32;
        if head.length != length {
            self.warn(rule::INPUT_EVENT_LENGTH, start + EVENT_LENGTH, head.length)?;
        }
        Ok(InputEvent { device: head.device, kind })
    }

    /// The engine does not check whether the length word of an event without further words is there.
    fn input_event_without_length(&mut self) -> Result<InputEvent> {
        let start = self.input.position();
        let rest = self.input.rest();
        let (Some(event_type), Some(device)) = (
            word!(rest, InputEventHead, event_type: u32),
            word!(rest, InputEventHead, device: u32),
        ) else {
            return Err(self.cut_head(EVENT_LENGTH));
        };
        self.input.take(EVENT_LENGTH);
        let kind = match event_type {
            0 => InputEventKind::None,
            2 => InputEventKind::MouseMotion,
            7 => InputEventKind::ScreenDrag,
            8 => InputEventKind::Action,
            1 | 3..=6 => {
                let left = self.input.left() as u64;
                let offset = self.input.position() as u64;
                return Err(Error::incomplete(offset, 4 - left, "4 bytes", left));
            }
            number => InputEventKind::Other { number },
        };
        let left = self.input.left();
        self.warn(
            rule::INPUT_EVENT_LENGTH,
            start + EVENT_LENGTH,
            format_args!("{}", formwork::wire::bytes(left)),
        )?;
        self.input.take(left);
        Ok(InputEvent { device, kind })
    }
}
