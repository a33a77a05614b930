//! Colours: words of 32 bits, whose bytes stand in one of two orders.

use std::fmt;

use modular_bitfield::prelude::*;

use crate::wire::bits;

bits! {
    /// A colour whose bytes are blue, green, red, alpha; as a number 0xAARRGGBB. The nodes and leaves
    /// of quadtrees and template libraries have it.
    pub struct Bgra: u32 {
        /// How blue.
        pub blue: B8,
        /// How green.
        pub green: B8,
        /// How red.
        pub red: B8,
        /// How opaque. In leaves of a quadtree it says something else, which is not known.
        pub alpha: B8,
    }
}

bits! {
    /// A colour whose bytes are red, green, blue, alpha; as a number 0xAABBGGRR. Road types have it,
    /// as another program says and as the colours in real files suggest.
    pub struct Rgba: u32 {
        /// How red.
        pub red: B8,
        /// How green.
        pub green: B8,
        /// How blue.
        pub blue: B8,
        /// How opaque.
        pub alpha: B8,
    }
}

/// A colour as it stands in a field of type unsigned long: which of the two orders it has depends on
/// the class, and is not known for key points and shapes.
///
/// ```
/// use formwork::alb1::terrain::Color;
///
/// let violet = Color::from(0xFFC0_80FF);
/// assert_eq!((violet.rgba().red(), violet.rgba().blue()), (0xFF, 0xC0));
/// assert_eq!((violet.bgra().red(), violet.bgra().blue()), (0xC0, 0xFF));
/// assert_eq!(violet.rgba().to_string(), "#ff80c0ff");
/// ```
#[derive(Clone, Copy, Default, Eq, Hash, PartialEq)]
pub struct Color(u32);

impl Color {
    /// With the bytes blue, green, red, alpha.
    #[must_use]
    pub fn bgra(self) -> Bgra {
        Bgra::from(self.0)
    }

    /// With the bytes red, green, blue, alpha.
    #[must_use]
    pub fn rgba(self) -> Rgba {
        Rgba::from(self.0)
    }
}

impl From<u32> for Color {
    fn from(word: u32) -> Self {
        Self(word)
    }
}

impl From<Color> for u32 {
    fn from(color: Color) -> Self {
        color.0
    }
}

impl From<Bgra> for Color {
    fn from(color: Bgra) -> Self {
        Self(color.into())
    }
}

impl From<Rgba> for Color {
    fn from(color: Rgba) -> Self {
        Self(color.into())
    }
}

/// The number.
impl fmt::Debug for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x}", self.0)
    }
}

macro_rules! hexadecimal {
    ($($color:ident)+) => { $(
        /// `#rrggbbaa`, as on web pages.
        impl fmt::Display for $color {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (red, green, blue) = (self.red(), self.green(), self.blue());
                write!(f, "#{red:02x}{green:02x}{blue:02x}{:02x}", self.alpha())
            }
        }

        /// From `#rrggbbaa` or `#rrggbb`.
        impl std::str::FromStr for $color {
            type Err = NotAColor;

            fn from_str(text: &str) -> Result<Self, NotAColor> {
                let digits = text.strip_prefix('#').unwrap_or_default();
                let plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                let word = u32::from_str_radix(digits, 16).map_err(|_| NotAColor)?;
                let word = match digits.len() {
                    8 if plain => word,
                    6 if plain => word << 8 | 0xFF,
                    _ => return Err(NotAColor),
                };
                let [red, green, blue, alpha] = word.to_be_bytes();
                Ok(Self::new().with_red(red).with_green(green).with_blue(blue).with_alpha(alpha))
            }
        }
    )+ };
}
hexadecimal! { Bgra Rgba }

/// The text is not `#rrggbb` or `#rrggbbaa`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct NotAColor;

impl fmt::Display for NotAColor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a colour is #rrggbb or #rrggbbaa")
    }
}

impl std::error::Error for NotAColor {}
