//! `info` on files of a newer version than this program reads.
use formwork_godot::detect::Other;
use formwork_godot::pack;
use formwork_godot::pack::{Pack, PackStart};
use formwork_godot::resource::{Content, Head};
use formwork_godot::script;

use super::listing::Listed;
use super::report::{Entry, Report};
use super::resource;
use super::source::Source;
use super::style::shown;

impl Report {
    /// Adds the facts about a file of a newer version than this program reads, and returns whether
    /// it is one. The file has `size` bytes with its containers.
    pub(crate) fn newer(&mut self, source: &Source, size: u64, all: bool) -> bool {
        let bytes = source.content();
        if let Some(PackStart { version, major, minor, patch, .. }) = pack::newer(bytes) {
            self.start(Other::GodotPack, version, "versions 0 to 4", size);
            self.add("engine", Entry::line(format!("Godot {major}.{minor}.{patch}")));
            if let Some(pack) = Pack::open_newer(bytes) {
                let words = "in the directory, read as that of version 4";
                self.add("files", Entry::Number(pack.count().into(), words));
                let files = Listed::all(&pack);
                self.add("contents", Entry::Files(files, pack_files(all)));
            }
            return true;
        }
        if let Some(version) = script::newer(bytes) {
            self.start(Other::GodotScript, version, "versions 1 to 13, 100 and 101", size);
            return true;
        }
        if let Some(header) = formwork_alb1::newer(bytes) {
            self.start(Other::Alb1, header.version, "version 1", size);
            if let version @ 1.. = header.project_version {
                self.add("project", Entry::Number(version.into(), "is the project's version"));
            }
            return true;
        }
        false
    }

    /// Adds the facts from the header of a resource of a newer version, and returns whether it is
    /// one.
    pub(crate) fn newer_resource(
        &mut self,
        file: &resource::File,
        content: &Content<'_>,
        size: u64,
    ) -> bool {
        let Some(head) = Head::of_newer(content) else { return false };
        self.start(file.format(), head.format, "versions up to 6", size);
        self.add("engine", Entry::line(head.engine()));
        self.add("class", Entry::line(shown(head.class.to_string())));
        true
    }

    /// Adds the facts that all of these files have.
    fn start(&mut self, kind: Other, version: u32, known: &str, size: u64) {
        self.add("format", Entry::named(kind.name(), kind.description()));
        let words = "of the format, newer than this program reads";
        self.add("version", Entry::Number(version.into(), words));
        self.add("reads", Entry::line(known));
        self.add("size", Entry::Amount(size, "byte"));
    }
}

/// Returns the number of files of a pack that are listed.
const fn pack_files(all: bool) -> usize {
    if all { usize::MAX } else { super::pack::SHOWN }
}
