//! What becomes of what is there when a list or a file comes in.

/// What becomes of the objects that a layer has.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Mode {
    /// Objects of the list are changed where the layer has them and added where it does not; what is
    /// in the layer only stays. An object that is in the layer and in the list keeps its id, and every
    /// bit of the numbers that are the same at six decimals.
    ///
    /// An object of the list is one of the layer if they have the same template and all numbers are
    /// the same at six decimals; what is left over, if they have the same template and id (where the
    /// list has ids), or the same template and place. Each object of the layer is taken once.
    #[default]
    Update,
    /// As [`Mode::Update`], but objects that are in the layer only are deleted.
    Mirror,
    /// All objects of the layer are deleted, and those of the list are new.
    Replace,
    /// The objects of the layer stay, and those of the list are added.
    Append,
}

impl Mode {
    /// Whether objects that the list does not have are deleted.
    #[must_use]
    pub const fn deletes(self) -> bool {
        matches!(self, Self::Mirror | Self::Replace)
    }
}
