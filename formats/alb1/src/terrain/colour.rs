//! Colours: words of 32 bits, whose bytes have one of two orders.

use std::fmt;

use formwork::{BinRead, BinWrite};
use modular_bitfield::prelude::*;

pub use crate::tree::Colour;
use formwork_records::schema::Schema;

/// A colour whose bytes are red, green, blue, alpha; as a number 0xAABBGGRR. Road types have it,
/// as another program says and as the colours in real files suggest.
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct RoadColour {
    /// How red.
    pub red: B8,
    /// How green.
    pub green: B8,
    /// How blue.
    pub blue: B8,
    /// How opaque.
    pub alpha: B8,
}

/// A colour in a field of type unsigned long: its byte order depends on the class, and is not known for key points and
/// shapes.
///
/// ```
/// use formwork_alb1::terrain::ColourWord;
///
/// let violet = ColourWord::from(0xFFC0_80FF);
/// assert_eq!((violet.of_road().red(), violet.of_road().blue()), (0xFF, 0xC0));
/// assert_eq!((violet.of_template().red(), violet.of_template().blue()), (0xC0, 0xFF));
/// assert_eq!(violet.of_road().to_string(), "#ff80c0ff");
/// ```
#[derive(Clone, Copy, Default, Eq, Hash, PartialEq)]
pub struct ColourWord(u32);

impl ColourWord {
    /// As in quadtrees and template libraries: the bytes are blue, green, red, alpha.
    #[must_use]
    pub fn of_template(self) -> Colour {
        Colour::from(self.0)
    }

    /// As in types of road: the bytes are red, green, blue, alpha.
    #[must_use]
    pub fn of_road(self) -> RoadColour {
        RoadColour::from(self.0)
    }
}

impl From<u32> for ColourWord {
    fn from(word: u32) -> Self {
        Self(word)
    }
}

impl From<ColourWord> for u32 {
    fn from(colour: ColourWord) -> Self {
        colour.0
    }
}

impl From<Colour> for ColourWord {
    fn from(colour: Colour) -> Self {
        Self(colour.into())
    }
}

impl From<RoadColour> for ColourWord {
    fn from(colour: RoadColour) -> Self {
        Self(colour.into())
    }
}

/// The number.
impl fmt::Debug for ColourWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#010x}", self.0)
    }
}

macro_rules! hexadecimal {
    ($($colour:ident)+) => { $(
        /// `#rrggbbaa`, as on web pages.
        impl fmt::Display for $colour {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (red, green, blue) = (self.red(), self.green(), self.blue());
                write!(f, "#{red:02x}{green:02x}{blue:02x}{:02x}", self.alpha())
            }
        }

        /// From `#rrggbbaa` or `#rrggbb`.
        impl std::str::FromStr for $colour {
            type Err = NotAColour;

            fn from_str(text: &str) -> Result<Self, NotAColour> {
                let digits = text.strip_prefix('#').unwrap_or_default();
                let plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                let word = u32::from_str_radix(digits, 16).map_err(|_| NotAColour)?;
                let word = match digits.len() {
                    8 if plain => word,
                    6 if plain => word << 8 | 0xFF,
                    _ => return Err(NotAColour),
                };
                let [red, green, blue, alpha] = word.to_be_bytes();
                Ok(Self::new().with_red(red).with_green(green).with_blue(blue).with_alpha(alpha))
            }
        }
    )+ };
}
hexadecimal! { Colour RoadColour }

/// The text is not `#rrggbb` or `#rrggbbaa`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct NotAColour;

impl fmt::Display for NotAColour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a colour is #rrggbb or #rrggbbaa")
    }
}

impl std::error::Error for NotAColour {}
