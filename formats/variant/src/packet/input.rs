//! The types that only Godot 2 stores: images and input events.

use modular_bitfield::prelude::*;

use crate::{Image, InputEventKind};
use formwork::schema::numbered;
use formwork::{BinRead, BinWrite, OrEnd, Schema};
use formwork_records::schema::PAYLOAD_SIZE;
use formwork_records::wire::{Block, Padding};

/// A picture.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct ImageRecord<'a> {
    /// How a pixel is stored.
    #[schema(names = &numbered(Image::FORMATS))]
    pub format: u32,
    /// Number of smaller copies in the data.
    pub mipmaps: u32,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Bytes of pixel data; a negative length is none.
    pub length: i32,
    /// The pixels.
    #[br(count = length.max(0))]
    pub data: Block<'a, u8>,
    /// Zeros (the engine leaves what was in memory).
    #[br(args(length.max(0) as u64))]
    pub padding: OrEnd<Padding>,
}

/// The modifier keys held with a key.
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct ModifierWord {
    /// Not used.
    #[schema(zero)]
    pub unused: B25,
    /// Shift.
    pub shift: bool,
    /// Alt.
    pub alt: bool,
    /// Meta.
    pub meta: bool,
    /// Control.
    pub control: bool,
    /// Not used.
    #[schema(zero)]
    pub unused_high: B3,
}

/// The start of every input event.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct InputEventHead {
    /// Type of event.
    #[schema(names = &numbered(InputEventKind::NAMES))]
    pub event_type: u32,
    /// Number of the device.
    pub device: u32,
    /// Bytes after the header word, these twelve included.
    #[schema(family = PAYLOAD_SIZE)]
    pub length: u32,
}

/// A key (event type 1).
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct KeyEvent {
    /// Modifier keys.
    pub modifiers: ModifierWord,
    /// The engine's key code.
    pub scancode: u32,
}

/// A mouse button (3), joystick button (5) or touch (6).
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct NumberedEvent {
    /// Number of the button or finger.
    pub number: u32,
}

/// An axis of a joystick (event type 4).
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct AxisEvent {
    /// Number of the axis.
    pub axis: u32,
    /// Its position.
    pub value: f32,
}
