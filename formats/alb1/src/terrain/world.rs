//! Rasters: heights, satellite images, masks.

use super::class::classes;
use super::form::{Bool, Doubles, FilePath, Float, Label, MapOf, Nested, SignedInt, UnsignedInt};
use super::pairs::Pairs;
use crate::Text;

classes! {
    /// The container of the rasters.
    "CWorld", Seen => pub struct World {
        /// The rasters.
        pub contents: Rasters => Nested<Rasters>, "mcontents";
    }

    /// The rasters of a project.
    "CWorldContentManager", Seen => pub struct Rasters {
        /// By their number.
        pub rasters: Pairs<i32, Raster> => MapOf<SignedInt, Nested<Raster>>, "mcontents";
    }

    /// A raster.
    "CWorldContent", Seen => pub struct Raster {
        /// Its name: usually its path.
        pub name: Text => Label, "name";
        /// Its path; empty for the height field of a map frame.
        pub file: Text => FilePath, "filename";
        /// Whether it is locked.
        pub locked: bool => Bool, "locked";
        /// Whether it is locked to the map frame.
        pub locked_to_frame: bool => Bool, "lockedToMapFrame";
        /// The kind of the raster; see [`RasterKind`].
        pub kind: i32 => SignedInt, "type";
        /// Its number.
        pub id: u32 => UnsignedInt, "mid";
        /// Left, top, right, bottom in metres. (A map frame has bottom before top.)
        pub bounds: [f64; 4] => Doubles<4>, "viewdouble";
        /// How opaque it is drawn, from 0 to 1.
        pub opacity: f32 => Float, "malphaBlend";
        /// Whether it is shown.
        pub visible: bool => Bool, "misVisible";
        /// Its place in the stack.
        pub layer: i32 => SignedInt, "mlayerIndex";
    }
}

/// Kind of a raster.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum RasterKind {
    /// 0: heights.
    Heights,
    /// 1: a satellite image.
    Satellite,
    /// 2: a surface mask.
    SurfaceMask,
    /// 3: a normal map.
    NormalMap,
}

impl RasterKind {
    /// Returns the kind with a number, if it is known.
    #[must_use]
    pub const fn of(number: i32) -> Option<Self> {
        Some(match number {
            0 => Self::Heights,
            1 => Self::Satellite,
            2 => Self::SurfaceMask,
            3 => Self::NormalMap,
            _ => return None,
        })
    }
}
