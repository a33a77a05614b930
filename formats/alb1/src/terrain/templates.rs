//! From the hashes by which objects speak of their templates to the names, and back.

use std::collections::HashMap;

use super::colour::Colour;
use super::hash::hash;
use super::layer::{NamedObject, ObjectLayer};
use super::library::{Library, LibraryTemplate};
use crate::{Text, tree};
use formwork::Result;

/// The templates that a layer or a project knows.
///
/// An object holds the hash of its template's name; the layer lists the names. A template that was
/// renamed because another had its name (`oak_1`) keeps the hash of the name it had first, and a
/// library may give a template any number at all. So a hash is looked up
///
/// 1. among the hashes of the names in the layer,
/// 2. among the hashes of these names without `_<number>` at the end,
/// 3. among the numbers that the libraries say,
/// 4. among the hashes of the names in the libraries, with and without `_<number>`;
///
/// and what is found in none of them has no name. A number that libraries say of several templates is no hash to give to an
/// object: [`Templates::hash_of`] is then that of the name.
///
/// ```
/// use formwork_alb1::Text;
/// use formwork_alb1::terrain::{ObjectLayer, Templates, hash};
///
/// let mut layer = ObjectLayer::new(Text::new("trees").unwrap(), 0)?;
/// layer.add_template(Text::new("oak_1").unwrap(), Text::new("Trees").unwrap());
/// let mut templates = Templates::from_layer(&layer);
/// assert_eq!(templates.name_of(hash(b"oak")).unwrap(), &"oak_1");
///
/// assert_eq!(templates.hash_of("oak_1"), Some(hash(b"oak_1")));
/// templates.learn(hash(b"oak"));
/// assert_eq!(templates.hash_of("oak_1"), Some(hash(b"oak")));
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Templates {
    templates: Vec<Template>,
    /// Positions of templates by name.
    by_name: HashMap<Text, usize>,
    /// Positions of templates by hash, for each step of the look-up.
    by_hash: [HashMap<u32, usize>; STEPS],
    libraries: Vec<Text>,
}

/// The steps of the look-up, the two of the last taken apart.
const STEPS: usize = 5;
const IN_LAYER: usize = 0;
const IN_LAYER_UNNUMBERED: usize = 1;
const SAID: usize = 2;
const IN_LIBRARY: usize = 3;
const IN_LIBRARY_UNNUMBERED: usize = 4;

/// Known facts about a template.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Template {
    /// Its name.
    pub name: Text,
    /// The name of its library, where the layer or a library says it.
    pub library: Option<Text>,
    /// Its model, as a path on the project drive, where a library has it.
    pub file: Option<Text>,
    /// The colour of its area, where a library has it.
    pub fill: Option<Colour>,
    /// Hash that a library gives, or that an object has shown.
    pub hash: Option<u32>,
    /// Whether a library has it.
    pub in_library: bool,
}

impl Templates {
    /// None.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The templates that a layer lists.
    #[must_use]
    pub fn from_layer(layer: &ObjectLayer) -> Self {
        let mut templates = Self::new();
        templates.add_layer(layer);
        templates
    }

    /// Adds the templates that a layer lists.
    pub fn add_layer(&mut self, layer: &ObjectLayer) {
        let libraries: HashMap<i32, &Text> =
            layer.libraries.iter().map(|(name, &hash)| (hash, name)).collect();
        for (name, library) in layer.templates.iter() {
            let position = self.position(name);
            if let Some(template) = self.templates.get_mut(position) {
                let library = libraries.get(library).map(|&name| name.clone());
                template.library = template.library.take().or(library);
            }
            self.index(IN_LAYER, hash(name.as_bytes()), position);
            if let Some(first) = unnumbered(name) {
                self.index(IN_LAYER_UNNUMBERED, hash(first), position);
            }
        }
    }

    /// Adds the templates of a library. Of several libraries with a template of the same name, the
    /// first counts.
    pub fn add(&mut self, library: &Library) {
        self.libraries.push(library.name.clone());
        for there in &library.templates {
            // Blanks at the ends of names are lost in libraries.
            let name = self.with_lost_blank(&there.name, there.hash);
            let position = self.position(&name);
            if let Some(template) = self.templates.get_mut(position)
                && !template.in_library
            {
                template.in_library = true;
                template.library.get_or_insert_with(|| library.name.clone());
                template.file = Some(there.file.clone());
                template.fill = there.fill;
                template.hash = template.hash.or(there.hash);
            }
            if let Some(said) = there.hash {
                self.index(SAID, said, position);
                self.part(said, position);
            }
            self.index(IN_LIBRARY, hash(name.as_bytes()), position);
            if let Some(first) = unnumbered(&name) {
                self.index(IN_LIBRARY_UNNUMBERED, hash(first), position);
            }
        }
    }

    /// Takes note of a hash that an object has: where the template is known by a name that it got
    /// later, [`Templates::hash_of`] gives the hash that objects have.
    pub fn learn(&mut self, used: u32) {
        if let Some(position) = self.find(used)
            && let Some(template) = self.templates.get_mut(position)
        {
            template.hash.get_or_insert(used);
        }
    }

    /// Returns the template with this hash.
    #[must_use]
    pub fn get(&self, hash: u32) -> Option<&Template> {
        self.templates.get(self.find(hash)?)
    }

    /// Returns the template with this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Template> {
        self.templates.get(*self.by_name.get(&Text::new(name)?)?)
    }

    /// The name of the template with this hash.
    #[must_use]
    pub fn name_of(&self, hash: u32) -> Option<&Text> {
        self.get(hash).map(|template| &template.name)
    }

    /// The hash by which objects speak of the template with this name.
    #[must_use]
    pub fn hash_of(&self, name: &str) -> Option<u32> {
        let template = self.named(name)?;
        Some(template.hash.unwrap_or_else(|| hash(template.name.as_bytes())))
    }

    /// The colour of the area of the template with this hash, where a library has it.
    #[must_use]
    pub fn fill_of(&self, hash: u32) -> Option<Colour> {
        self.get(hash)?.fill
    }

    /// Every template, in the order in which they were added.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Template> {
        self.templates.iter()
    }

    /// The names of the libraries that were added.
    pub fn libraries(&self) -> impl ExactSizeIterator<Item = &Text> {
        self.libraries.iter()
    }

    /// Whether a library with this name was added.
    #[must_use]
    pub fn has_library(&self, name: &Text) -> bool {
        self.libraries.contains(name)
    }

    fn find(&self, hash: u32) -> Option<usize> {
        self.by_hash.iter().find_map(|by_hash| by_hash.get(&hash)).copied()
    }

    /// The position of the template with this name, which is added where it is not there.
    fn position(&mut self, name: &Text) -> usize {
        if let Some(&position) = self.by_name.get(name) {
            return position;
        }
        let position = self.templates.len();
        self.templates.push(Template { name: name.clone(), ..Template::default() });
        self.by_name.insert(name.clone(), position);
        position
    }

    fn index(&mut self, step: usize, hash: u32, position: usize) {
        if let Some(by_hash) = self.by_hash.get_mut(step) {
            by_hash.entry(hash).or_insert(position);
        }
    }

    /// Takes a hash that libraries give to several templates from the one at this position and from the first: neither
    /// could be told by it.
    fn part(&mut self, said: u32, position: usize) {
        let first = self.by_hash.get(SAID).and_then(|by_hash| by_hash.get(&said)).copied();
        let Some(first) = first.filter(|first| *first != position) else { return };
        for position in [first, position] {
            if let Some(template) = self.templates.get_mut(position)
                && said != hash(template.name.as_bytes())
            {
                template.hash.take_if(|there| *there == said);
            }
        }
    }

    /// The name that a layer lists with a blank at its end, where the hash shows that it has lost it.
    fn with_lost_blank(&self, name: &Text, said: Option<u32>) -> Text {
        let blank = Text::from_bytes([name.as_bytes(), b" "].concat());
        let lost = said == Some(hash(blank.as_bytes())) && self.by_name.contains_key(&blank);
        if lost { blank } else { name.clone() }
    }
}

/// A name without `_<number>` at its end, where it has that.
fn unnumbered(name: &Text) -> Option<&[u8]> {
    let bytes = name.as_bytes();
    let digits = bytes.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (first, _) = bytes.split_at_checked(bytes.len() - digits).filter(|_| digits > 0)?;
    first.strip_suffix(b"_")
}

impl LibraryTemplate {
    /// Whether the hash is that of the name: of the name as it is, with the blank at its end that libraries lose, or
    /// without a `_<number>` that it got later. True where the library gives no hash.
    #[must_use]
    pub fn has_hash_of_name(&self) -> bool {
        let name = self.name.as_bytes();
        self.hash.is_none_or(|said| {
            let first = unnumbered(&self.name).map(hash);
            said == hash(name) || said == hash(&[name, b" "].concat()) || Some(said) == first
        })
    }
}

impl ObjectLayer {
    /// The objects, with the hash and the name of their templates; an error ends them. The name is
    /// [`None`] where neither the layer nor a library has the template.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are no quadtree. Offsets count from the start of the tree.
    pub fn objects<'l>(
        &'l self,
        templates: &'l Templates,
    ) -> impl Iterator<Item = Result<NamedObject<'l>>> {
        tree::groups(&self.tree, self.tree_version()).flat_map(move |group| {
            let (placed, error) = match group {
                Ok(placed) => (Some(placed), None),
                Err(error) => (None, Some(Err(error))),
            };
            let all = placed.into_iter().flat_map(move |placed| {
                let template = templates.name_of(placed.template);
                placed
                    .objects
                    .iter()
                    .map(move |object| Ok(NamedObject { hash: placed.template, template, object }))
            });
            all.chain(error)
        })
    }
}
