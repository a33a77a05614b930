//! The effect of an incoming list or file on existing objects.

/// The effect of a list on the objects of a layer.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Mode {
    /// Objects of the list are changed if the layer has them and added if it does not; objects that are only in the
    /// layer are kept. An object that is in both keeps its id, and every bit of the numbers that are the same at six
    /// decimals.
    ///
    /// An object of the list is one of the layer if they have the same template and all numbers are the same at six
    /// decimals; among the remaining ones, if they have the same template and id (if the list has ids), or the same
    /// template and place. Each object of the layer is taken once.
    #[default]
    Update,
    /// As [`Mode::Update`], but objects that are only in the layer are deleted.
    Mirror,
    /// All objects of the layer are deleted, and those of the list are new.
    Replace,
    /// The objects of the layer are kept, and those of the list are added.
    Append,
}

impl Mode {
    /// Whether objects that are missing in the list are deleted.
    #[must_use]
    pub const fn deletes(self) -> bool {
        matches!(self, Self::Mirror | Self::Replace)
    }
}
