//! What only Godot 2 stores as plain values: images and input events.

/// A picture. Godot 2; later engines store an object.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Image {
    /// How a pixel is stored.
    pub format: u32,
    /// Number of smaller copies that follow the picture in `data`.
    pub mipmaps: u32,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// The pixels.
    pub data: Vec<u8>,
}

impl Image {
    /// The names of the pixel formats, by number. (Godot 1.0 and 2.1 agree.)
    pub const FORMATS: [&'static str; 23] = [
        "GRAYSCALE",
        "INTENSITY",
        "GRAYSCALE_ALPHA",
        "RGB",
        "RGBA",
        "INDEXED",
        "INDEXED_ALPHA",
        "YUV_422",
        "YUV_444",
        "BC1",
        "BC2",
        "BC3",
        "BC4",
        "BC5",
        "PVRTC2",
        "PVRTC2_ALPHA",
        "PVRTC4",
        "PVRTC4_ALPHA",
        "ETC",
        "ATC",
        "ATC_ALPHA_EXPLICIT",
        "ATC_ALPHA_INTERPOLATED",
        "CUSTOM",
    ];
}

impl Image {
    /// Whether the engine keeps the image as it is: anything else it turns into the empty one.
    #[must_use]
    pub fn is_as_engine_keeps(&self) -> bool {
        self.data.is_empty() == (*self == Self::default())
    }
}

/// An input event. Godot 2; later engines store an object.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct InputEvent {
    /// Number of the device it came from.
    pub device: u32,
    /// What happened, as far as the engine stores it.
    pub kind: InputEventKind,
}

/// The types of input events. Pressed state, positions and texts are not stored by the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[non_exhaustive]
pub enum InputEventKind {
    /// Nothing.
    #[default]
    None,
    /// A key of the keyboard.
    Key {
        /// Shift, alt, meta and control.
        modifiers: Modifiers,
        /// The engine's key code.
        scancode: u32,
    },
    /// The mouse moved.
    MouseMotion,
    /// A mouse button.
    MouseButton {
        /// Number of the button.
        button: u32,
    },
    /// An axis of a joystick moved.
    JoystickMotion {
        /// Number of the axis.
        axis: u32,
        /// Its position; Godot 1.0 to 2.0 do not store it.
        value: Option<f32>,
    },
    /// A joystick button.
    JoystickButton {
        /// Number of the button.
        button: u32,
    },
    /// A finger touched the screen.
    ScreenTouch {
        /// Number of the finger.
        index: u32,
    },
    /// A finger moved on the screen.
    ScreenDrag,
    /// A named action.
    Action,
    /// A type number above those the engine has.
    Other {
        /// The number.
        number: u32,
    },
}

/// The modifier keys held with a key.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[allow(clippy::struct_excessive_bools, reason = "they are four independent keys")]
pub struct Modifiers {
    /// Shift.
    pub shift: bool,
    /// Alt.
    pub alt: bool,
    /// Meta (the Windows or command key).
    pub meta: bool,
    /// Control.
    pub control: bool,
}
