//! The verbs that change objects of layers: the selection of objects, and the output of layers.

use clap::Args;
use formwork_alb1::terrain::Library;
use formwork_terrain::object_change::Selection;
use formwork_terrain::object_list::Filter;
use formwork_terrain::project::{Opening, Project};

use super::changing::Changing;
use super::layer_files::LayerFile;
use super::libraries::libraries;
use super::print::PrintOptions;
use super::roots::RootOptions;
use super::selection::SelectionOptions;
use formwork_program::failure::{Failure, Status};
use formwork_program::output::InPlaceOptions;
use formwork_program::progress::Progress;

/// Options that choose the changed objects, and the output.
#[derive(Args, Clone, Debug)]
pub(super) struct ObjectChangeOptions {
    #[command(flatten)]
    selection: SelectionOptions,
    #[command(flatten)]
    change: InPlaceOptions,
    #[command(flatten)]
    roots: RootOptions,
    #[command(flatten)]
    print: PrintOptions,
}

/// The layers of a project whose objects a command changes.
pub(super) struct ObjectChanges<'p> {
    pub(super) layers: Vec<LayerFile<'p>>,
    pub(super) libraries: Vec<Library>,
    pub(super) filter: Filter,
    /// The objects that the filter selects in all layers.
    pub(super) selected: Selection,
    pub(super) changing: Changing,
    /// The status: "no" where a layer could not be read.
    pub(super) status: Status,
}

impl<'p> ObjectChanges<'p> {
    /// Calls `change` for each layer, and shows the progress.
    pub(super) fn each(
        &mut self,
        mut change: impl FnMut(&Self, LayerFile<'p>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let layers = std::mem::take(&mut self.layers);
        let progress = Progress::new(layers.len());
        for layer in layers {
            progress.next(layer.file.name.clone());
            change(self, layer)?;
            progress.done();
        }
        Ok(())
    }
}

impl ObjectChangeOptions {
    /// Returns the layers that are opened.
    pub(super) fn needs(&self) -> [Opening<'_>; 2] {
        [Opening::Named(&self.selection.layers), Opening::None]
    }

    /// Reads the layers, and refuses them if none of their objects is selected.
    pub(super) fn open<'p>(&self, project: &'p Project) -> Result<ObjectChanges<'p>, Failure> {
        let changing = Changing::new(self.change, &self.print)?;
        let filter = self.selection.places.filter()?;
        let libraries = libraries(project, &self.roots);
        let (layers, status) = self.selection.layers(project)?;
        let selected = self.selection.places.of_layers(&layers, &libraries, &filter)?;
        let layers = layers.into_iter().map(LayerFile::new).collect();
        Ok(ObjectChanges { layers, libraries, filter, selected, changing, status })
    }
}
