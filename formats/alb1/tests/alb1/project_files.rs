//! A project on disk: its files are found, read, paired and changed.

use std::fs;
use std::path::{Path, PathBuf};

use formwork_alb1::finding::Finding;
use formwork_alb1::terrain::{ObjectLayer, PathKind, Project as Settings, Root, ShapeLayer};
use formwork_terrain::paths::{FilePath, Replacement};
use formwork_terrain::project::{
    ChangeError, Drives, FromDisk, LibraryState, Location, MappedFolder, NewLayerError, OpenError,
    Opening, Project, ReadFile, RootAddresses, Unreadable,
};
use tempfile::TempDir;

use crate::terrain::text;

/// A project with an object layer, a shape layer and unreadable files.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(TempDir::new().expect("a folder is made"));
        let mut settings = Settings::new(text("Island"));
        settings.libraries = vec![text("TemplateLibs\\rocks.tml"), text("templatelibs\\gone.tml")];
        settings.objects.total_object_count = 7;
        folder.write("island.TV4P", &settings.to_document().unwrap().to_vec().unwrap());
        let layer = ObjectLayer::new(text("Trees"), 9).unwrap().to_document().unwrap();
        folder.write("Island.layers/default.tv4l", &layer.to_vec().unwrap());
        let shapes = ShapeLayer::new(text("Fields")).to_document().unwrap();
        folder.write("island.Shapes/fields.tv4s", &shapes.to_vec().unwrap());
        let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
        folder.write("Island.layers/large.tv4l", pointer);
        folder.write("Island.layers/empty.tv4l", b"");
        folder.write("Island.layers/notes.txt", b"no layer");
        folder.write("templatelibs/Rocks.tml", b"<Library name='rocks'/>");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn open(&self) -> Project {
        Project::open(self.0.path(), &FromDisk).expect("it can be opened")
    }
}

#[test]
fn a_project_is_found_with_its_layers_and_what_is_none() {
    let folder = Folder::new();
    let project = folder.open();
    let titles: Vec<_> = project.files().map(|file| file.title().unwrap().to_string()).collect();
    assert_eq!(titles, ["Island", "Trees", "Fields"]);
    let unread: Vec<_> = project.unread.iter().map(|file| (file.stem(), &file.why)).collect();
    let [(empty, Unreadable::Empty), (large, Unreadable::Other(_))] = &unread[..] else {
        panic!("{unread:?}");
    };
    assert_eq!((&**empty, &**large), ("empty", "large"));
    assert!(!project.unread[0].is_git_lfs_pointer() && project.unread[1].is_git_lfs_pointer());
    let alone =
        Project::open_some(&folder.path("island.TV4P"), &FromDisk, Opening::None, Opening::None)
            .unwrap();
    assert_eq!((alone.files().count(), alone.unread.len()), (1, 0));
    // A folder of layers, and a layer.
    let layers = Project::open(&folder.path("Island.layers"), &FromDisk).unwrap();
    assert!(layers.project.is_none() && layers.layers.len() == 1);
    let layer = Project::open(&folder.path("Island.layers/default.tv4l"), &FromDisk).unwrap();
    assert!(layer.project.is_none() && layer.layers[0].view::<ObjectLayer>().is_ok());

    let list = project.layer_list().unwrap();
    assert_eq!((&*list.object_layers[0].name, list.object_layers[0].id), ("Trees", Some(9)));
    assert_eq!(list.shape_layers[0].shapes, Some(0));
    assert!(list.unread[1].git_lfs_pointer && list.unread[1].size == 63);
}

#[test]
fn what_cannot_be_opened_says_why() {
    let folder = Folder::new();
    let open = |name: &str| Project::open(&folder.path(name), &FromDisk).unwrap_err();
    assert!(matches!(open("nothing.tv4p"), OpenError::File { why: Unreadable::Refused(_), .. }));
    fs::create_dir(folder.path("bare")).unwrap();
    assert!(matches!(open("bare"), OpenError::Empty { .. }));
    let bytes = fs::read(folder.path("island.TV4P")).unwrap();
    folder.write("island.tv4p.cut", &bytes[..bytes.len() - 1]);
    let OpenError::File { why: Unreadable::Damaged { bytes: read, error }, .. } =
        open("island.tv4p.cut")
    else {
        panic!("it is cut");
    };
    assert_eq!((read.len(), error.offset()), (bytes.len() - 1, error.offset()));
    folder.write("other.tv4p", &bytes);
    let OpenError::Several { projects, .. } = open("") else { panic!("there are two") };
    assert_eq!(projects.len(), 2);
}

#[test]
fn layers_are_selected_by_name_and_by_file() {
    let project = Folder::new().open();
    for name in ["Trees", "default", "DEFAULT"] {
        let names = [name.to_owned()];
        assert_eq!(Project::select(&project.layers, &names).unwrap().len(), 1, "{name}");
    }
    let names = ["Trees".to_owned(), "trees".to_owned()];
    assert_eq!(Project::select(&project.layers, &names).unwrap_err(), "trees");
}

#[test]
fn a_new_layer_never_takes_the_place_of_a_file() {
    let folder = Folder::new();
    let project = folder.open();
    let new = project.new_layer("rocks", 5).unwrap();
    assert_eq!(new.path, Some(folder.path("Island.layers/rocks.tv4l")));
    assert_eq!((new.layer.id, new.layer.priority), (5, 1));
    let taken: Vec<u32> = project.files().map(|file| file.document.root.address).collect();
    assert!(!taken.contains(&new.document.root.address));
    for (name, file) in [("LARGE", "large.tv4l"), ("Default", "default.tv4l")] {
        let Err(NewLayerError::File { path, unread }) = project.new_layer(name, 5) else {
            panic!("{name} is there");
        };
        assert_eq!(path, folder.path("Island.layers").join(file));
        assert_eq!(unread.is_some(), name == "LARGE");
    }
    assert!(matches!(project.new_layer("Trees", 5), Err(NewLayerError::Layer)));
    assert!(matches!(project.new_layer("a:b", 5), Err(NewLayerError::Name)));
    assert!(matches!(project.new_layer("\u{65e5}", 5), Err(NewLayerError::Character)));

    let file = project.project.as_ref().unwrap();
    let changed = file.with_more_objects(-3).unwrap();
    fs::write(&changed.path, &changed.bytes).unwrap();
    let settings: Settings = folder.open().project.unwrap().view().unwrap();
    assert_eq!(settings.objects.total_object_count, 4);
    assert!(file.with_more_objects(i64::from(i32::MAX)).is_err());
    assert_eq!(Project::missing_folder(&folder.path("new/a.tv4l")), Some(&*folder.path("new")));
    assert_eq!(Project::missing_folder(&changed.path), None);
}

#[test]
fn paths_lead_through_drives_in_whatever_case() {
    let folder = Folder::new();
    let libraries = folder.open().libraries(&Drives::default(), &FromDisk);
    assert!(matches!(&libraries[0].state, LibraryState::Read(library) if library.name == "rocks"));
    let LibraryState::Missing(path) = &libraries[1].state else { panic!("it is not there") };
    assert_eq!(path.file_name(), Some("gone.tml".as_ref()));

    let drive = MappedFolder::new("P:", folder.0.path()).unwrap();
    let deeper = MappedFolder::new("p:/ISLAND.layers", folder.path("templatelibs")).unwrap();
    assert!(MappedFolder::new("maps", folder.0.path()).is_none());
    let drives = Drives::new(vec![drive, deeper]);
    let find = |path: &str, kind| {
        let at = formwork::Path::default();
        drives.find(&FilePath { at, kind, text: text(path) }, Path::new(""))
    };
    let there = folder.path("island.Shapes/fields.tv4s");
    assert_eq!(find("ISLAND.shapes/FIELDS.tv4s", PathKind::OnDrive), Location::Found(there));
    let there = folder.path("templatelibs/Rocks.tml");
    assert_eq!(find("P:\\Island.Layers\\rocks.TML", PathKind::File), Location::Found(there));
    assert_eq!(find("C:\\rocks.tml", PathKind::File), Location::Unknown);
    assert_eq!(find("P:\\rocks.tml", PathKind::Label), Location::Unknown);
}

#[test]
fn files_of_two_projects_are_paired_by_name() {
    let (old, new) = (Folder::new(), Folder::new());
    fs::rename(new.path("island.Shapes/fields.tv4s"), new.path("island.Shapes/roads.tv4s"))
        .unwrap();
    fs::rename(new.path("Island.layers/default.tv4l"), new.path("Island.layers/Default.tv4l"))
        .unwrap();
    let names: Vec<_> = old.open().layer_names().map(|(_, name)| name).collect();
    assert_eq!(names, ["Trees", "Fields"]);
    let pairs = Project::pairs(old.open(), new.open());
    let whole: Vec<_> = pairs.iter().map(|it| (it.old.is_some(), it.new.is_some())).collect();
    assert_eq!(whole, [(true, true), (true, true), (true, false), (false, true)]);
}

/// Verifies a project in the way of a front end.
#[test]
fn a_project_is_verified_with_what_is_on_disk() {
    let folder = Folder::new();
    let findings = folder.open().verify(&Drives::default(), &FromDisk);
    let kinds: Vec<_> = findings.iter().map(|finding| finding.kind.name()).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "layer.unread").count(), 2, "{kinds:?}");
    assert_eq!(kinds.iter().filter(|kind| **kind == "library.missing").count(), 1, "{kinds:?}");
}

#[test]
fn no_two_roots_get_one_address() {
    let mut project = Folder::new().open();
    // As after a copy of a file: two have one address.
    let addresses = [0x1000_0000, 0x1000_0008, 0x1000_0008];
    let files = project.project.iter_mut().chain(&mut project.layers).chain(&mut project.shapes);
    for (file, address) in files.zip(addresses) {
        file.document.root.address = address;
    }
    let taken = || project.root_addresses();
    for (from, expected) in [
        (0x1000_0000, [0x1000_0010, 0x1000_0018]),
        (0x1000_0008, [0x1000_0010, 0x1000_0018]),
        (0x0FFF_FFF8, [0x0FFF_FFF8, 0x1000_0010]),
        (0x2000_0000, [0x2000_0000, 0x2000_0008]),
        (0x1000_0004, [0x1000_0004, 0x1000_000C]),
        (0, [8, 16]),
        (u32::MAX - 7, [u32::MAX - 7, 8]),
        (u32::MAX, [u32::MAX, 8]),
    ] {
        let mut addresses = taken();
        let found = [addresses.free_from(from), addresses.free_from(from)];
        assert_eq!(found, expected, "{from:x}");
    }
    let mut addresses = taken();
    assert_eq!([addresses.free(), addresses.free()], [0x1000_0010, 0x1000_0018]);
    assert_eq!(addresses.free_from(0x1000_0010), 0x1000_0020);
    assert_eq!(RootAddresses::default().free(), 8);
    assert_eq!(Project::default().root_addresses().free_from(16), 16);
}

#[test]
fn a_file_with_other_paths_is_written_with_them() {
    let mut project = Folder::new().open();
    let file = project.project.as_mut().unwrap();
    let mut settings: Settings = file.view().unwrap();
    settings.objects.center_deltas = Default::default();
    settings.objects.center_deltas.insert(text("old\\a.p3d"), Default::default());
    settings.store_in(&mut file.document).unwrap();
    let replacement = |old, new| Replacement::new(old, new).unwrap();
    let (path, name) = (file.path.clone(), file.name.clone());
    let twice = [replacement("P:\\old", "P:\\mid"), replacement("P:\\gone", "P:\\new")];
    let (_, replaced) = file.clone().with_paths(&twice).unwrap();
    assert_eq!(replaced.changed, 1);
    let (changed, replaced) = file.with_paths(&[replacement("P:\\old", "P:\\new")]).unwrap();
    assert_eq!((replaced.changed, replaced.left.len()), (1, 0));
    assert_eq!((&changed.path, &changed.name), (&path, &name));
    let written = formwork_alb1::Document::from_slice(&changed.bytes).unwrap();
    let now = Settings::of(&written).unwrap();
    let keys: Vec<_> = now.objects.center_deltas.iter().map(|(key, _)| key.to_string()).collect();
    assert_eq!(keys, ["new\\a.p3d"]);
    assert!(written.is_identical(&file.document));
    // Two models at one path: nothing is written.
    let mut both = settings.clone();
    let delta = formwork_alb1::terrain::CenterDelta { x: 1.0, ..Default::default() };
    both.objects.center_deltas.insert(text("new\\a.p3d"), delta);
    both.store_in(&mut file.document).unwrap();
    let error = file.with_paths(&[replacement("P:\\old", "P:\\new")]).unwrap_err();
    assert!(matches!(error, ChangeError::Conflict(_)), "{error}");
}

/// Counts the files that are read.
#[derive(Default)]
struct Counting(std::cell::RefCell<Vec<String>>);

impl ReadFile for Counting {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.0.borrow_mut().push(name);
        fs::read(path)
    }
}

#[test]
fn only_the_layers_that_are_asked_for_are_read() {
    let folder = Folder::new();
    let open = |layers: &[&str]| {
        let names: Vec<String> = layers.iter().map(|&name| name.to_owned()).collect();
        let reader = Counting::default();
        let path = folder.path("island.TV4P");
        let project =
            Project::open_some(&path, &reader, Opening::Named(&names), Opening::None).unwrap();
        let titles: Vec<_> =
            project.layers.iter().map(|file| file.title().unwrap().to_string()).collect();
        (reader.0.into_inner(), titles, project.unread.len(), project.unopened.len())
    };
    let project = || "island.TV4P".to_owned();
    let trees = || vec!["Trees".to_owned()];
    let one = vec![project(), "default.tv4l".to_owned()];
    assert_eq!(open(&["default"]), (one.clone(), trees(), 0, 2));
    assert_eq!(open(&["DEF*"]), (one, trees(), 0, 2));
    // The name of the layer is in the file: all are looked at.
    let (read, titles, unread, unopened) = open(&["Trees"]);
    assert_eq!((read.len(), titles, unread, unopened), (4, trees(), 2, 0));
    assert_eq!(open(&[]).0.len(), 4);
    let (read, titles, unread, unopened) = open(&["large"]);
    assert_eq!((read.len(), titles, unread, unopened), (2, vec![], 1, 2));
}

#[test]
fn libraries_with_a_name_twice_or_with_foreign_hashes_are_found() {
    let folder = Folder::new();
    let template = |name: &str, hash: i32| {
        format!(
            "<Template><Name>{name}</Name><File>x\\{name}.p3d</File><Hash>{hash}</Hash></Template>"
        )
    };
    let of = |name: &str| formwork_alb1::terrain::hash(name.as_bytes()) as i32;
    let verify = |rocks: &[String], gone: &[String]| -> Vec<String> {
        let xml = |name: &str, all: &[String]| {
            format!("<Library name='{name}'>{}</Library>", all.concat())
        };
        folder.write("templatelibs/Rocks.tml", xml("rocks", rocks).as_bytes());
        folder.write("templatelibs/gone.tml", xml("gone", gone).as_bytes());
        let findings = folder.open().verify(&Drives::default(), &FromDisk);
        let of_libraries = |it: &&Finding| it.path.to_string().starts_with("libs");
        let shown = |it: &Finding| format!("{} {}: {}", it.path, it.kind, it.message);
        findings.iter().filter(of_libraries).map(shown).collect()
    };
    let sound = [template("a", of("a")), template("b_1", of("b")), template("c", of("c "))];
    assert_eq!(verify(&sound, &[template("d", of("d"))]), [""; 0]);
    assert_eq!(
        verify(&sound, &[template("c", of("c")), template("a", of("a"))]),
        [
            "libs[1] template.twice: the library gone has 2 templates whose name is taken, the first is c, which the \
          library rocks has: that one counts"
        ]
    );
    assert_eq!(
        verify(&[template("a", of("a")), template("a", of("a"))], &[]),
        [
            "libs[0] template.twice: the library rocks has 1 template whose name is taken, the first is a, which the \
          library rocks has: that one counts"
        ]
    );
    let clamped = ["a", "b", "c"].map(|name| template(name, i32::MAX));
    assert_eq!(
        verify(&clamped, &[]),
        [
            "libs[0] library.hash: in the library rocks 3 templates have a Hash that is not that of their name, the \
          first is a: 2147483647, not 97; 3 share one with another"
        ]
    );
    let numbered = [template("a", 1), template("b", of("b")), template("c", 3)];
    assert_eq!(
        verify(&numbered, &[]),
        [
            "libs[0] library.hash: in the library rocks 2 templates have a Hash that is not that of their name, the \
          first is a: 1, not 97"
        ]
    );
}
