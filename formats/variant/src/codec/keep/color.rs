//! Colours that Godot 4 makes from numbers and texts.

use crate::{Color, VariantString};

/// A colour given as the number 0xRRGGBBAA.
pub(super) fn of_number(number: i64) -> Color {
    let part = |shift: u32| ((number >> shift) & 0xff) as f32 / 255.0;
    Color::new(part(24), part(16), part(8), part(0))
}

/// Parses a colour: `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`, also without the `#`, or a name; any other text is
/// black.
pub(super) fn of_text(text: &VariantString) -> Color {
    let text = text.as_bytes();
    let digits = text.strip_prefix(b"#").unwrap_or(text);
    let number = of_digits(digits).or_else(|| named(text));
    number.map_or(Color::new(0.0, 0.0, 0.0, 1.0), |number| of_number(number.into()))
}

/// The number 0xRRGGBBAA of three, four, six or eight hexadecimal digits.
fn of_digits(digits: &[u8]) -> Option<u32> {
    let each = if digits.len() < 6 { 2 } else { 1 };
    if !matches!(digits.len(), 3 | 4 | 6 | 8) {
        return None;
    }
    let mut number = 0;
    for &digit in digits {
        let value = (digit as char).to_digit(16)?;
        // One digit is short for two of the same.
        for _ in 0..each {
            number = number << 4 | value;
        }
    }
    let has_alpha = matches!(digits.len(), 4 | 8);
    Some(if has_alpha { number } else { number << 8 | 0xff })
}

/// The colour of a name, in which case, blanks and some marks do not count.
fn named(name: &[u8]) -> Option<u32> {
    /// The length of the longest name.
    const LONGEST: usize = 17;
    let letters = name.iter().filter(|byte| !b" -_'.".contains(byte));
    let letters: Vec<u8> = letters.take(LONGEST + 1).map(u8::to_ascii_lowercase).collect();
    let found = NAMED.binary_search_by(|(name, _)| name.as_bytes().cmp(&letters));
    found.ok().map(|at| NAMED[at].1)
}

/// The colour names of Godot 4, in the answers of 4.6.3 (`typed_elements.tsv`), in alphabetical order.
#[rustfmt::skip]
const NAMED: &[(&str, u32)] = &[
    ("aliceblue", 0xf0f8_ffff),
    ("antiquewhite", 0xfaeb_d7ff), ("aqua", 0x00ff_ffff), ("aquamarine", 0x7fff_d4ff),
    ("azure", 0xf0ff_ffff), ("beige", 0xf5f5_dcff), ("bisque", 0xffe4_c4ff),
    ("black", 0x0000_00ff), ("blanchedalmond", 0xffeb_cdff), ("blue", 0x0000_ffff),
    ("blueviolet", 0x8a2b_e2ff), ("brown", 0xa52a_2aff), ("burlywood", 0xdeb8_87ff),
    ("cadetblue", 0x5f9e_a0ff), ("chartreuse", 0x7fff_00ff), ("chocolate", 0xd269_1eff),
    ("coral", 0xff7f_50ff), ("cornflowerblue", 0x6495_edff), ("cornsilk", 0xfff8_dcff),
    ("crimson", 0xdc14_3cff), ("cyan", 0x00ff_ffff), ("darkblue", 0x0000_8bff),
    ("darkcyan", 0x008b_8bff), ("darkgoldenrod", 0xb886_0bff), ("darkgray", 0xa9a9_a9ff),
    ("darkgreen", 0x0064_00ff), ("darkkhaki", 0xbdb7_6bff), ("darkmagenta", 0x8b00_8bff),
    ("darkolivegreen", 0x556b_2fff), ("darkorange", 0xff8c_00ff), ("darkorchid", 0x9932_ccff),
    ("darkred", 0x8b00_00ff), ("darksalmon", 0xe996_7aff), ("darkseagreen", 0x8fbc_8fff),
    ("darkslateblue", 0x483d_8bff), ("darkslategray", 0x2f4f_4fff),
    ("darkturquoise", 0x00ce_d1ff), ("darkviolet", 0x9400_d3ff), ("deeppink", 0xff14_93ff),
    ("deepskyblue", 0x00bf_ffff), ("dimgray", 0x6969_69ff), ("dodgerblue", 0x1e90_ffff),
    ("firebrick", 0xb222_22ff), ("floralwhite", 0xfffa_f0ff), ("forestgreen", 0x228b_22ff),
    ("fuchsia", 0xff00_ffff), ("gainsboro", 0xdcdc_dcff), ("ghostwhite", 0xf8f8_ffff),
    ("gold", 0xffd7_00ff), ("goldenrod", 0xdaa5_20ff), ("gray", 0xbebe_beff),
    ("green", 0x00ff_00ff), ("greenyellow", 0xadff_2fff), ("honeydew", 0xf0ff_f0ff),
    ("hotpink", 0xff69_b4ff), ("indianred", 0xcd5c_5cff), ("indigo", 0x4b00_82ff),
    ("ivory", 0xffff_f0ff), ("khaki", 0xf0e6_8cff), ("lavender", 0xe6e6_faff),
    ("lavenderblush", 0xfff0_f5ff), ("lawngreen", 0x7cfc_00ff), ("lemonchiffon", 0xfffa_cdff),
    ("lightblue", 0xadd8_e6ff), ("lightcoral", 0xf080_80ff), ("lightcyan", 0xe0ff_ffff),
    ("lightgoldenrod", 0xfafa_d2ff), ("lightgray", 0xd3d3_d3ff), ("lightgreen", 0x90ee_90ff),
    ("lightpink", 0xffb6_c1ff), ("lightsalmon", 0xffa0_7aff), ("lightseagreen", 0x20b2_aaff),
    ("lightskyblue", 0x87ce_faff), ("lightslategray", 0x7788_99ff),
    ("lightsteelblue", 0xb0c4_deff), ("lightyellow", 0xffff_e0ff), ("lime", 0x00ff_00ff),
    ("limegreen", 0x32cd_32ff), ("linen", 0xfaf0_e6ff), ("magenta", 0xff00_ffff),
    ("maroon", 0xb030_60ff), ("mediumaquamarine", 0x66cd_aaff), ("mediumblue", 0x0000_cdff),
    ("mediumorchid", 0xba55_d3ff), ("mediumpurple", 0x9370_dbff), ("mediumseagreen", 0x3cb3_71ff),
    ("mediumslateblue", 0x7b68_eeff), ("mediumspringgreen", 0x00fa_9aff),
    ("mediumturquoise", 0x48d1_ccff), ("mediumvioletred", 0xc715_85ff),
    ("midnightblue", 0x1919_70ff), ("mintcream", 0xf5ff_faff), ("mistyrose", 0xffe4_e1ff),
    ("moccasin", 0xffe4_b5ff), ("navajowhite", 0xffde_adff), ("navyblue", 0x0000_80ff),
    ("oldlace", 0xfdf5_e6ff), ("olive", 0x8080_00ff), ("olivedrab", 0x6b8e_23ff),
    ("orange", 0xffa5_00ff), ("orangered", 0xff45_00ff), ("orchid", 0xda70_d6ff),
    ("palegoldenrod", 0xeee8_aaff), ("palegreen", 0x98fb_98ff), ("paleturquoise", 0xafee_eeff),
    ("palevioletred", 0xdb70_93ff), ("papayawhip", 0xffef_d5ff), ("peachpuff", 0xffda_b9ff),
    ("peru", 0xcd85_3fff), ("pink", 0xffc0_cbff), ("plum", 0xdda0_ddff),
    ("powderblue", 0xb0e0_e6ff), ("purple", 0xa020_f0ff), ("rebeccapurple", 0x6633_99ff),
    ("red", 0xff00_00ff), ("rosybrown", 0xbc8f_8fff), ("royalblue", 0x4169_e1ff),
    ("saddlebrown", 0x8b45_13ff), ("salmon", 0xfa80_72ff), ("sandybrown", 0xf4a4_60ff),
    ("seagreen", 0x2e8b_57ff), ("seashell", 0xfff5_eeff), ("sienna", 0xa052_2dff),
    ("silver", 0xc0c0_c0ff), ("skyblue", 0x87ce_ebff), ("slateblue", 0x6a5a_cdff),
    ("slategray", 0x7080_90ff), ("snow", 0xfffa_faff), ("springgreen", 0x00ff_7fff),
    ("steelblue", 0x4682_b4ff), ("tan", 0xd2b4_8cff), ("teal", 0x0080_80ff),
    ("thistle", 0xd8bf_d8ff), ("tomato", 0xff63_47ff), ("transparent", 0xffff_ff00),
    ("turquoise", 0x40e0_d0ff), ("violet", 0xee82_eeff), ("webgray", 0x8080_80ff),
    ("webgreen", 0x0080_00ff), ("webmaroon", 0x8000_00ff), ("webpurple", 0x8000_80ff),
    ("wheat", 0xf5de_b3ff), ("white", 0xffff_ffff), ("whitesmoke", 0xf5f5_f5ff),
    ("yellow", 0xffff_00ff), ("yellowgreen", 0x9acd_32ff),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order_and_none_is_longer_than_the_longest() {
        assert!(NAMED.is_sorted_by(|(a, _), (b, _)| a < b));
        assert_eq!(NAMED.iter().map(|(name, _)| name.len()).max(), Some(17));
    }
}
