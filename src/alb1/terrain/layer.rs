//! The root of an object layer (`.tv4l`).

use bytes::Bytes;

use super::class::classes;
use super::form::{Bool, Float, MapOf, Raw, SignedChar, SignedInt, SignedLong, UnsignedInt, Words};
use super::hash::hash;
use super::pairs::Pairs;
use super::project::{UTM_ZONE, UTM_ZONE_NUMBER};
use super::typed::Root;
use crate::alb1::Text;

classes! {
    /// An object layer.
    "CLayer", Seen => pub struct ObjectLayer {
        /// The name of the layer.
        pub name: Text => Words, "mname";
        /// The version of the quadtree: 4, or 3 in files up to 2016.
        pub version: i32 => SignedInt, "mlayerVersion";
        /// Its place in the stack.
        pub priority: u32 => UnsignedInt, "mnPriority";
        /// Whether it is shown.
        pub visible: bool => Bool, "mbVisible";
        /// Whether it is locked.
        pub locked: bool => Bool, "mbLocked";
        /// Whether it is opaque.
        pub opaque: bool => Bool, "mbOpaque";
        /// How many objects are in the tree.
        pub object_count: i32 => SignedLong, "objectCount";
        /// The letter of the UTM zone: `N`.
        pub utm_zone: i8 => SignedChar, "mUTMzone";
        /// The number of the UTM zone: 31, which Terrain Builder presets.
        pub utm_zone_number: i32 => SignedInt, "mUTMzoneNumber";
        /// The libraries of the templates: by name the hash of the name.
        pub libraries: Pairs<Text, i32> => MapOf<Words, SignedLong>, "libs";
        /// The templates of the objects: by name the hash of the library's name.
        pub templates: Pairs<Text, i32> => MapOf<Words, SignedLong>, "libs"[1];
        /// The quadtree with the objects.
        pub tree: Bytes => Raw, "tree";
        /// How opaque it is drawn, from 0 to 1.
        pub opacity: f32 => Float, "malpha";
        /// The number that the next object gets.
        pub next_object_id: i32 => SignedInt, "mobjectIDcounter";
        /// The number of the layer: when it was made, in seconds since 1970.
        pub id: i32 => SignedInt, "mlayerID";
    }
}

impl ObjectLayer {
    /// The version of the quadtree that Terrain Builder writes since about 2016.
    pub const NEWEST: i32 = 4;

    /// A layer without objects, and without a quadtree, with the settings of a new one. `id` is when
    /// it was made, in seconds since 1970.
    #[must_use]
    pub fn new(name: Text, id: i32) -> Self {
        Self {
            name,
            version: Self::NEWEST,
            visible: true,
            opaque: true,
            utm_zone: UTM_ZONE,
            utm_zone_number: UTM_ZONE_NUMBER,
            opacity: 1.0,
            id,
            ..Self::default()
        }
    }

    /// Adds a template of a library to the lists, which both stay in order.
    pub fn add_template(&mut self, template: Text, library: Text) {
        let library_hash = hash(library.as_bytes()) as i32;
        self.templates.insert(template, library_hash);
        self.libraries.insert(library, library_hash);
    }
}

impl Root for ObjectLayer {}
