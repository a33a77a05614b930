//! Fields that every save changes, even without any edit by the user.
//!
//! Decided by comparing states of the same projects in public repositories: 13 of one and 2 of
//! another with their layers.
//!
//! * Addresses are others at every save, and so are the pointers to them. In shape layers of which
//!   twelve, six and five states were compared nothing else ever changed.
//! * `__ID` is a running number over all shapes of all layers, from 1000 in steps of two, given anew at every save: if
//!   a layer loses a shape, all later layers change.
//! * The size of the world is memory that was never set. It spells a piece of a path of the author's,
//!   so that it was the same in all states saved by one person, and differs between two.
//! * The flags for what must be built again, and the mask of the tiles that the last build made, are
//!   the state of the program. They differ between projects; in the states compared they stayed.

use crate::terrain::{
    Attribute, Class, FrameConfiguration, MapFrame, Project, RoadPart, Tags, Typed,
};

/// A field that does not count.
#[derive(Debug)]
pub(super) struct Saved {
    /// The class of the object.
    pub(super) class: &'static str,
    /// The tag of the field.
    pub(super) field: &'static str,
    /// Condition on the object, if the rule holds only for some objects of the class: the tag of a string field, and
    /// its content.
    pub(super) only: Option<(&'static str, &'static str)>,
}

const fn saved(class: &Class, field: &'static str) -> Saved {
    Saved { class: class.name, field, only: None }
}

/// The fields that do not count, apart from addresses.
pub(super) const SAVED: &[Saved] = &[
    saved(Project::CLASS, Tags::<Project>::world_width),
    saved(Project::CLASS, Tags::<Project>::world_height),
    saved(MapFrame::CLASS, Tags::<MapFrame>::needs_terrain),
    saved(MapFrame::CLASS, Tags::<MapFrame>::needs_layers),
    saved(FrameConfiguration::CLASS, Tags::<FrameConfiguration>::generated_mask),
    Saved {
        only: Some((Tags::<Attribute>::name, "__ID")),
        ..saved(Attribute::CLASS, Tags::<Attribute>::value)
    },
];

/// The class whose `name` and `id` say what kind of part it is, not which one.
pub(super) const NAMELESS: &str = RoadPart::CLASS.name;
