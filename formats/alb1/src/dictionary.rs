//! Terrain Builder's whole dictionary: the tables of every file seen, for new files.

use std::sync::LazyLock;

use super::table::Table;
use formwork_records::wire::put_record;

/// Names of the tag table with the ids 2, 3, 5, 6, ... (4 does not exist).
const TAGS: &[&str] = &[
    "tags",
    "classes",
    "data",
    "item",
    "pair",
    "key",
    "empty",
    "mname",
    "mvalue",
    "mtype",
    "mrawDataTable",
    "mrawData",
    "version",
    "build",
    "base",
    "leaf",
    "mworldfWorldWidth",
    "mworldfWorldHeight",
    "mUTMzone",
    "mUTMzoneNumber",
    "libs",
    "objManager",
    "world",
    "mbookmarks",
    "malpha",
    "mlayerVersion",
    "mnPriority",
    "mbVisible",
    "mbLocked",
    "mbOpaque",
    "objectCount",
    "tree",
    "mobjectIDcounter",
    "mlayerID",
    "mnCoreVerticesCount",
    "mfRadius",
    "mpVertices",
    "mdata",
    "mfAzimuth",
    "mdeleted",
    "moutlineColor",
    "mfillColor",
    "mpattern",
    "moutlineWidth",
    "mnVertexCount",
    "mareas",
    "msurfExportMapframeName",
    "msurfExportSurfName",
    "name",
    "count",
    "x",
    "y",
    "z",
    "mlTotalObjectCount",
    "externLayers",
    "externAreaLayers",
    "mactiveLayer",
    "mactiveAreaLayer",
    "namedSelections",
    "mroadbase",
    "mroadelement",
    "mapFrame",
    "keyPoint",
    "mobjectsDelta",
    "mlayers",
    "mareaLayers",
    "satsurfcrunchwidth",
    "wrpdirexport",
    "wrpfilecfg",
    "texgridfile",
    "surfaceimported",
    "satelliteImported",
    "gridX",
    "gridZ",
    "gridOriginal",
    "gridsize",
    "normalMapSuffix",
    "backgroundImage",
    "tileSat",
    "tileSurf",
    "tileNorm",
    "texoverlap",
    "texcell",
    "segIndex",
    "satGridCellSize",
    "imageryWidth",
    "imageryResolution",
    "mcount",
    "mgridMaskTile",
    "mgridMaskAllowed",
    "mgridMaskGeneratedLastTime",
    "size",
    "lock",
    "pos",
    "cacheterrain",
    "config",
    "needToRebuildTerrain",
    "needToGenerateLayers",
    "mpos",
    "mselected",
    "mframe",
    "text",
    "properties",
    "fillcolor",
    "outlinecolor",
    "id",
    "style",
    "visible",
    "angle",
    "mkey",
    "keyparts",
    "normalparts",
    "color",
    "outline",
    "drawasfullline",
    "maxangle",
    "maxbankof",
    "straight",
    "curve",
    "special",
    "terminator",
    "objectfilefilename",
    "canbank",
    "radius",
    "type",
    "min",
    "max",
    "standart",
    "align",
    "connecta",
    "connectb",
    "connectc",
    "connectd",
    "mroad",
    "mcross",
    "mroadGetRoads",
    "position",
    "orientation",
    "elevation",
    "mposition",
    "roadid",
    "keypointtype",
    "keypointname",
    "directiona",
    "directionb",
    "directionc",
    "directiond",
    "mID",
    "mcenter",
    "center",
    "mcolor",
    "mcontents",
    "view",
    "filename",
    "locked",
    "lockedToMapFrame",
    "mid",
    "viewdouble",
    "malphaBlend",
    "misVisible",
    "mlayerIndex",
];

/// Names of the class table with the ids 1, 2, 3, ...
const CLASSES: &[&str] = &[
    "SRawData",
    "CRawDataContainer",
    "CVisitor4Project",
    "CAlphaManagedItem",
    "CLayer",
    "CPointArea",
    "CPolygonalArea",
    "CPolylineArea",
    "CAreaLayer",
    "SNamedSelection",
    "SObjectCenterDelta",
    "CVisitor4ObjectManager",
    "SMapFrameConfiguration",
    "SMapFrame",
    "CMapFrame",
    "SKeyPoint",
    "CKeyPoint",
    "SRoadDefinition",
    "SRoadStraight",
    "SRoadCurve",
    "SRoadSpecial",
    "SRoadTerminator",
    "SCrossDefinition",
    "CRoadBase",
    "CRoadElement",
    "SKeyRoadElement",
    "SRoadElement",
    "CAreaVertex",
    "CVertex",
    "CWorld",
    "CWorldContent",
    "CWorldContentManager",
];

/// Returns the tag table of a new file.
#[must_use]
pub fn tags() -> Table {
    KNOWN_TAGS.table.clone()
}

/// Returns the class table of a new file.
#[must_use]
pub fn classes() -> Table {
    KNOWN_CLASSES.table.clone()
}

/// Whether these are the two tables of a new file, or copies of them.
pub(super) fn is(tags: &Table, classes: &Table) -> bool {
    tags.is_copy(&KNOWN_TAGS.table) && classes.is_copy(&KNOWN_CLASSES.table)
}

/// A table that every file has. It is made once.
pub(super) struct Known {
    pub(super) table: Table,
    /// Entries in the bytes of a file.
    pub(super) entries: Vec<u8>,
}

pub(super) static KNOWN_TAGS: LazyLock<Known> = LazyLock::new(|| {
    let ids = [2, 3].into_iter().chain(5..);
    Known::of(Table::of(ids.zip(TAGS.iter().copied())))
});

pub(super) static KNOWN_CLASSES: LazyLock<Known> =
    LazyLock::new(|| Known::of(Table::of((1..).zip(CLASSES.iter().copied()))));

impl Known {
    fn of(table: Table) -> Self {
        let mut entries = Vec::new();
        for entry in table.entry_records() {
            put_record(&entry, &mut entries);
        }
        Self { table, entries }
    }
}
