//! The bytes before the fields of the root: header, tables, and the root's class and address.

use super::evidence::{SURE, is_printable};
use super::layout::Layouts;
use super::lost::{Lost, Reason};
use super::rescue::Rescue;
use crate::read;
use crate::read::{CLASSES, TAGS};
use crate::record::RootRecord;
use crate::terrain::{ObjectLayer, Project, ShapeLayer, Typed};
use crate::{Document, Header, Table, dictionary};
use formwork::{Deferred, Path};
use formwork_records::schema::Sizes;
use formwork_records::wire::{Cursor, read_record};

/// The start of a file, as far as it could be read.
pub(super) struct Start {
    pub(super) header: Header,
    pub(super) tags: Table,
    pub(super) classes: Table,
    /// Offset of the root after whole tables; if it is [`None`], the root must be searched for.
    root: Option<usize>,
    pub(super) lost: Vec<Lost>,
}

fn rebuilt(range: std::ops::Range<usize>, thought: &str) -> Lost {
    Lost {
        range: range.start as u64..range.end as u64,
        path: Path::default(),
        reason: Reason::Rebuilt,
        thought: thought.to_owned(),
    }
}

impl Start {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut lost = Vec::new();
        let mut input = Cursor::new(bytes);
        let header = read::header(&mut input).unwrap_or_else(|_| {
            let size = size_of::<Header>().min(bytes.len());
            lost.push(rebuilt(0..size, "the header"));
            // Its other words may be anything: what a project has there, its root has, too.
            Header::default()
        });
        let from = size_of::<Header>();
        input.set_position(from);
        let tables = read::table(&mut input, TAGS)
            .and_then(|tags| Ok((tags, read::table(&mut input, CLASSES)?)));
        let known = (dictionary::tags(), dictionary::classes());
        let (tags, classes, root) = match tables {
            Ok((tags, classes)) => {
                let end = input.position();
                let (tags, classes, repaired) = repair((tags, classes), known);
                if repaired {
                    lost.push(rebuilt(from..end, "names in the tables"));
                }
                (tags, classes, Some(end).filter(|_| !repaired))
            }
            Err(error) => {
                let at = usize::try_from(error.offset()).unwrap_or(from).min(bytes.len());
                lost.push(rebuilt(at..at, "the tables, of which every known file has the same"));
                (known.0, known.1, None)
            }
        };
        Self { header, tags, classes, root, lost }
    }

    /// The root, and where its fields start.
    pub(super) fn root(&mut self, bytes: &[u8], layouts: &Layouts) -> (RootRecord, usize) {
        /// The classes that are the root of a file.
        const ROOTS: [&str; 3] =
            [Project::CLASS.name, ObjectLayer::CLASS.name, ShapeLayer::CLASS.name];
        let roots @ [project, layer, _] =
            ROOTS.map(|name| self.classes.id(name).unwrap_or_default() as i16);
        let tables = Document {
            header: self.header,
            tags: self.tags.clone(),
            classes: self.classes.clone(),
            root: crate::Object { class: 0, address: 0, fields: Vec::new() },
        };
        let usual = tables.size().ok().and_then(|size| usize::try_from(size).ok());
        let usual = usual.unwrap_or_default().saturating_sub(ROOT_WORDS);
        let read_at = |at: usize| -> Option<RootRecord> {
            let mut input = Cursor::new(bytes);
            input.set_position(at);
            read_record(&mut input).ok()
        };
        let (tags, classes) = (&self.tags, &self.classes);
        let trial = |class: i16| {
            let mut trial = Rescue::new(bytes, tags, classes, layouts);
            trial.open_root(class, 0);
            trial
        };
        let trials = roots.map(|class| (class, trial(class)));
        let first = self.root.unwrap_or(usual);
        // Where it must be.
        if let Some(root) = read_at(first) {
            let sure = trial(root.class).begins_root(first + ROOT_WORDS);
            let is_other = layouts.slots(root.class).is_none()
                && self.classes.name(root.class as u16).is_some();
            if sure >= SURE || self.root.is_some() && (is_other || roots.contains(&root.class)) {
                return (root, first + ROOT_WORDS);
            }
        }
        // The class of the root is damaged, or is at another place.
        let class_by_fields = |at: usize| {
            let surely = trials.iter().find(|(_, trial)| trial.begins_root(at) >= SURE);
            surely.map(|(class, _)| *class)
        };
        let from = size_of::<Header>();
        let places = std::iter::once(first)
            .chain(from..bytes.len().saturating_sub(ROOT_WORDS).min(from + MOST_TABLES));
        for at in places {
            let fields = at + ROOT_WORDS;
            let Some(class) = class_by_fields(fields) else { continue };
            let address = read_at(at).map_or(Document::FIRST_ADDRESS, |root| root.address);
            if read_at(at).map(|root| root.class) != Some(class) {
                self.lost.push(rebuilt(at..fields, "the class of the root, by its fields"));
            }
            return (RootRecord { class, address, fields: Deferred::HERE }, fields);
        }
        // The first fields are gone, too: the class whose fields are found first.
        let mut best = None;
        for (class, trial) in &trials {
            if let Some(at) = trial.find_fields(from)
                && best.is_none_or(|(_, earliest)| at < earliest)
            {
                best = Some((*class, at));
            }
        }
        let guess = if self.header.project_version != 0 { project } else { layer };
        let class = best.map_or(guess, |(class, _)| class);
        let at = self.root.unwrap_or(from).min(bytes.len());
        self.lost.push(rebuilt(at..at, "the class and the address of the root"));
        (RootRecord { class, address: Document::FIRST_ADDRESS, fields: Deferred::HERE }, at)
    }
}

/// Bytes of the root's class and address.
const ROOT_WORDS: usize = RootRecord::LEAST;

/// Greatest distance from the header within which the root is searched for if its tables are damaged.
const MOST_TABLES: usize = 1 << 16;

/// The tables with the names that Terrain Builder's dictionary has, where they are that with some
/// damage, or cannot be tables at all. Those of another program, with other names, stay.
fn repair(read: (Table, Table), known: (Table, Table)) -> (Table, Table, bool) {
    let mut repaired = false;
    let mut mended = |read: Table, known: Table| {
        let same = read.entries().zip(known.entries()).filter(|(one, other)| one == other).count();
        let resembles = read.len() == known.len() && 2 * same >= known.len();
        if read != known && (resembles || !is_sound(&read)) {
            repaired = true;
            return known;
        }
        read
    };
    let tables = (mended(read.0, known.0), mended(read.1, known.1));
    (tables.0, tables.1, repaired)
}

/// Whether every id names something, and something else.
fn is_sound(table: &Table) -> bool {
    let mut ids = std::collections::HashSet::new();
    table.entries().all(|(id, name)| {
        let name = name.as_bytes();
        id != 0 && ids.insert(id) && !name.is_empty() && is_printable(name)
    })
}
