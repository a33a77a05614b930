//! The root of an object layer (`.tv4l`).

use bytes::Bytes;

use super::class::{Tags, classes};
use super::form::{Bool, Float, MapOf, Raw, SignedChar, SignedInt, SignedLong, UnsignedInt, Words};
use super::hash::hash;
use super::pairs::Pairs;
use super::project::{UTM_ZONE, UTM_ZONE_NUMBER};
use super::typed::{Root, Typed};
use crate::tree;
use crate::tree::{Tree, Version};
use crate::{Document, Text, Value};
use formwork::Result;

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
    /// A layer without objects, with the settings of a new one. `id` is when it was made, in seconds
    /// since 1970.
    ///
    /// # Errors
    ///
    /// None that can happen: an empty quadtree can be written.
    pub fn new(name: Text, id: i32) -> Result<Self> {
        let layer = Self::without_tree(name, id);
        Ok(Self { tree: tree::empty_bytes(layer.tree_version())?, ..layer })
    }

    /// Returns a layer as [`ObjectLayer::new`] makes it, but for the quadtree.
    pub(crate) fn without_tree(name: Text, id: i32) -> Self {
        Self {
            name,
            version: Version::V4.layer_version(),
            visible: true,
            opaque: true,
            utm_zone: UTM_ZONE,
            utm_zone_number: UTM_ZONE_NUMBER,
            opacity: 1.0,
            id,
            ..Self::default()
        }
    }

    /// The version of its quadtree.
    #[must_use]
    pub const fn tree_version(&self) -> Version {
        Version::of_layer_version(self.version)
    }

    /// Returns the bytes of the quadtree of a document, and the `mlayerVersion` beside it, whatever else of the
    /// layer is missing or wrong. [`None`] where the document is no object layer, or has no tree.
    #[must_use]
    pub fn tree_in(document: &Document) -> Option<(&[u8], Option<i32>)> {
        if document.class_name(&document.root) != Self::CLASS.name {
            return None;
        }
        let field = |tag| document.root.get(document.tags.id(tag)?);
        let tree = field(Tags::<Self>::tree)?.as_raw()?;
        let version = field(Tags::<Self>::version).and_then(Value::as_integer);
        Some((tree, version.and_then(|version| version.try_into().ok())))
    }

    /// Puts a changed quadtree into the layer, with what depends on it: the number of objects, and the
    /// number that the next object gets.
    ///
    /// # Errors
    ///
    /// Returns an error if the tree cannot be written.
    pub fn set_tree(&mut self, tree: &Tree) -> Result<()> {
        let bytes = tree.to_vec()?;
        let (mut count, mut next) = (0_i32, self.next_object_id);
        for (_, object) in tree.placed() {
            count = count.saturating_add(1);
            next = next.max(i32::try_from(object.id).unwrap_or(i32::MAX).saturating_add(1));
        }
        (self.tree, self.object_count, self.next_object_id) = (bytes.into(), count, next);
        Ok(())
    }

    /// Adds a template of a library to the lists, which both stay in order.
    pub fn add_template(&mut self, template: Text, library: Text) {
        let library_hash = hash(library.as_bytes()) as i32;
        self.templates.insert(template, library_hash);
        self.libraries.insert(library, library_hash);
    }
}

impl Root for ObjectLayer {}

/// An object of a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedObject<'l> {
    /// The hash of its template.
    pub hash: u32,
    /// The name of its template, where it is known.
    pub template: Option<&'l Text>,
    /// Position, rotation, scale and id of the object.
    pub object: tree::Object,
}
