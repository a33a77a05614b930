//! The types that are records: the members of each, while they are read.

use super::member::{Member, Record};
use crate::dialect::Dialect;
use crate::{Image, InputEvent, InputEventKind, Modifiers, NodePath, Signal, VariantString};

/// The expected form of the number of an object or resource.
pub(crate) const ID: &str = "a number from 0 to 18446744073709551615";

/// The expected form of an input event.
pub(crate) const EVENT: &str = "a type of input event with its own members";

/// The expected form of most members of the records of Godot 2.
const WORD: &str = "a number from 0 to 4294967295";

/// Returns the path that a text means in this dialect.
pub(crate) fn parse_path(text: &VariantString, dialect: Dialect) -> NodePath {
    let path = NodePath::parse(text);
    if dialect.quirks().node_path_property { path.with_property() } else { path }
}

/// A path that its text does not reproduce, in parts.
impl Record for NodePath {
    type Made = Self;
    const PARSE: Option<fn(&VariantString, Dialect) -> Self> = Some(parse_path);

    fn take<M: Member>(&mut self, name: &str, member: &mut M) -> Result<bool, M::Error> {
        match name {
            "absolute" => self.absolute = member.bool()?,
            "names" => self.names = member.texts()?,
            "subnames" => self.subnames = member.texts()?,
            "property" => self.property = member.maybe_text()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Record for Signal {
    type Made = Self;

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
    type Made = Self;

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

/// Returns the names of the modifier keys that are held.
pub(super) fn held(mut modifiers: Modifiers) -> Vec<&'static str> {
    let held = |name: &&str| modifier(&mut modifiers, name).is_some_and(|held| *held);
    MODIFIERS.into_iter().filter(held).collect()
}

impl EventMembers {
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
    type Made = InputEvent;

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

/// The event with these members, if all of them belong to its type; otherwise its kind.
impl TryFrom<EventMembers> for InputEvent {
    type Error = String;

    fn try_from(mut members: EventMembers) -> Result<Self, String> {
        let device = members.device;
        let kind = members.take_kind().map(|kind| Self { device, kind });
        let EventMembers { scancode, button, axis, index, number, .. } = members;
        let used_up = members.modifiers.is_none()
            && members.value.is_none()
            && [scancode, button, axis, index, number] == [None; 5];
        kind.filter(|_| used_up).ok_or(members.kind)
    }
}
