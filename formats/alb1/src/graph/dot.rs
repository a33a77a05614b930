//! The graph for Graphviz.

use std::fmt;

use super::{Graph, ObjectId, Pointer, build};
use formwork::{Path, PathSegment};

impl<'d> Graph<'d> {
    /// The graph as DOT, for Graphviz. What it prints is chosen before it is printed.
    ///
    /// ```
    /// use formwork_alb1::{Document, Graph};
    ///
    /// let layer = Document::new("CLayer");
    /// let graph = Graph::new([("default.tv4l", &layer)]);
    /// let dot = graph.dot().styled(true).to_string();
    /// assert!(dot.starts_with("digraph alb1 {"));
    /// ```
    #[must_use]
    pub const fn dot(&self) -> Dot<'_, 'd> {
        Dot { graph: self, depth: None, all: false, styled: false }
    }

    /// Checks whether an object is at most `depth` objects below its root.
    pub(super) fn is_within(&self, id: ObjectId, depth: Option<u32>) -> bool {
        self.node(id).is_some_and(|node| depth.is_none_or(|depth| node.depth <= depth))
    }
}

/// A graph as DOT. See [`Graph::dot`].
///
/// Objects are nodes. An object that holds another is joined to it by a line with the path, and a pointer to its target
/// by a dashed line. Of lists longer than [`Dot::LIST`] objects only that number is shown, with the number of the
/// others.
#[derive(Clone, Copy, Debug)]
pub struct Dot<'g, 'd> {
    graph: &'g Graph<'d>,
    depth: Option<u32>,
    all: bool,
    styled: bool,
}

impl Dot<'_, '_> {
    /// How many objects of one list are shown.
    pub const LIST: usize = 8;

    /// Leaves out objects more than `depth` objects deep; 0 shows only the root objects.
    #[must_use]
    pub const fn depth(mut self, depth: Option<u32>) -> Self {
        self.depth = depth;
        self
    }

    /// Shows lists of any length whole.
    #[must_use]
    pub const fn all(mut self, all: bool) -> Self {
        self.all = all;
        self
    }

    /// Puts the objects of each file in a frame, and gives every class a colour: for a picture.
    #[must_use]
    pub const fn styled(mut self, styled: bool) -> Self {
        self.styled = styled;
        self
    }

    /// Chooses the objects to show, and notes the objects left out of the lists of each.
    fn choose(&self) -> Choice {
        let mut choice =
            Choice { shown: vec![false; self.graph.objects.len()], left_out: Vec::new() };
        let mut waiting: Vec<ObjectId> = self.graph.roots().collect();
        while let Some(id) = waiting.pop() {
            if let Some(shown) = choice.shown.get_mut(id.0) {
                *shown = true;
            }
            let holds = self.graph.holds(id);
            let is_same = |one: &ObjectId, other: &ObjectId| self.list(*one) == self.list(*other);
            for list in holds.chunk_by(is_same) {
                let Some(&first) = list.first() else { continue };
                let most = match (self.graph.is_within(first, self.depth), self.all) {
                    (false, _) => 0,
                    (true, false) => Self::LIST,
                    (true, true) => list.len(),
                };
                // One more is shown rather than told of.
                let most = if most > 0 && list.len() == most + 1 { most + 1 } else { most };
                let (seen, rest) = list.split_at_checked(most).unwrap_or((list, &[]));
                waiting.extend(seen);
                if let Some(&first) = rest.first() {
                    choice.left_out.push(LeftOut { holder: id, first, count: rest.len() });
                }
            }
        }
        choice
    }

    /// Returns the list of an object: its path without the last index and all after it.
    fn list(&self, id: ObjectId) -> &[PathSegment] {
        let steps = self.graph.node(id).map_or(&[][..], |node| node.way.steps());
        let last = steps.iter().rposition(|step| matches!(step, PathSegment::Index(_)));
        last.and_then(|last| steps.get(..last)).unwrap_or(steps)
    }

    fn node(&self, id: ObjectId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = self.graph.class_name(id);
        let mut lines = vec![class.clone()];
        lines.extend(self.graph.name(id));
        let is_root = self.graph.parent(id).is_none();
        if is_root && !self.styled {
            lines.push(self.graph.file_name(id).to_owned());
        }
        write!(f, "    n{} [label={}", id.0, Quoted(&lines))?;
        if self.styled {
            let shape = match (is_root, self.graph.holds(id)) {
                (true, _) => "folder",
                (false, []) => "ellipse",
                (false, _) => "box",
            };
            write!(f, ", shape={shape}, fillcolor={}", colour(&class))?;
        }
        writeln!(f, "];")
    }

    fn pointer(
        &self,
        position: usize,
        pointer: &Pointer,
        choice: &Choice,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let from = self.shown(pointer.from, choice);
        let label = Quoted(&[pointer.way.to_string()]);
        let Some(to) = pointer.to else {
            let class = build::class_of(self.graph, pointer);
            let missing =
                [class, format!("{:#x}", pointer.pointer.address), "not in these files".into()];
            let node = Quoted(&missing);
            writeln!(f, "    p{position} [label={node}, style=dotted, shape=box];")?;
            return writeln!(f, "    n{} -> p{position} [style=dashed, label={label}];", from.0);
        };
        let to = self.shown(to, choice);
        // Other frames are laid out by what they hold, not by what points there.
        let apart = if self.styled { ", constraint=false, color=red" } else { "" };
        writeln!(f, "    n{} -> n{} [style=dashed, label={label}{apart}];", from.0, to.0)
    }

    /// The object, or what is around it where it is left out.
    fn shown(&self, id: ObjectId, choice: &Choice) -> ObjectId {
        let mut id = id;
        while !choice.is_shown(id)
            && let Some(parent) = self.graph.parent(id)
        {
            id = parent;
        }
        id
    }
}

struct Choice {
    shown: Vec<bool>,
    left_out: Vec<LeftOut>,
}

impl Choice {
    fn is_shown(&self, id: ObjectId) -> bool {
        self.shown.get(id.0).is_some_and(|&shown| shown)
    }
}

/// Objects of a list that are not shown.
struct LeftOut {
    holder: ObjectId,
    first: ObjectId,
    count: usize,
}

impl fmt::Display for Dot<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let graph = self.graph;
        let choice = self.choose();
        writeln!(f, "digraph alb1 {{")?;
        writeln!(f, "    rankdir=LR;")?;
        let look = if self.styled { ", style=filled, colorscheme=set312" } else { "" };
        writeln!(f, "    node [shape=box, fontname=\"sans-serif\", fontsize=10{look}];")?;
        writeln!(f, "    edge [fontname=\"sans-serif\", fontsize=9];")?;
        // The objects of a file form a cluster.
        let mut objects = graph.objects().filter(|&id| choice.is_shown(id)).peekable();
        for (position, file) in graph.files.iter().enumerate() {
            if self.styled {
                let label = Quoted(std::slice::from_ref(&file.name));
                writeln!(f, "    subgraph cluster_{position} {{")?;
                writeln!(f, "    label={label}; fontname=\"sans-serif\"; color=gray;")?;
            }
            let is_here = |id: &ObjectId| graph.node(*id).is_some_and(|it| it.file == position);
            while let Some(id) = objects.next_if(is_here) {
                self.node(id, f)?;
            }
            for (number, left_out) in choice.left_out.iter().enumerate() {
                if is_here(&left_out.holder) {
                    let (count, class) = (left_out.count, graph.class_name(left_out.first));
                    let more = Quoted(&[format!("{count} more"), class]);
                    writeln!(f, "    m{number} [label={more}, shape=plaintext, style=\"\"];")?;
                }
            }
            if self.styled {
                writeln!(f, "    }}")?;
            }
        }
        for id in graph.objects().filter(|&id| choice.is_shown(id)) {
            if let Some(parent) = graph.parent(id) {
                let label = Quoted(&[graph.way(id).to_string()]);
                writeln!(f, "    n{} -> n{} [label={label}];", parent.0, id.0)?;
            }
        }
        for (number, left_out) in choice.left_out.iter().enumerate() {
            let list = Quoted(&[Path::from(self.list(left_out.first).to_vec()).to_string()]);
            let holder = left_out.holder.0;
            writeln!(f, "    n{holder} -> m{number} [style=dotted, label={list}];")?;
        }
        for (position, pointer) in graph.pointers.iter().enumerate() {
            self.pointer(position, pointer, &choice, f)?;
        }
        writeln!(f, "}}")
    }
}

/// One of the twelve colours of Graphviz's scheme `set312`: always the same one for a class.
fn colour(class: &str) -> u32 {
    class.bytes().fold(0u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into())) % 12 + 1
}

/// Lines as a string of DOT.
struct Quoted<'l>(&'l [String]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Longest line. The middle of a longer one is left out: a string of a file may have 65535 characters.
        const LONGEST: usize = 80;
        /// Paths of files differ mostly at their ends.
        const START: usize = 24;
        f.write_str("\"")?;
        for (position, line) in self.0.iter().enumerate() {
            if position > 0 {
                f.write_str("\\n")?;
            }
            let length = line.chars().count();
            for (position, letter) in line.chars().enumerate() {
                match letter {
                    _ if length > LONGEST && position == START => f.write_str("\u{2026}")?,
                    _ if length > LONGEST
                        && (START..length + START - LONGEST).contains(&position) => {}
                    '"' | '\\' => write!(f, "\\{letter}")?,
                    letter if letter.is_control() => f.write_str("\u{FFFD}")?,
                    letter => write!(f, "{letter}")?,
                }
            }
        }
        f.write_str("\"")
    }
}
