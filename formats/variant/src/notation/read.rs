//! Reads what comes after tags, from any source of members.

#![deny(clippy::wildcard_enum_match_arm)]

use super::member::Member;
use super::record::{EventMembers, ID};
use super::type_members;
use crate::dialect::Dialect;
use crate::{
    ElementType, Front, Image, Math, NodePath, NumberSource, OwnType, Real, RealMath, Signal,
    Variant, VariantType,
};
use formwork_records::wire::Element;

/// Reads the content after the tag of a value that holds no others.
///
/// # Errors
///
/// Returns the type as an error if its values hold others, or if JSON has it itself. The inner result is the member's.
pub(crate) fn content<R: Real, M: Member>(
    variant_type: VariantType,
    dialect: Dialect,
    member: &mut M,
) -> Result<Result<Variant<R>, M::Error>, OwnType> {
    let own_type = match Variant::from_numbers(variant_type, List(member)) {
        Ok(made) => return Ok(made),
        Err(own_type) => own_type,
    };
    Ok(match own_type {
        OwnType::Float => member.float().map(Variant::Float),
        OwnType::String => member.characters().map(Variant::String),
        OwnType::StringName => member.text().map(Variant::StringName),
        OwnType::NodePath => member.record::<NodePath>(variant_type, dialect).map(Into::into),
        OwnType::Rid => member.number(ID).map(Variant::Rid),
        OwnType::Callable => member.null().map(|()| Variant::Callable),
        OwnType::Signal => member.record::<Signal>(variant_type, dialect).map(Into::into),
        OwnType::PackedByteArray => member.bytes().map(Variant::PackedByteArray),
        OwnType::PackedStringArray => member.texts().map(Variant::PackedStringArray),
        OwnType::Image => member.record::<Image>(variant_type, dialect).map(Into::into),
        OwnType::InputEvent => member.record::<EventMembers>(variant_type, dialect).map(Into::into),
        OwnType::Nil
        | OwnType::Bool
        | OwnType::Int
        | OwnType::Object
        | OwnType::Dictionary
        | OwnType::Array
        | OwnType::TypedArray
        | OwnType::PackedTypedArray => return Err(own_type),
    })
}

/// Numbers of any type, as a list.
struct List<'m, M>(&'m mut M);

impl<R: Real, M: Member> NumberSource<R> for List<'_, M> {
    type Error = M::Error;

    fn real_math<T: RealMath<R>>(self) -> Result<T, M::Error> {
        self.0.numbers()
    }

    fn math<T: Math>(self) -> Result<T, M::Error> {
        self.0.numbers()
    }

    fn packed_real_math<T: RealMath<R>>(self) -> Result<Vec<T>, M::Error> {
        self.0.numbers()
    }

    fn packed<T: Element>(self) -> Result<Vec<T>, M::Error> {
        self.0.numbers()
    }
}

/// Reads the members after the contents of an array or a dictionary.
pub(crate) fn read_attributes<M: Member>(
    front: &mut Front,
    dialect: Dialect,
    members: &mut M,
) -> Result<(), M::Error> {
    let names = type_members(front.variant_type);
    let known = if front.variant_type == VariantType::Array { &names[..1] } else { &names };
    let mut shared = None;
    while let Some(name) = members.next_name()? {
        if name == "shared" && shared.is_none() {
            shared = Some(members.bool()?);
            continue;
        }
        let place = known.iter().position(|known| name == *known);
        let declared = place.and_then(|place| front.types.get_mut(place)).ok_or_else(|| {
            members.unexpected(&name, "the end, or a member of the documented form")
        })?;
        if declared.is_some() {
            return Err(members.unexpected(&name, "each member once"));
        }
        *declared = Some(Box::new(members.element(dialect)?));
    }
    front.shared = shared.unwrap_or(front.shared);
    let needs_element =
        matches!(front.variant_type, VariantType::TypedArray | VariantType::PackedTypedArray);
    if needs_element && front.types[0].is_none() {
        return Err(members.missing(names[0]));
    }
    Ok(())
}

/// Returns the element type of an object with this member; [`None`] for a member of another name.
pub(crate) fn element_of<M: Member>(
    name: &str,
    member: &mut M,
) -> Result<Option<ElementType>, M::Error> {
    Ok(Some(match name {
        "class" => ElementType::Class(member.text()?),
        "script" => ElementType::Script(member.text()?),
        "id" => ElementType::Unknown(member.number("a number from 0 to 4294967295")?),
        _ => return Ok(None),
    }))
}
