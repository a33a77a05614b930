//! The types that only Godot 2 stores: images and input events.

use std::borrow::Cow;

use super::Writing;
use crate::codec::rule;
use crate::packet::{
    AxisEvent, ImageRecord, InputEventHead, KeyEvent, ModifierWord, NumberedEvent,
};
use crate::{Image, InputEvent, InputEventKind};
use formwork::Result;
use formwork_records::wire::{Block, Padding};

impl Writing {
    pub(super) fn image(&mut self, image: &Image) -> Result<()> {
        if image.format as usize >= Image::FORMATS.len() || !image.is_as_engine_keeps() {
            let expected = "an image whose data has the size that its format demands";
            let found = format!("format {}, {} bytes", image.format, image.data.len());
            return Err(self.refuse(rule::IMAGE_FORMAT, expected, found));
        }
        self.count(image.data.len())?;
        self.out.record(&ImageRecord {
            format: image.format,
            mipmaps: image.mipmaps,
            width: image.width,
            height: image.height,
            length: image.data.len() as i32,
            data: Block(Cow::Borrowed(&image.data)),
            padding: Padding::or_end(image.data.len()),
        })
    }

    pub(super) fn input_event(&mut self, event: &InputEvent) -> Result<()> {
        match event.kind {
            // Above these the engine keeps and writes any number.
            InputEventKind::Other { number } if (number as usize) < InputEventKind::NAMES.len() => {
                let expected = "a number that no type of input event has";
                return Err(self.refuse(rule::INPUT_EVENT_TYPE, expected, number.to_string()));
            }
            InputEventKind::JoystickMotion { value, .. }
                if value.is_some() != self.quirks.joystick_value =>
            {
                let dialect = self.encoder.dialect;
                let [expected, found] = match value {
                    Some(_) => ["no position of the axis", "one"],
                    None => ["the position of the axis", "none"],
                };
                let expected = format!("{expected}, as {dialect} stores it");
                return Err(self.refuse(rule::DIALECT_VALUE, expected, found));
            }
            InputEventKind::None
            | InputEventKind::Key { .. }
            | InputEventKind::MouseMotion
            | InputEventKind::MouseButton { .. }
            | InputEventKind::JoystickMotion { .. }
            | InputEventKind::JoystickButton { .. }
            | InputEventKind::ScreenTouch { .. }
            | InputEventKind::ScreenDrag
            | InputEventKind::Action
            | InputEventKind::Other { .. } => {}
        }
        let rest = match event.kind {
            InputEventKind::Key { .. } | InputEventKind::JoystickMotion { value: Some(_), .. } => 8,
            InputEventKind::MouseButton { .. }
            | InputEventKind::JoystickMotion { value: None, .. }
            | InputEventKind::JoystickButton { .. }
            | InputEventKind::ScreenTouch { .. } => 4,
            InputEventKind::None
            | InputEventKind::MouseMotion
            | InputEventKind::ScreenDrag
            | InputEventKind::Action
            | InputEventKind::Other { .. } => 0,
        };
        let (event_type, length) = (event.kind.number(), 12 + rest);
        self.out.record(&InputEventHead { event_type, device: event.device, length })?;
        match event.kind {
            InputEventKind::Key { modifiers, scancode } => {
                let modifiers = ModifierWord::new()
                    .with_shift(modifiers.shift)
                    .with_alt(modifiers.alt)
                    .with_meta(modifiers.meta)
                    .with_control(modifiers.control);
                self.out.record(&KeyEvent { modifiers, scancode })
            }
            InputEventKind::JoystickMotion { axis, value: Some(value) } => {
                self.out.record(&AxisEvent { axis, value })
            }
            InputEventKind::MouseButton { button: number }
            | InputEventKind::JoystickButton { button: number }
            | InputEventKind::ScreenTouch { index: number }
            | InputEventKind::JoystickMotion { axis: number, value: None } => {
                self.out.record(&NumberedEvent { number })
            }
            InputEventKind::None
            | InputEventKind::MouseMotion
            | InputEventKind::ScreenDrag
            | InputEventKind::Action
            | InputEventKind::Other { .. } => Ok(()),
        }
    }
}
