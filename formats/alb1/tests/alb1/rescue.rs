//! Files that were cut can be used after the rescue: they have no faults.

use std::fs;

use formwork_alb1::recover::{Reason, Recovered, recover};
use formwork_alb1::terrain::{ObjectLayer, Project, Root, ShapeLayer, Templates};
use formwork_alb1::tree;
use formwork_alb1::tree::Tree;
use formwork_alb1::{Document, FindingKind, Value};
use formwork_terrain::verify;
use formwork_testkit::Noise;

use crate::corpus::each_sample;

/// Cuts of each file.
const CUTS: usize = 20;

/// Cuts of each file of more than [`LARGE`] bytes, which take most of the time: before a release, as many as of the
/// others.
const CUTS_OF_LARGE: usize = 4;
const LARGE: usize = 1 << 20;

/// Returns the faults of a rescued file, except those of the whole one.
fn wrong(rescued: &Document, whole: &Document) -> Vec<String> {
    let of = |document: &Document| -> Vec<FindingKind> {
        verify::document("whole", document).iter().map(|it| it.kind).collect()
    };
    let before = of(whole);
    verify::document("rescued", rescued)
        .iter()
        // A lost pointer or mask cannot be restored.
        .filter(|it| !matches!(it.kind, FindingKind::PointerNull | FindingKind::MaskCount))
        .filter(|it| !before.contains(&it.kind))
        .map(ToString::to_string)
        .collect()
}

/// Checks that a rescued file can be read by its class; returns the number of placed objects.
fn usable(recovered: &Recovered, what: &str) -> u64 {
    let bytes = recovered.document.to_vec().unwrap();
    let document = Document::from_slice(&bytes).unwrap();
    let class = document.class_name(&document.root).into_owned();
    if class == "CLayer" {
        let layer = ObjectLayer::of(&document).unwrap_or_else(|error| panic!("{what}: {error}"));
        let templates = Templates::from_layer(&layer);
        let objects: Vec<_> = layer.objects(&templates).collect::<Result<_, _>>().unwrap();
        assert_eq!(layer.object_count as usize, objects.len(), "{what}");
        let highest = objects.iter().map(|it| i64::from(it.object.id)).max().unwrap_or(-1);
        assert!(i64::from(layer.next_object_id) > highest, "{what}");
        Tree::read(&layer.tree, layer.tree_version()).unwrap();
        let placed = recovered.placed.unwrap();
        assert_eq!(placed.kept, objects.len() as u64, "{what}");
        return placed.kept;
    }
    if class == "CAreaLayer" {
        ShapeLayer::of(&document).unwrap_or_else(|error| panic!("{what}: {error}"));
    } else {
        let project = Project::of(&document).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(document.header.project_version, project.version as u32, "{what}");
    }
    0
}

/// Cuts a file at seeded places; how many of them left something.
fn cuts(name: &str, bytes: &[u8], places: impl Iterator<Item = usize>) -> usize {
    let whole = Document::from_slice(bytes).unwrap();
    let mut rescued = 0;
    for at in places {
        let what = format!("{name} cut at {at} of {}", bytes.len());
        let recovered = recover(&bytes[..at]);
        if recovered.fields == 0 {
            // The header, the tables and the head of the root tell nothing about its contents.
            let first = whole.walk().nth(1).unwrap();
            let length = first.value_offset() + 2 + 64;
            assert!((at as u64) < length, "{what}");
            continue;
        }
        rescued += 1;
        usable(&recovered, &what);
        assert_eq!(wrong(&recovered.document, &whole), [""; 0], "{what}");
        // All that was put in is listed.
        let lacked = Document::from_slice(&bytes[..at]).is_err();
        assert!(!lacked || !recovered.lost.is_empty(), "{what}");
    }
    rescued
}

fn seeded(name: &str, size: usize) -> impl Iterator<Item = usize> {
    let seed = name.bytes().fold(7_u64, |seed, byte| seed.wrapping_mul(31) + u64::from(byte));
    let mut noise = Noise::new(seed);
    (0..CUTS).map(move |_| noise.below(size))
}

/// The files that are shipped.
fn shipped() -> Vec<(String, Vec<u8>)> {
    let folder = formwork_testkit::formats().join("alb1/samples");
    let mut files = Vec::new();
    for folder in [folder.clone(), folder.join("valley.Layers"), folder.join("valley.Shapes")] {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if [".tv4p", ".tv4l", ".tv4s"].iter().any(|end| name.ends_with(end)) {
                files.push((name, fs::read(path).unwrap()));
            }
        }
    }
    files.sort();
    assert!(files.len() >= 3);
    files
}

#[test]
fn cut_files_can_be_worked_with_again() {
    for (name, bytes) in shipped() {
        let rescued = cuts(&name, &bytes, seeded(&name, bytes.len()));
        println!("{name}: {rescued} of {CUTS}");
        // Behind the tables, too, where most of a small file is tables.
        let whole = Document::from_slice(&bytes).unwrap();
        let root = whole.root_offset() as usize;
        let mut noise = Noise::new(1);
        let behind = (0..CUTS).map(|_| root + noise.below(bytes.len() - root));
        assert!(cuts(&name, &bytes, behind) > CUTS / 2, "{name}");
    }
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn real_files_that_were_cut_can_be_worked_with_again() {
    let (mut all, mut rescued) = (0, 0);
    each_sample(|sample| {
        let large = sample.bytes.len() > LARGE;
        let count = if large { formwork_testkit::rounds(CUTS_OF_LARGE, CUTS) } else { CUTS };
        all += count;
        let places = seeded(&sample.name, sample.bytes.len()).take(count);
        rescued += cuts(&sample.name, &sample.bytes, places);
    });
    println!("{rescued} of {all} cuts left something; all of these can be worked with");
}

/// The first layer that is shipped and has objects.
fn layer() -> (Vec<u8>, ObjectLayer) {
    let layers = shipped().into_iter().filter(|(name, _)| name.ends_with(".tv4l"));
    let mut layers = layers.map(|(_, bytes)| {
        let layer = ObjectLayer::of(&Document::from_slice(&bytes).unwrap()).unwrap();
        (bytes, layer)
    });
    layers.find(|(_, layer)| layer.object_count > 1).unwrap()
}

#[test]
fn fields_behind_the_cut_get_their_defaults_and_are_listed() {
    let (bytes, whole) = layer();
    // The last byte is one of mlayerID.
    let recovered = recover(&bytes[..bytes.len() - 20]);
    let layer = ObjectLayer::of(&recovered.document).unwrap();
    let highest =
        tree::objects(&layer.tree, layer.tree_version()).map(|it| it.unwrap().1.id).max().unwrap();
    assert_eq!(layer.next_object_id, highest as i32 + 1);
    assert_eq!((layer.opacity, layer.id), (1.0, 0));
    assert_eq!(layer.object_count, whole.object_count);
    let listed: Vec<_> =
        recovered.lost.iter().filter(|lost| lost.reason == Reason::Default).collect();
    let [one] = &listed[..] else { panic!("{listed:?}") };
    assert_eq!(
        one.thought,
        format!("malpha 1, mobjectIDcounter {}, mlayerID 0 of CLayer", highest + 1)
    );
    let placed = recovered.placed.unwrap();
    let count = whole.object_count as u64;
    assert_eq!((placed.kept, placed.said), (count, Some(count)));
    // A cut between two fields leaves a file that can be read, and lacks fields.
    let mut document = Document::from_slice(&bytes).unwrap();
    document.root.fields.truncate(document.root.fields.len() - 2);
    let recovered = recover(&document.to_vec().unwrap());
    assert!(recovered.error.is_none() && !recovered.is_whole());
    assert_eq!(verify::document("rescued", &recovered.document), []);
}

#[test]
fn words_of_a_damaged_header_are_not_believed() {
    let (bytes, _) = layer();
    let mut damaged = bytes.clone();
    damaged[..16].copy_from_slice(b"\x89PNG\r\n\x1a\n12345678");
    let recovered = recover(&damaged);
    assert_eq!(
        (recovered.document.header.project_version, recovered.document.header.reserved),
        (0, 0)
    );
    assert_eq!(recovered.document.to_vec().unwrap(), bytes);
    // The header of a project is restored from its root.
    let (_, bytes) = shipped().into_iter().find(|(name, _)| name.ends_with(".tv4p")).unwrap();
    let mut damaged = bytes.clone();
    damaged[..16].fill(0xEE);
    assert_eq!(recover(&damaged).document.to_vec().unwrap(), bytes);
}

#[test]
fn the_version_of_a_layer_follows_its_tree() {
    let (bytes, whole) = layer();
    let mut document = Document::from_slice(&bytes).unwrap();
    let version = document.tags.id("mlayerVersion").unwrap();
    let other = if whole.version == 4 { 3 } else { 4 };
    *document.root.get_mut(version).unwrap() = Value::SignedInt(other);
    let recovered = recover(&document.to_vec().unwrap());
    assert_eq!(ObjectLayer::of(&recovered.document).unwrap().version, whole.version);
    assert!(!recovered.is_whole());
}

#[test]
fn nothing_is_made_of_what_is_no_alb1_file() {
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";
    let text = "a line of text\n".repeat(1_000);
    for bytes in [&png[..], text.as_bytes(), &[0; 5_000], b"", b"ALB1"] {
        let recovered = recover(bytes);
        assert_eq!(recovered.fields, 0);
        assert!(recovered.document.root.fields.is_empty());
        assert_eq!(recovered.document.header, formwork_alb1::Header::default());
    }
}
