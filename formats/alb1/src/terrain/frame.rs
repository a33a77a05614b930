//! Map frames: the parts of the map that become terrains.

use super::class::classes;
use super::form::{
    Bool, Double, Doubles, DrivePath, FilePath, FolderPath, Items, Label, ListOf, Nested,
    SignedInt, Words,
};
use crate::Text;

classes! {
    /// The map frames of a project.
    "CMapFrame", Seen => pub struct MapFrames {
        /// The position of the one that is selected.
        pub selected: i32 => SignedInt, "mselected";
        /// The map frames; one or two were seen.
        pub frames: Vec<MapFrame> => Items<MapFrame>, "mframe";
    }

    /// A map frame: the part of the map that becomes a terrain.
    "SMapFrame", Seen => pub struct MapFrame {
        /// Its name. Where the map was imported from a finished terrain, this is the path of that.
        pub name: Text => Label, "name";
        /// Cells of the height map on a side: 512, 1024, 2048, 4096.
        pub size: i32 => SignedInt, "size";
        /// Whether it is locked.
        pub locked: bool => Bool, "lock";
        /// The name of its height raster: `<name>-heightfield`, or `__empty_`.
        pub height_raster: Text => Label, "cacheterrain";
        /// Settings of its export.
        pub configuration: FrameConfiguration => Nested<FrameConfiguration>, "config";
        /// Whether the terrain has changed since it was built.
        pub needs_terrain: bool => Bool, "needToRebuildTerrain";
        /// Whether the layers have changed since they were generated.
        pub needs_layers: bool => Bool, "needToGenerateLayers";
        /// Left, bottom, right, top in metres: 200000, 0, 210240, 10240.
        pub bounds: [f64; 4] => Doubles<4>, "mpos";
    }

    /// The settings of a map frame's export.
    "SMapFrameConfiguration", Seen => pub struct FrameConfiguration {
        /// The folder that is exported to.
        pub export_folder: Text => FolderPath, "wrpdirexport";
        /// `layers.cfg`, as a path on the project drive.
        pub layers_file: Text => DrivePath, "wrpfilecfg";
        /// The file of the texture grid (`.v4w`).
        pub grid_file: Text => FilePath, "texgridfile";
        /// Whether the surface mask is imported.
        pub surface_imported: bool => Bool, "surfaceimported";
        /// Whether the satellite image is imported.
        pub satellite_imported: bool => Bool, "satelliteImported";
        /// The size of a cell to the east, in metres.
        pub grid_x: f64 => Double, "gridX";
        /// The size of a cell to the north, in metres.
        pub grid_z: f64 => Double, "gridZ";
        /// The size of a satellite tile's cell, in metres.
        pub grid_original: f64 => Double, "gridOriginal";
        /// Cells of the grid on a side.
        pub grid_size: i32 => SignedInt, "gridsize";
        /// The suffix of the names of normal maps.
        pub normal_map_suffix: Text => Words, "normalMapSuffix";
        /// An image for the background.
        pub background_image: Text => FilePath, "backgroundImage";
        /// The image whose tiles replace the satellite image.
        pub satellite_tile: Text => FilePath, "tileSat";
        /// The image whose tiles replace the surface mask.
        pub surface_tile: Text => FilePath, "tileSurf";
        /// The image whose tiles replace the normal map.
        pub normal_tile: Text => FilePath, "tileNorm";
        /// How many pixels tiles overlap.
        pub texture_overlap: i32 => SignedInt, "texoverlap";
        /// How many pixels a tile has on a side.
        pub texture_cell: i32 => SignedInt, "texcell";
        /// A number, which may be -1.
        pub segment_index: i32 => SignedInt, "segIndex";
        /// The size of a cell of the satellite grid, in metres.
        pub satellite_cell: i32 => SignedInt, "satGridCellSize";
        /// How many pixels the satellite image has on a side.
        pub imagery_width: i32 => SignedInt, "imageryWidth";
        /// How many metres a pixel takes.
        pub imagery_resolution: f64 => Double, "imageryResolution";
        /// How many tiles each of the three masks says something about.
        pub mask_count: i32 => SignedInt, "mcount" (counts tile_mask);
        /// The tiles that are to be generated.
        pub tile_mask: Vec<bool> => ListOf<Bool>, "mgridMaskTile";
        /// The tiles that may be generated.
        pub allowed_mask: Vec<bool> => ListOf<Bool>, "mgridMaskAllowed";
        /// The tiles that were generated the last time.
        pub generated_mask: Vec<bool> => ListOf<Bool>, "mgridMaskGeneratedLastTime";
    }
}
