//! The types that are records: the names and forms of their members.

use crate::dialect::Dialect;
use crate::{Image, InputEvent, InputEventKind, Modifiers, NodePath, Signal, VariantString};

/// The form of a member.
pub(crate) enum Shown<'v> {
    /// A string of an engine.
    Text(&'v VariantString),
    /// A list of strings.
    Texts(&'v [VariantString]),
    /// One of a few keywords.
    Word(&'v str),
    /// Any of several keywords.
    Words(Vec<&'static str>),
    /// A number that is not negative.
    Number(u64),
    Bool(bool),
    /// Bytes, in base64.
    Bytes(&'v [u8]),
    Single(f32),
}

/// A member that is being read: one of these methods takes it.
pub(crate) trait Member {
    /// The error of reading a member.
    type Error;

    fn text(&mut self) -> Result<VariantString, Self::Error>;

    /// A text, or null.
    fn maybe_text(&mut self) -> Result<Option<VariantString>, Self::Error>;

    fn texts(&mut self) -> Result<Vec<VariantString>, Self::Error>;

    fn word(&mut self) -> Result<String, Self::Error>;

    /// A list of words, each of which `take` must know.
    fn words(
        &mut self,
        expected: &'static str,
        take: impl FnMut(&str) -> bool,
    ) -> Result<(), Self::Error>;

    fn number<T: TryFrom<u64>>(&mut self, expected: &'static str) -> Result<T, Self::Error>;

    fn bool(&mut self) -> Result<bool, Self::Error>;

    fn bytes(&mut self) -> Result<Vec<u8>, Self::Error>;

    fn single(&mut self) -> Result<f32, Self::Error>;
}

/// A value that consists of named members. Missing members are 0, empty or false.
pub(crate) trait Record: Default {
    /// Returns the members to write.
    fn members(&self) -> Vec<(&'static str, Shown<'_>)>;

    /// Reads the member of this name. Returns false if there is none.
    fn take<M: Member>(&mut self, name: &str, member: &mut M) -> Result<bool, M::Error>;
}

/// The expected form of the number of an object or resource.
pub(crate) const ID: &str = "a number from 0 to 18446744073709551615";

/// The expected form of most members of the records of Godot 2.
const WORD: &str = "a number from 0 to 4294967295";

/// A path that its text does not reproduce, in parts.
#[derive(Default)]
pub(crate) struct PathMembers(pub(crate) NodePath);

impl PathMembers {
    /// Returns the path that a text means in this dialect.
    pub(crate) fn parse(text: &VariantString, dialect: Dialect) -> NodePath {
        let path = NodePath::parse(text);
        if dialect.quirks().node_path_property { path.with_property() } else { path }
    }

    /// Returns the text of a path, if the text reproduces the path.
    pub(crate) fn text(path: &NodePath, dialect: Dialect) -> Option<String> {
        let text = path.to_text();
        let gives_back = text.as_str().is_some() && Self::parse(&text, dialect) == *path;
        gives_back.then(|| text.into_string().unwrap_or_default())
    }

    /// Returns the members of a path.
    pub(crate) fn of(path: &NodePath) -> Vec<(&'static str, Shown<'_>)> {
        let mut members = vec![
            ("absolute", Shown::Bool(path.absolute)),
            ("names", Shown::Texts(&path.names)),
            ("subnames", Shown::Texts(&path.subnames)),
        ];
        members.extend(path.property.as_ref().map(|text| ("property", Shown::Text(text))));
        members
    }
}

impl Record for PathMembers {
    fn members(&self) -> Vec<(&'static str, Shown<'_>)> {
        Self::of(&self.0)
    }

    fn take<M: Member>(&mut self, name: &str, member: &mut M) -> Result<bool, M::Error> {
        match name {
            "absolute" => self.0.absolute = member.bool()?,
            "names" => self.0.names = member.texts()?,
            "subnames" => self.0.subnames = member.texts()?,
            "property" => self.0.property = member.maybe_text()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Record for Signal {
    fn members(&self) -> Vec<(&'static str, Shown<'_>)> {
        vec![("name", Shown::Text(&self.name)), ("object_id", Shown::Number(self.object_id))]
    }

    fn take<M: Member>(&mut self, name: &str, member: &mut M) -> Result<bool, M::Error> {
        match name {
            "name" => self.name = member.text()?,
            "object_id" => self.object_id = member.number(ID)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Record for Image {
    fn members(&self) -> Vec<(&'static str, Shown<'_>)> {
        vec![
            ("format", Shown::Number(self.format.into())),
            ("mipmaps", Shown::Number(self.mipmaps.into())),
            ("width", Shown::Number(self.width.into())),
            ("height", Shown::Number(self.height.into())),
            ("data", Shown::Bytes(&self.data)),
        ]
    }

    fn take<M: Member>(&mut self, name: &str, member: &mut M) -> Result<bool, M::Error> {
        match name {
            "format" => self.format = member.number(WORD)?,
            "mipmaps" => self.mipmaps = member.number(WORD)?,
            "width" => self.width = member.number(WORD)?,
            "height" => self.height = member.number(WORD)?,
            "data" => self.data = member.bytes()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// The members of all kinds of input events; which of them there are depends on the kind.
#[derive(Default)]
pub(crate) struct EventMembers {
    kind: String,
    device: u32,
    modifiers: Option<Modifiers>,
    scancode: Option<u32>,
    button: Option<u32>,
    axis: Option<u32>,
    value: Option<f32>,
    index: Option<u32>,
    number: Option<u32>,
}

/// The names of the modifier keys.
const MODIFIERS: [&str; 4] = ["shift", "alt", "meta", "control"];

/// The modifier key of this name.
fn modifier<'a>(modifiers: &'a mut Modifiers, name: &str) -> Option<&'a mut bool> {
    Some(match name {
        "shift" => &mut modifiers.shift,
        "alt" => &mut modifiers.alt,
        "meta" => &mut modifiers.meta,
        "control" => &mut modifiers.control,
        _ => return None,
    })
}

impl EventMembers {
    /// The expected form of an event.
    pub(crate) const EXPECTED: &'static str = "a type of input event with its own members";

    /// Returns the members of an event.
    pub(crate) fn of(event: &InputEvent) -> Self {
        let none = Self { device: event.device, ..Self::default() };
        let of = |kind: &str, members: Self| Self { kind: kind.to_owned(), ..members };
        match event.kind {
            InputEventKind::None => of("none", none),
            InputEventKind::Key { modifiers, scancode } => {
                of("key", Self { modifiers: Some(modifiers), scancode: Some(scancode), ..none })
            }
            InputEventKind::MouseMotion => of("mouse_motion", none),
            InputEventKind::MouseButton { button } => {
                of("mouse_button", Self { button: Some(button), ..none })
            }
            InputEventKind::JoystickMotion { axis, value } => {
                of("joystick_motion", Self { axis: Some(axis), value, ..none })
            }
            InputEventKind::JoystickButton { button } => {
                of("joystick_button", Self { button: Some(button), ..none })
            }
            InputEventKind::ScreenTouch { index } => {
                of("screen_touch", Self { index: Some(index), ..none })
            }
            InputEventKind::ScreenDrag => of("screen_drag", none),
            InputEventKind::Action => of("action", none),
            InputEventKind::Other { number } => of("other", Self { number: Some(number), ..none }),
        }
    }

    /// Returns the event with these members, if all of them belong to its type; otherwise its kind.
    pub(crate) fn event(mut self) -> Result<InputEvent, String> {
        let device = self.device;
        let kind = self.take_kind().map(|kind| InputEvent { device, kind });
        let used_up = self.modifiers.is_none()
            && self.value.is_none()
            && [self.scancode, self.button, self.axis, self.index, self.number] == [None; 5];
        kind.filter(|_| used_up).ok_or(self.kind)
    }

    fn take_kind(&mut self) -> Option<InputEventKind> {
        Some(match self.kind.as_str() {
            "none" => InputEventKind::None,
            "key" => InputEventKind::Key {
                modifiers: self.modifiers.take().unwrap_or_default(),
                scancode: self.scancode.take()?,
            },
            "mouse_motion" => InputEventKind::MouseMotion,
            "mouse_button" => InputEventKind::MouseButton { button: self.button.take()? },
            "joystick_motion" => {
                InputEventKind::JoystickMotion { axis: self.axis.take()?, value: self.value.take() }
            }
            "joystick_button" => InputEventKind::JoystickButton { button: self.button.take()? },
            "screen_touch" => InputEventKind::ScreenTouch { index: self.index.take()? },
            "screen_drag" => InputEventKind::ScreenDrag,
            "action" => InputEventKind::Action,
            "other" => InputEventKind::Other { number: self.number.take()? },
            _ => return None,
        })
    }
}

impl Record for EventMembers {
    fn members(&self) -> Vec<(&'static str, Shown<'_>)> {
        let mut members =
            vec![("type", Shown::Word(&self.kind)), ("device", Shown::Number(self.device.into()))];
        if let Some(mut modifiers) = self.modifiers {
            let held = |name: &&str| modifier(&mut modifiers, name).is_some_and(|held| *held);
            members.push(("modifiers", Shown::Words(MODIFIERS.into_iter().filter(held).collect())));
        }
        let numbers = [
            ("scancode", self.scancode),
            ("button", self.button),
            ("axis", self.axis),
            ("index", self.index),
            ("number", self.number),
        ];
        for (name, number) in numbers {
            members.extend(number.map(|number| (name, Shown::Number(number.into()))));
        }
        members.extend(self.value.map(|value| ("value", Shown::Single(value))));
        members
    }

    fn take<M: Member>(&mut self, name: &str, member: &mut M) -> Result<bool, M::Error> {
        match name {
            "type" => self.kind = member.word()?,
            "device" => self.device = member.number(WORD)?,
            "modifiers" => {
                let mut modifiers = Modifiers::default();
                member.words("\"shift\", \"alt\", \"meta\" or \"control\"", |name| {
                    modifier(&mut modifiers, name).map(|held| *held = true).is_some()
                })?;
                self.modifiers = Some(modifiers);
            }
            "scancode" => self.scancode = Some(member.number(WORD)?),
            "button" => self.button = Some(member.number(WORD)?),
            "axis" => self.axis = Some(member.number(WORD)?),
            "value" => self.value = Some(member.single()?),
            "index" => self.index = Some(member.number(WORD)?),
            "number" => self.number = Some(member.number(WORD)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}
