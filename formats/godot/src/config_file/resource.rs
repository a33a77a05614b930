//! Text resources: `.tres`, `.tscn`. The headings have fields, and the keys under them are those of a ConfigFile.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::ops::Range;

use indexmap::IndexMap;

use super::change::Added;
use super::file::{ConfigFile, Entry, Section};
use super::heading::{ORDER, SINGLE, is_listed, kind_and_id, path_of, references, section_name};
use super::rule;
use super::scan::{Heading, Headings};
use formwork::{Error, Path, PathSegment, Result};
use formwork_variant::text::TextForm;
use formwork_variant::{Dialect, Variant};

impl<'t> ConfigFile<'t> {
    /// Splits the text of a resource or scene into sections and keys: `.tres`, `.tscn`.
    ///
    /// Its value is a Dictionary of sections:
    ///
    /// | path | value |
    /// | --- | --- |
    /// | `gd_resource/script_class`, `gd_scene/format` | a field of the first heading |
    /// | `ext_resource/1_abc/path` | a field of the external resource with this id |
    /// | `sub_resource/Curve_x1/width` | a property of the resource in the file with this id |
    /// | `sub_resource/Curve_x1/@type` | a field of its heading: `@` is before fields where properties are, too |
    /// | `resource/gold` | a property of the resource itself |
    /// | `node/Player/Sprite/position` | a property of the node with this path from the root, which is `.` |
    /// | `connection/Button:pressed->.:_on_pressed/flags` | a field of a connection: node, signal, node, method |
    /// | `editable/Enemy` | the path of an instance whose children can be edited |
    ///
    /// A property whose name begins with `@` has another `@` before it. A section that comes again, which engines do not
    /// write, has a number: `sub_resource/1 (2)`. References are Dictionaries with their text:
    /// `{"$text": "ExtResource(\"1\")"}`.
    ///
    /// ```
    /// use formwork_godot::config_file::ConfigFile;
    /// use formwork_variant::{Dialect, Variant};
    ///
    /// let text = "[gd_resource type=\"Resource\" format=3]\n\n[resource]\ngold = 273\nbag = [1,  2]\n";
    /// let file = ConfigFile::parse_resource(text)?;
    /// let mut value: Variant = file.read(Dialect::GODOT4);
    /// assert_eq!(value["resource"]["gold"], 273);
    ///
    /// value["resource"]["gold"] = 9999.into();
    /// let new = file.with_values(&value, Dialect::GODOT4)?;
    /// assert_eq!(new, text.replace("273", "9999"));
    /// # Ok::<(), formwork::Error>(())
    /// ```
    ///
    /// (Source: `ResourceLoaderText` and `ResourceFormatSaverTextInstance` of Godot 3 and 4.)
    ///
    /// # Errors
    ///
    /// Returns an error if the text does not begin with the heading of a resource or scene, if a heading or key is
    /// malformed, if a bracket or quote is not closed, or if the text has the markers of a git conflict.
    pub fn parse_resource(text: &'t str) -> Result<Self> {
        let mut seen: HashMap<String, u32> = HashMap::new();
        let name = |heading: &mut Heading| {
            let name = section_name(heading, text);
            let count = seen.entry(name.clone()).or_default();
            *count += 1;
            if *count == 1 { name } else { format!("{name} ({count})") }
        };
        let file = Self::parse_as(text, Headings::Fields, name)?;
        let at = file.entries.first().map_or(0, |it| it.start);
        let first = file.sections.first().filter(|it| it.heading.start <= at);
        if !first.is_some_and(|it| SINGLE[..2].contains(&&*it.name)) {
            let expected = "[gd_resource ...] or [gd_scene ...] before anything else";
            let line: String = text.chars().take(40).take_while(|c| *c != '\n').collect();
            return Err(Error::new(rule::SYNTAX, 0, expected, format!("{line:?}")));
        }
        Ok(file)
    }

    /// Returns whether it is a text resource or scene, and not a ConfigFile.
    #[must_use]
    pub fn is_resource(&self) -> bool {
        self.headings == Headings::Fields
    }

    /// Returns the numbers of sections by their kinds, in the order of the file: `node`, `sub_resource`.
    #[must_use]
    pub fn kinds(&self) -> Vec<(String, u64)> {
        let mut kinds: IndexMap<&str, u64> = IndexMap::new();
        for section in &self.sections {
            *kinds.entry(kind_and_id(&section.name).0).or_default() += 1;
        }
        kinds.into_iter().map(|(kind, count)| (kind.to_owned(), count)).collect()
    }

    /// Returns the dialect of a text resource: by its format, or by the words in it.
    pub(super) fn dialect_of_resource(&self) -> Dialect {
        let is_format = |entry: &&Entry| entry.is_field && entry.key == "format";
        let format = self.entries.iter().find(is_format).map(|entry| self.text_of(entry));
        match format {
            Some("1") => Dialect::GODOT2,
            Some("2") => Dialect::GODOT3,
            None if self.dialect() == Some(Dialect::GODOT3) => Dialect::GODOT3,
            _ => Dialect::GODOT4,
        }
    }

    /// Returns the errors of references to resources that are not in the file.
    pub(super) fn lost_references(&self) -> Vec<Error> {
        let names: HashSet<&str> = self.sections.iter().map(|it| &*it.name).collect();
        let mut lost = Vec::new();
        for entry in &self.entries {
            for (at, kind, id) in references(self.text_of(entry)) {
                if !names.contains(&*format!("{kind}/{id}")) {
                    let expected = format!("the id of a resource in the file ([{kind} ...])");
                    let at = (entry.value.start + at) as u64;
                    let error = Error::new(rule::REFERENCE, at, expected, format!("{id:?}"));
                    lost.push(error.under(self.path(entry)));
                }
            }
        }
        lost
    }

    /// Returns the path of an entry in the value.
    #[must_use]
    pub fn path(&self, entry: &Entry) -> Path {
        match self.headings {
            Headings::Names => {
                let names = [&*entry.section, &entry.key];
                names.map(|it| PathSegment::Name(it.to_owned().into())).into_iter().collect()
            }
            Headings::Fields => Path::from(path_of(&entry.section, Some(&entry.key))),
        }
    }

    /// Returns the place and the text of a new section of a text resource.
    pub(super) fn new_heading(
        &self,
        section: &str,
        added: Added,
    ) -> Result<(Range<usize>, String)> {
        let (kind, id) = kind_and_id(section);
        let line_break = self.line_break();
        let Added { fields, lines } = added;
        let refuse = || {
            let expected = "a section that a text resource can have";
            let path = Path::from(path_of(section, None));
            Error::new(rule::NAME, 0, expected, format!("{section:?}")).under(path)
        };
        let id = id.ok_or_else(refuse)?;
        let quoted = |text: &str| -> String {
            TextForm::new(Dialect::GODOT4)
                .write(&Variant::<f32>::from(text))
                .to_string_lossy()
                .into_owned()
        };
        let heading = match kind {
            "ext_resource" | "sub_resource" => {
                let is_number = self.ids_are_numbers() && id.bytes().all(|it| it.is_ascii_digit());
                let id = if is_number { id.to_owned() } else { quoted(id) };
                format!("[{kind}{fields} id={id}]")
            }
            "node" => {
                let (parent, name) = match id.rsplit_once('/') {
                    Some((parent, name)) => (parent, name),
                    None => (".", id),
                };
                if name.is_empty() || name == "." {
                    return Err(refuse());
                }
                format!("[node name={}{fields} parent={}]", quoted(name), quoted(parent))
            }
            "connection" => {
                let (from, to) = id.split_once("->").ok_or_else(refuse)?;
                let (from, signal) = from.rsplit_once(':').ok_or_else(refuse)?;
                let (to, method) = to.rsplit_once(':').ok_or_else(refuse)?;
                let [from, signal, to, method] = [from, signal, to, method].map(quoted);
                format!("[connection signal={signal} from={from} to={to} method={method}{fields}]")
            }
            "editable" => format!("[editable path={}{fields}]", quoted(id)),
            _ => return Err(refuse()),
        };
        let rank = |kind: &str| ORDER.iter().position(|it| *it == kind).unwrap_or(ORDER.len());
        let is_before = |it: &Section| rank(kind_and_id(&it.name).0) <= rank(kind);
        let number = self.sections.iter().rposition(is_before);
        let next = number.map_or(0, |number| number + 1);
        let before = number.map(|number| &self.sections[number]);
        // Headings of a list are on lines one after the other.
        if let Some(before) = before.filter(|it| is_listed(kind) && kind_and_id(&it.name).0 == kind)
        {
            let at = self.end_of_line(before.heading.end);
            let at = if self.text[..at].ends_with('\n') { at } else { before.heading.end };
            let start = if self.text[..at].ends_with('\n') { "" } else { line_break };
            return Ok((at..at, format!("{start}{heading}{line_break}")));
        }
        match self.sections.get(next) {
            Some(next) => {
                let at = next.heading.start;
                Ok((at..at, format!("{heading}{line_break}{lines}{line_break}")))
            }
            None => {
                let (at, mut text) = (self.text.len(), String::new());
                if !self.text.ends_with('\n') {
                    text.push_str(line_break);
                }
                let _ = write!(text, "{line_break}{heading}{line_break}{lines}");
                Ok((at..at, text))
            }
        }
    }

    /// Returns whether the ids of resources are numbers, as in Godot 3.
    fn ids_are_numbers(&self) -> bool {
        let heading =
            |it: &Section| self.text.get(it.heading.clone()).unwrap_or_default().to_owned();
        let with_id = self.sections.iter().find(|it| it.name.contains("_resource/"));
        match (with_id, self.sections.first()) {
            (Some(one), _) => !heading(one).contains("id=\"") && !heading(one).contains("id = \""),
            (None, Some(first)) => heading(first).contains("format=2"),
            _ => false,
        }
    }
}
