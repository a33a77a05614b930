//! SQLite: databases, a file of pages.
//!
//! Source: "Database File Format", <https://www.sqlite.org/fileformat2.html>. The cells of a page are seen by views, as far as they
//! are on it.

use formwork::wire::Sqlite;
use formwork::{BinRead, BinWrite, Block, Each, Schema, ToEnd, Varint, Within, binrw};

/// A database.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big, magic = b"SQLite format 3\0")]
pub struct Database {
    /// Bytes of a page; 1 for 65,536.
    #[br(assert(matches!(page_size, 1 | 512 | 1024 | 2048 | 4096 | 8192 | 16384 | 32768)))]
    pub page_size: u16,
    /// How it is written and read: 1 with a journal, 2 with a log.
    #[br(assert(versions[0] < 3 && versions[1] < 3))]
    pub versions: [u8; 2],
    /// Bytes at the end of each page that are not used.
    pub reserved: u8,
    /// How much of a page a cell takes: always the same.
    #[br(assert(fractions[0] == 64 && fractions[1] == 32 && fractions[2] == 32))]
    pub fractions: [u8; 3],
    /// How often the file was changed.
    pub changes: u32,
    /// The number of pages.
    #[br(assert(page_count > 0))]
    pub page_count: u32,
    /// The first page that is free.
    pub first_free: u32,
    /// The number of pages that are free.
    pub free_count: u32,
    /// How often the schema was changed.
    pub schema_changes: u32,
    /// The version of the schema.
    pub schema_format: u32,
    pub cache_size: u32,
    pub largest_root: u32,
    /// 1 for UTF-8, 2 and 3 for UTF-16.
    #[br(assert((1..=3).contains(&encoding)))]
    pub encoding: u32,
    /// Numbers of the application.
    pub user_version: u32,
    pub vacuum: u32,
    #[schema(hex)]
    pub application: u32,
    #[schema(zero)]
    pub zeros: [u8; 20],
    /// The change after which the version is that of the file.
    pub valid_for: u32,
    /// The version of the library.
    pub version: u32,
    /// The first page, whose offsets count from the start of the file.
    #[br(args { bytes: (if page_size == 1 { 65536 } else { u32::from(page_size) }) - 100, inner: (100,) })]
    pub first: Within<Page>,
    /// The other pages.
    #[br(count = page_count - 1, args { inner: binrw::args! { bytes: if page_size == 1 { 65536 } else { u32::from(page_size) }, inner: (0,) } })]
    pub pages: Each<Within<Page>>,
}

/// A page.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[br(import(before: u16))]
pub enum Page {
    /// Keys of an index, and the pages with the keys in between.
    #[brw(magic = 2u8)]
    IndexInside(#[br(args(before, 2))] Tree),
    /// Numbers of rows, and the pages with the rows in between.
    #[brw(magic = 5u8)]
    TableInside(#[br(args(before, 5))] Tree),
    /// Keys of an index.
    #[brw(magic = 10u8)]
    IndexLeaf(#[br(args(before, 10))] Tree),
    /// Rows.
    #[brw(magic = 13u8)]
    TableLeaf(#[br(args(before, 13))] Tree),
    /// Pages that are free, or go on with a long row.
    Other(ToEnd<u8>),
}

/// A page of a tree.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[br(import(before: u16, kind: u8))]
pub struct Tree {
    /// Where the first free block is.
    pub first_free: u16,
    /// The number of cells.
    pub cell_count: u16,
    /// Where the cells begin; 0 for 65,536.
    pub cells_at: u16,
    /// Bytes between cells.
    pub fragments: u8,
    /// The last page below.
    #[br(if(kind < 8))]
    pub right: Option<u32>,
    /// Where the cells are, by their keys.
    #[br(count = cell_count, args { inner: (before, kind) })]
    pub pointers: Each<Pointer>,
    /// Free bytes, then the cells.
    pub content: ToEnd<u8>,
}

/// The place of a cell.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(big)]
#[br(import(before: u16, kind: u8))]
#[schema(view(cell: Cell, at = at - before, from = region, args(kind)))]
pub struct Pointer {
    pub at: u16,
}

/// A cell.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[br(import(kind: u8))]
pub enum Cell {
    /// A key, and the page with the keys before it.
    #[br(pre_assert(kind == 2))]
    IndexInside { below: u32, key: Key },
    /// The number of a row, and the page with the rows up to it.
    #[br(pre_assert(kind == 5))]
    TableInside { below: u32, row: Varint<Sqlite> },
    #[br(pre_assert(kind == 10))]
    IndexLeaf(Key),
    /// A row.
    TableLeaf {
        size: Varint<Sqlite>,
        row: Varint<Sqlite>,
        #[br(count = size.value().max(0).min(65536))]
        record: Block<u8>,
    },
}

/// The columns of a key, with the types in front.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Key {
    pub size: Varint<Sqlite>,
    #[br(count = size.value().max(0).min(65536))]
    pub record: Block<u8>,
}
