//! The JSON forms of the element types of containers.

use super::record::{Member, Shown};
use crate::ElementType;
use crate::dialect::Dialect;

/// The form of an element type.
pub(crate) enum ElementForm<'v> {
    /// The name of a built-in type.
    Name(&'static str),
    /// An object with one member.
    Member(&'static str, Shown<'v>),
}

/// Returns the form of an element type.
pub(crate) fn element_form(element: &ElementType, dialect: Dialect) -> ElementForm<'_> {
    match element {
        ElementType::Builtin(builtin) => ElementForm::Name(dialect.type_name(*builtin)),
        ElementType::Class(class) => ElementForm::Member("class", Shown::Text(class)),
        ElementType::Script(path) => ElementForm::Member("script", Shown::Text(path)),
        ElementType::Unknown(id) => ElementForm::Member("id", Shown::Number((*id).into())),
    }
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
