//! A content and what comes after it.

use binrw::BinWrite;
use formwork_derive::{BinRead, Schema};

use super::Declared;
use crate::wire::ToEnd;

/// A content, and the bytes after it up to the end of the region around: `Within<WithRest<Head>>`.
///
/// ```
/// use formwork::{BinRead, BinWrite, Schema, WithRest, Within, binrw, record};
///
/// #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
/// #[brw(big)]
/// struct File {
///     size: u8,
///     #[br(args { bytes: size })]
///     head: Within<WithRest<Head>>,
/// }
///
/// #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
/// #[brw(big)]
/// struct Head {
///     version: u16,
/// }
///
/// let file: File = record::from_slice(b"\x04\x00\x02??")?;
/// assert_eq!((file.head.content.version, &file.head.rest[..]), (2, &b"??"[..]));
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(BinRead, BinWrite, Schema, Clone, Debug, Default, Eq, PartialEq)]
pub struct WithRest<T: Declared + 'static> {
    /// The content.
    pub content: T,
    /// The bytes after it.
    pub rest: ToEnd<u8>,
}
