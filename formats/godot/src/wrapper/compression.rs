//! The compressions of the engines.

macro_rules! compressions {
    ($( $(#[doc = $doc:literal])+ $variant:ident = $name:literal; )+) => {
        /// The compression of the blocks in a compressed file. The position is the file's mode word.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        #[non_exhaustive]
        pub enum Compression { $( $(#[doc = $doc])+ $variant, )+ }

        impl Compression {
            /// Every compression, by its mode word.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// The names, by mode word, as [`Layer`](super::Layer) has them.
            pub(super) const NAMES: &'static [(i128, &'static str)] =
                &formwork::schema::numbered([ $( $name, )+ ]);

            /// The short, stable name, for scripts.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }
        }
    };
}

compressions! {
    /// FastLZ, the default of `open_compressed`: fast, and the least dense.
    FastLz = "fastlz";
    /// Deflate with the header and check sum of zlib.
    Deflate = "deflate";
    /// Zstandard.
    Zstd = "zstd";
    /// Deflate with the header and check sum of gzip.
    Gzip = "gzip";
    /// Brotli. Engines only read it (Godot 4.2 on), and so does this crate.
    Brotli = "brotli";
}

impl Compression {
    /// Returns the compression of a mode word.
    #[must_use]
    pub fn from_mode(mode: u32) -> Option<Self> {
        Self::ALL.get(usize::try_from(mode).ok()?).copied()
    }

    /// Returns the mode word.
    #[must_use]
    pub const fn mode(self) -> u32 {
        self as u32
    }
}
