//! The hash by which objects speak of their templates, and templates of their libraries.

/// The hash SDBM of a name: of a library, or of a template as the layer's list of templates has it.
///
/// Terrain Builder writes it as a signed number into lists of libraries and template libraries, and
/// as four raw bytes into quadtrees. How it adds bytes above 0x7F, with or without a sign, is not
/// known; here they are without.
///
/// ```
/// use formwork_alb1::terrain::hash;
///
/// assert_eq!(hash(b"Roads"), 508_750_355);
/// assert_eq!(hash(b"houses"), 4_062_718_611);
/// ```
#[must_use]
pub const fn hash(name: &[u8]) -> u32 {
    let mut hash: u32 = 0;
    let mut rest = name;
    while let [byte, others @ ..] = rest {
        hash = (*byte as u32).wrapping_add(hash << 6).wrapping_add(hash << 16).wrapping_sub(hash);
        rest = others;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn hashes_of_published_names() {
        for (name, expected) in [
            ("Roads", 508_750_355),
            ("roads", 2_615_069_235),
            ("houses", 4_062_718_611),
            ("rail_track_25", 3_616_712_484),
            ("asf3_10 50", 2_919_149_788),
            ("Castle_Bergfrit", 1_850_900_406),
            ("droite", 1_228_228_281),
            ("sign_mamino_start ", 996_555_338),
        ] {
            assert_eq!(hash(name.as_bytes()), expected, "{name}");
        }
    }
}
