//! What only Godot 2 stores: images and input events.

use modular_bitfield::prelude::*;

use crate::schema::Meaning;
use crate::variant::{Image, InputEventKind};
use crate::wire::{bits, declare};

declare! {
    /// A picture.
    pub struct ImageRecord<'a> {
        /// How a pixel is stored.
        pub format: u32 [named Meaning::Named(&Image::FORMATS)],
        /// Number of smaller copies in the data.
        pub mipmaps: u32,
        /// Pixels across.
        pub width: u32,
        /// Pixels down.
        pub height: u32,
        /// Bytes of pixel data; a negative length is none.
        pub length: i32,
        /// The pixels.
        pub data: Block<'a, u8> [block length],
        /// Zeros (the engine leaves what was in memory).
        pub padding: Padding [after length or end],
    }
}

bits! {
    /// The modifier keys held with a key.
    pub struct ModifierWord: u32 {
        /// Not used.
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
        pub unused_high: B3,
    }
}

declare! {
    /// What every input event starts with.
    #[derive(Copy)]
    pub struct InputEventHead {
        /// Type of event.
        pub event_type: u32 [named Meaning::Named(&InputEventKind::NAMES)],
        /// Number of the device.
        pub device: u32,
        /// Bytes after the header word, these twelve included.
        pub length: u32 [named Meaning::PayloadSize],
    }
}

declare! {
    /// A key (event type 1).
    #[derive(Copy)]
    pub struct KeyEvent {
        /// Modifier keys.
        pub modifiers: ModifierWord,
        /// The engine's key code.
        pub scancode: u32,
    }
}

declare! {
    /// A mouse button (3), joystick button (5) or touch (6).
    #[derive(Copy)]
    pub struct NumberedEvent {
        /// Number of the button or finger.
        pub number: u32,
    }
}

declare! {
    /// An axis of a joystick (event type 4).
    #[derive(Copy)]
    pub struct AxisEvent {
        /// Number of the axis.
        pub axis: u32,
        /// Its position.
        pub value: f32,
    }
}
