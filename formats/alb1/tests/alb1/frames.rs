//! Map frames changed, and drives of projects.

use formwork_alb1::Document;
use formwork_alb1::terrain::{MapFrame, Project, Raster, Root, ShapeLayer};
use formwork_terrain::frame::{FrameChange, FrameError};
use formwork_terrain::paths::{Replacement, drives};

use crate::corpus::each_sample;
use crate::terrain::{project, text};

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn a_change_of_frames_and_its_reverse_restore_every_real_project() {
    each_sample(|sample| {
        let mut document = Document::from_slice(&sample.bytes).unwrap();
        let Ok(mut project) = Project::of(&document) else { return };
        let frames = project.objects.map_frames.frames.clone();
        for (position, frame) in frames.iter().enumerate() {
            let change = FrameChange {
                name: Some(text("another name")),
                locked: Some(!frame.locked),
                export_folder: Some(text("P:\\out")),
                ..FrameChange::default()
            };
            let before = change.apply(&mut project, position).unwrap();
            assert_eq!(before, frame.name, "{}", sample.name);
            project.store_in(&mut document).unwrap();
            assert!(document.to_vec().unwrap() != sample.bytes, "{}", sample.name);
            let back = FrameChange {
                name: Some(frame.name.clone()),
                locked: Some(frame.locked),
                export_folder: Some(frame.configuration.export_folder.clone()),
                ..FrameChange::default()
            };
            back.apply(&mut project, position).unwrap();
            project.store_in(&mut document).unwrap();
            assert!(document.to_vec().unwrap() == sample.bytes, "{}", sample.name);
        }
    });
}

#[test]
fn a_frame_that_is_put_elsewhere_takes_its_height_raster_along() {
    let mut project = project();
    project.objects.map_frames.frames[0].height_raster = text("island-heightfield");
    let bounds = project.objects.map_frames.frames[0].bounds;
    let field = Raster { name: text("island-heightfield"), bounds, ..Raster::default() };
    project.world.contents.rasters.insert(9, field);
    let satellite = project.world.contents.rasters.get(&7).unwrap().clone();
    let new = [200_000.0, 0.0, 202_048.0, 2048.0];
    let change = FrameChange { bounds: Some(new), select: true, ..FrameChange::default() };
    change.apply(&mut project, 0).unwrap();
    let frame = &project.objects.map_frames.frames[0];
    assert_eq!((frame.bounds, frame.needs_terrain, frame.needs_layers), (new, true, true));
    assert_eq!(project.world.contents.rasters.get(&9).unwrap().bounds, new);
    assert_eq!(*project.world.contents.rasters.get(&7).unwrap(), satellite);

    let mut layer = ShapeLayer::new(text("areas"));
    layer.surface_frame = text("island");
    let renamed = FrameChange { name: Some(text("isle")), ..FrameChange::default() };
    assert!(renamed.follow(&mut layer, &text("island")));
    assert_eq!(layer.surface_frame, text("isle"));
    assert!(!renamed.follow(&mut layer, &text("island")));
}

#[test]
fn frames_without_a_name_or_an_area_are_refused() {
    let mut project = project();
    let other = MapFrame { name: text("other"), ..MapFrame::default() };
    project.objects.map_frames.frames.push(other);
    let before = project.clone();
    let bounds = |bounds| FrameChange { bounds: Some(bounds), ..FrameChange::default() };
    let name = |name| FrameChange { name: Some(text(name)), ..FrameChange::default() };
    for (change, position, error) in [
        (name(" "), 0, FrameError::NoName),
        (name("other"), 0, FrameError::Name(text("other"))),
        (name("new"), 7, FrameError::Missing(7)),
        (bounds([5.0, 0.0, 5.0, 1.0]), 0, FrameError::Bounds([5.0, 0.0, 5.0, 1.0])),
        (bounds([0.0, 9.0, 5.0, 1.0]), 0, FrameError::Bounds([0.0, 9.0, 5.0, 1.0])),
    ] {
        assert_eq!(change.apply(&mut project, position), Err(error));
        assert_eq!(project, before);
    }
    for number in [f64::NAN, f64::INFINITY] {
        assert!(bounds([0.0, 0.0, number, 1.0]).apply(&mut project, 0).is_err());
        assert_eq!(project, before);
    }
}

#[test]
fn several_drives_are_replaced_at_once() {
    let mut document = project().to_document().unwrap();
    let before = document.clone();
    let swap = [
        Replacement::new("P:\\island", "Q:\\isle").unwrap(),
        Replacement::new("Q:\\isle", "P:\\island").unwrap(),
    ];
    let replaced = Replacement::apply_all(&swap, &mut document).unwrap();
    assert!(replaced.changed > 0);
    let folders: Vec<String> = drives(&document).into_iter().map(|it| it.drive).collect();
    assert!(folders.contains(&"Q:".to_owned()), "{folders:?}");
    let again = Replacement::apply_all(&swap, &mut document).unwrap();
    assert_eq!(again.changed, replaced.changed);
    // (The drive's letter is as it was written.)
    let drives_of =
        |document: &Document| drives(document).iter().map(|it| it.paths).collect::<Vec<_>>();
    assert_eq!(drives_of(&document), drives_of(&before));

    // The longer folder takes precedence, in any order.
    let moves = [
        Replacement::new("P:", "X:").unwrap(),
        Replacement::new("P:\\island\\sat.png", "Y:\\sat.png").unwrap(),
    ];
    let mut document = before.clone();
    Replacement::apply_all(&moves, &mut document).unwrap();
    let raster = Project::of(&document).unwrap().world.contents.rasters.get(&7).unwrap().clone();
    assert_eq!(raster.file.to_str(), "");
    assert_eq!(raster.name.to_str(), "Y:\\sat.png");
}

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn relocating_there_and_back_restores_every_real_project() {
    let count = each_sample(|sample| {
        let mut document = Document::from_slice(&sample.bytes).unwrap();
        if Project::of(&document).is_err() {
            return;
        }
        let used = drives(&document);
        assert!(!used.is_empty(), "{}", sample.name);
        let drives: Vec<String> =
            used.into_iter().map(|it| it.drive).filter(|drive| !drive.is_empty()).collect();
        let moves = |from: &str, to: &str| -> Vec<Replacement> {
            let one =
                |drive: &String| Replacement::new(&(drive.clone() + from), &(drive.clone() + to));
            drives.iter().map(|drive| one(drive).unwrap()).collect()
        };
        // A project says P: and p:, and the way back leads to one of them.
        Replacement::apply_all(&moves("", ""), &mut document).unwrap();
        let before = document.to_vec().unwrap();
        let there = Replacement::apply_all(&moves("", "\\moved"), &mut document).unwrap();
        let back = Replacement::apply_all(&moves("\\moved", ""), &mut document).unwrap();
        assert_eq!(there.changed, back.changed, "{}", sample.name);
        assert!(document.to_vec().unwrap() == before, "{}", sample.name);
    });
    println!("{count} real files");
}
