//! Exports a layer as a list.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Write;

use formwork::Result;
use formwork_alb1::terrain::{Library, ObjectLayer, Template, Templates};
use formwork_alb1::tree::{Object, TreeItem, TreeWalk, groups};

use super::{Entry, Filter, Form, Placement, Writer, marked};

/// The result of an export.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Exported {
    /// The number of objects.
    pub objects: u64,
    /// The number of objects whose template has no name, by its hash. (Or no unique name: if two hashes have one name,
    /// the second is written as a hash.)
    pub unnamed: BTreeMap<u32, u64>,
}

/// The objects of a layer, to be written to lists.
///
/// The bytes of the layer's tree are read in place: memory is needed for the templates, not for the objects.
#[derive(Clone, Debug)]
pub struct LayerObjects<'a> {
    layer: &'a ObjectLayer,
    filter: &'a Filter,
    templates: HashMap<u32, Named>,
}

/// A template with the name for the list.
#[derive(Clone, Debug)]
struct Named {
    name: Box<[u8]>,
    library: Option<Box<[u8]>>,
    is_unnamed: bool,
    selected: bool,
}

impl<'a> LayerObjects<'a> {
    /// Returns the objects of `layer` that `filter` selects. The names of their templates come from the layer's list
    /// and from template libraries.
    ///
    /// # Errors
    ///
    /// Returns an error if the tree is broken, with the offset in it.
    pub fn new(layer: &'a ObjectLayer, libraries: &[Library], filter: &'a Filter) -> Result<Self> {
        let (known, hashes) = templates_of(layer, libraries)?;
        let named = |hash| {
            let (name, template) = name_of(&known, hash);
            let library = template.and_then(|template| template.library.as_ref());
            Named {
                selected: filter.has_template(&name),
                name: name.into(),
                library: library.map(|library| library.as_bytes().into()),
                is_unnamed: template.is_none(),
            }
        };
        let templates = hashes.into_iter().map(|hash| (hash, named(hash))).collect();
        Ok(Self { layer, filter, templates })
    }

    /// Returns an error, before anything is written, if the form of a list cannot hold one of the objects.
    ///
    /// # Errors
    ///
    /// As [`Form::check`].
    pub fn check(&self, form: Form) -> Result<Exported> {
        self.each(|entry| form.check(entry))
    }

    /// Adds the objects to a list.
    ///
    /// # Errors
    ///
    /// As [`Writer::write`].
    pub fn write<W: Write>(&self, writer: &mut Writer<W>) -> Result<Exported> {
        self.each(|entry| writer.write(entry))
    }

    /// Passes every object to `take`, in the form of a list entry.
    ///
    /// # Errors
    ///
    /// Those of `take`. Also returns an error if the tree is broken.
    pub fn each(&self, mut take: impl FnMut(&Entry<'_>) -> Result<()>) -> Result<Exported> {
        let Self { layer, filter, templates } = self;
        let mut exported = Exported::default();
        for group in groups(&layer.tree, layer.tree_version()) {
            let group = group?;
            let Some(named) = templates.get(&group.template).filter(|named| named.selected) else {
                continue;
            };
            let mut entry = Entry {
                layer: Some(Cow::Borrowed(layer.name.as_bytes())),
                id: None,
                template: Cow::Borrowed(&named.name),
                library: named.library.as_deref().map(Cow::Borrowed),
                ..Entry::default()
            };
            let before = exported.objects;
            for object in group.objects.iter().filter(|it| filter.has_place(it.x, it.y)) {
                entry.id = Some(object.id);
                entry.placement = object.into();
                take(&entry)?;
                exported.objects += 1;
            }
            if named.is_unnamed && exported.objects > before {
                *exported.unnamed.entry(group.template).or_default() += exported.objects - before;
            }
        }
        Ok(exported)
    }
}

/// Returns the name in a list for the template with this hash, and the template if that is its name. A name is only
/// used if it leads back to the hash.
pub(crate) fn name_of(templates: &Templates, hash: u32) -> (Cow<'_, [u8]>, Option<&Template>) {
    let template = templates.get(hash);
    match template.filter(|it| templates.hash_of(&it.name.to_str()) == Some(hash)) {
        Some(template) => (Cow::Borrowed(template.name.as_bytes()), Some(template)),
        None => (Cow::Owned(marked(hash).into_bytes()), None),
    }
}

/// Returns the templates that a layer and libraries know, and the hashes that the layer's objects have.
pub(crate) fn templates_of<'l>(
    layer: &ObjectLayer,
    libraries: impl IntoIterator<Item = &'l Library>,
) -> Result<(Templates, BTreeSet<u32>)> {
    // The hashes are sorted, so that nothing depends on the order of objects in the tree.
    let mut hashes = BTreeSet::new();
    for stop in TreeWalk::new(&layer.tree, layer.tree_version()) {
        if let TreeItem::Group { template, .. } = stop.map_err(|error| error.within("tree"))?.item {
            hashes.insert(template);
        }
    }
    let mut templates = Templates::from_layer(layer);
    // Hashes of the layer's objects have priority over those from a library.
    hashes.iter().for_each(|&hash| templates.learn(hash));
    libraries.into_iter().for_each(|library| templates.add(library));
    hashes.iter().for_each(|&hash| templates.learn(hash));
    Ok((templates, hashes))
}

impl From<Object> for Placement {
    fn from(object: Object) -> Self {
        let Object { x, y, yaw, pitch, roll, scale, z, id: _ } = object;
        Self { x, y, yaw, pitch, roll, scale, z }
    }
}

impl Placement {
    /// Returns the object with these numbers and this id.
    #[must_use]
    pub const fn object(self, id: u32) -> Object {
        let Self { x, y, yaw, pitch, roll, scale, z } = self;
        Object { x, y, yaw, pitch, roll, scale, z, id }
    }
}
