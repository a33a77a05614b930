//! The types that only Godot 2 stores as plain values: images and input events.

/// A picture. Godot 2; later engines store an object.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct Image {
    /// The storage format of a pixel.
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
    /// The largest width and height, in pixels.
    const LARGEST: u32 = 16384;

    /// Returns whether the engine keeps the image unchanged: its data has exactly the size that format, width,
    /// height and mipmaps require. The engine replaces any other image by the empty one.
    #[must_use]
    pub fn is_as_engine_keeps(&self) -> bool {
        if self.data.is_empty() {
            return *self == Self::default();
        }
        let sides = 1..=Self::LARGEST;
        sides.contains(&self.width)
            && sides.contains(&self.height)
            && self.data_size().is_none_or(|size| size == self.data.len() as u64)
    }

    /// Bytes of data that the format demands; [`None`] for a custom format, which may have any.
    pub(crate) fn data_size(&self) -> Option<u64> {
        /// For each format: bytes of a pixel, the shift to the right of their number, bytes of palette.
        const LAYOUTS: [(u64, u32, u64); 22] = [
            (1, 0, 0),
            (1, 0, 0),
            (2, 0, 0),
            (3, 0, 0),
            (4, 0, 0),
            (1, 0, 768),
            (1, 0, 1024),
            (2, 0, 0),
            (3, 0, 0),
            (1, 1, 0),
            (1, 0, 0),
            (1, 0, 0),
            (1, 1, 0),
            (1, 0, 0),
            (1, 2, 0),
            (1, 2, 0),
            (1, 1, 0),
            (1, 1, 0),
            (1, 1, 0),
            (1, 1, 0),
            (1, 0, 0),
            (1, 0, 0),
        ];
        let (bytes, shift, palette) = *LAYOUTS.get(self.format as usize)?;
        let (mut width, mut height) = (u64::from(self.width), u64::from(self.height));
        let level = |width: u64, height: u64| (width * height * bytes) >> shift;
        let mut size = level(width, height);
        let mut made = 0;
        // A negative number of mipmaps means all of them, down to one pixel.
        let wanted = i32::try_from(self.mipmaps).unwrap_or(i32::MAX);
        while made < wanted && (width, height) != (1, 1) {
            (width, height) = ((width / 2).max(1), (height / 2).max(1));
            size += level(width, height);
            made += 1;
        }
        if i32::try_from(self.mipmaps).is_ok() {
            // Beyond the last level the engine adds single pixels.
            size += (wanted - made) as u64 * level(1, 1);
        }
        Some(size + palette)
    }
}

/// An input event. Godot 2; later engines store an object.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InputEvent {
    /// Number of the device it came from.
    pub device: u32,
    /// The kind of event, as far as the engine stores it.
    pub kind: InputEventKind,
}

/// The types of input events. Pressed state, positions and texts are not stored by the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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

impl InputEventKind {
    /// The names of the types, by number.
    pub const NAMES: [&'static str; 9] = [
        "NONE",
        "KEY",
        "MOUSE_MOTION",
        "MOUSE_BUTTON",
        "JOYSTICK_MOTION",
        "JOYSTICK_BUTTON",
        "SCREEN_TOUCH",
        "SCREEN_DRAG",
        "ACTION",
    ];

    /// The type's number.
    #[must_use]
    pub const fn number(self) -> u32 {
        match self {
            Self::None => 0,
            Self::Key { .. } => 1,
            Self::MouseMotion => 2,
            Self::MouseButton { .. } => 3,
            Self::JoystickMotion { .. } => 4,
            Self::JoystickButton { .. } => 5,
            Self::ScreenTouch { .. } => 6,
            Self::ScreenDrag => 7,
            Self::Action => 8,
            Self::Other { number } => number,
        }
    }
}

/// The modifier keys held with a key.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
