//! The root of a project (`.tv4p`).

use super::class::classes;
use super::form::{
    Double, DrivePath, Float, ListOf, MapOf, Mark, Nested, Pointer, ProjectPath, SignedChar,
    SignedInt, SignedLong, Unknown, Words,
};
use super::frame::MapFrames;
use super::key_point::KeyPoints;
use super::pairs::Pairs;
use super::road::RoadBase;
use super::road_placed::PlacedRoads;
use super::typed::Root;
use super::world::World;
use crate::{Field, ObjectPointer, Text};

classes! {
    /// A project: map frames, rasters, key points, the road tool, the list of template libraries. The object and shape
    /// layers are separate files in the folders `<project>.Layers` and `<project>.Shapes`; the project does not list
    /// them.
    "CVisitor4Project", Seen => pub struct Project {
        /// The version of the project, 20 or 21; the header of the file has it, too.
        pub version: i32 => SignedInt, "version";
        /// 112 in every file seen.
        pub build: i32 => SignedInt, "build";
        /// 10000 in every file seen: probably the size in metres below which the cells of a quadtree
        /// are made only where something is in them.
        pub base: f32 => Float, "base";
        /// 100 in every file seen: probably the size in metres below which a cell of a quadtree is a
        /// leaf.
        pub leaf: f32 => Float, "leaf";
        /// The name of the project.
        pub name: Text => Words, "mname";
        /// Nothing: what was in memory.
        pub world_width: f32 => Float, "mworldfWorldWidth";
        /// Nothing: what was in memory.
        pub world_height: f32 => Float, "mworldfWorldHeight";
        /// The letter of the UTM zone: `N`.
        pub utm_zone: i8 => SignedChar, "mUTMzone";
        /// The number of the UTM zone: 31, which Terrain Builder presets.
        pub utm_zone_number: i32 => SignedInt, "mUTMzoneNumber";
        /// The template libraries, as paths from the project's folder: `templatelibs\roads.tml`.
        pub libraries: Vec<Text> => ListOf<ProjectPath>, "libs";
        /// The contents of the map.
        pub objects: ObjectManager => Nested<ObjectManager>, "objManager";
        /// The rasters.
        pub world: World => Nested<World>, "world";
        /// Bookmarks: no file has one.
        pub bookmarks: Vec<Field> => Unknown, "mbookmarks";
    }

    /// The contents of a project's map.
    "CVisitor4ObjectManager", Seen => pub struct ObjectManager {
        /// How many objects all object layers of the project have together.
        pub total_object_count: i32 => SignedLong, "mlTotalObjectCount";
        /// Present if the object layers are separate files.
        pub extern_layers: () => Mark, "externLayers";
        /// Present if the shape layers are separate files.
        pub extern_area_layers: () => Mark, "externAreaLayers";
        /// The object layer that is active: the address of the root of its file.
        pub active_layer: ObjectPointer => Pointer, "mactiveLayer";
        /// The shape layer that is active: the address of the root of its file.
        pub active_area_layer: ObjectPointer => Pointer, "mactiveAreaLayer";
        /// Shapes outside of layers: no file has one.
        pub areas: Vec<Field> => Unknown, "mareas";
        /// Named selections: no file has one.
        pub named_selections: Vec<Field> => Unknown, "namedSelections";
        /// The road types and crossroads.
        pub road_base: RoadBase => Nested<RoadBase>, "mroadbase";
        /// The roads that are placed.
        pub placed_roads: PlacedRoads => Nested<PlacedRoads>, "mroadelement";
        /// The map frames.
        pub map_frames: MapFrames => Nested<MapFrames>, "mapFrame";
        /// The key points.
        pub key_points: KeyPoints => Nested<KeyPoints>, "keyPoint";
        /// Attributes: no file has one here.
        pub raw_data: Vec<Field> => Unknown, "mrawData";
        /// By the path of a model: how far its centre is from where it is placed.
        pub center_deltas: Pairs<Text, CenterDelta> =>
            MapOf<DrivePath, Nested<CenterDelta>>, "mobjectsDelta";
    }

    /// How far the centre of a model is from where it is placed, in metres.
    "SObjectCenterDelta", Seen => pub struct CenterDelta {
        /// To the east.
        pub x: f64 => Double, "x";
        /// To the north.
        pub z: f64 => Double, "z";
    }
}

impl Project {
    /// The version of project that Terrain Builder writes since about 2016.
    pub const NEWEST: i32 = 21;

    /// An empty project with the settings that every real one has.
    #[must_use]
    pub fn new(name: Text) -> Self {
        Self {
            version: Self::NEWEST,
            build: 112,
            base: 10000.0,
            leaf: 100.0,
            name,
            utm_zone: UTM_ZONE,
            utm_zone_number: UTM_ZONE_NUMBER,
            ..Self::default()
        }
    }
}

impl Root for Project {
    fn version_in_header(&self) -> u32 {
        self.version as u32
    }
}

/// Presets of Terrain Builder, which every file seen has.
pub(super) const UTM_ZONE: i8 = b'N' as i8;
pub(super) const UTM_ZONE_NUMBER: i32 = 31;
