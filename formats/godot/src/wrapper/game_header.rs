//! The header that a game wrote before a content: the lengths and checksums in it follow a new content.

use std::fmt;
use std::ops::Range;

use md5::{Digest, Md5};
use sha1::Sha1;
use sha2::Sha256;

use super::rule;
use formwork::{Error, Result};

/// A number or text in the header of a game that says something of what follows the header.
#[derive(Clone, Debug, Eq, PartialEq)]
struct HeaderField {
    /// The offset in the header.
    range: Range<usize>,
    form: Form,
    /// The bytes that it is the length or checksum of.
    extent: Extent,
}

/// The form of a field.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Form {
    /// A number of bytes, the least or the most significant byte first.
    Length { big: bool },
    /// A checksum in bytes; those of numbers have the most significant byte first, or last.
    Raw(Sum, bool),
    /// A checksum in hexadecimal digits, of which the letters are large or small.
    Hex(Sum, bool),
}

/// A checksum.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Sum {
    Crc32,
    Adler32,
    /// `String.hash()` of the engines, of text.
    GodotHash,
    Md5,
    Sha1,
    Sha256,
}

/// The bytes that a field is about.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Extent {
    /// All bytes after the header, as they are stored.
    Stored,
    /// These without the line break at their end.
    StoredLine,
    /// All bytes out of their layers.
    Content,
    /// The content without the bytes after its values.
    Values,
    /// From the end of the field on.
    FromField,
    /// From the line after the field on.
    FromLine,
    /// The whole file. The field itself counts as zeros.
    Whole,
    /// The whole file without the field.
    WholeButField,
}

/// A field that was set, as text for people.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Followed {
    /// The offset of the field in the header.
    pub offset: usize,
    /// The field: `u32 length`, `SHA-256 sum`.
    pub name: String,
    /// The old text of the field.
    pub before: String,
    /// The new text of the field.
    pub after: String,
}

impl fmt::Display for Followed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { offset, name, before, after } = self;
        write!(f, "{name} at offset {offset}: {before} -> {after}")
    }
}

/// The bytes of a file around and after a header.
#[derive(Clone, Copy, Debug)]
pub(super) struct Behind<'b> {
    /// The bytes after the header, as they are stored.
    pub(super) stored: &'b [u8],
    /// These bytes out of the layers after the header.
    pub(super) content: &'b [u8],
    /// How many bytes of the content are values; the rest is other data.
    pub(super) values: usize,
}

/// A header of a game, and what it says of the bytes after it.
#[derive(Clone, Debug, Default)]
pub(super) struct GameHeader {
    pub(super) bytes: Vec<u8>,
    fields: Vec<HeaderField>,
}

/// A header longer than this has only lengths of 32 and 64 bits, and checksums of all that follows.
const LONG: usize = 64;

impl GameHeader {
    /// Finds what a header says of the bytes after it.
    pub(super) fn new(bytes: &[u8], behind: Behind<'_>) -> Self {
        let mut fields = lengths(bytes, behind);
        sums(bytes, behind, &mut fields);
        Self { bytes: bytes.to_vec(), fields }
    }

    /// Whether anything in the header is known to follow the bytes after it.
    pub(super) const fn follows(&self) -> bool {
        !self.fields.is_empty()
    }

    /// Returns the header for other bytes after it, and the fields that changed.
    pub(super) fn before(&self, behind: Behind<'_>) -> Result<(Vec<u8>, Vec<Followed>)> {
        let mut header = self.bytes.clone();
        let is_length = |field: &&HeaderField| matches!(field.form, Form::Length { .. });
        for field in self.fields.iter().filter(is_length) {
            field.set_length(&mut header, behind)?;
        }
        // A checksum may be of a later one, and one of the whole file is of all others.
        let mut sums: Vec<_> = self.fields.iter().filter(|field| !is_length(field)).collect();
        sums.sort_by_key(|field| {
            (field.extent >= Extent::Whole, std::cmp::Reverse(field.range.start))
        });
        for field in sums {
            let new = field.form.bytes_of(&field.parts(&header, behind)).unwrap_or_default();
            put(&mut header, &field.range, &new);
        }
        let followed = self.fields.iter().filter_map(|field| {
            let [before, after] =
                [&self.bytes, &header].map(|bytes| field.form.shown(&bytes[field.range.clone()]));
            let (offset, name) = (field.range.start, field.name());
            (before != after).then_some(Followed { offset, name, before, after })
        });
        let followed = followed.collect();
        Ok((header, followed))
    }
}

/// Replaces bytes by as many others.
fn put(header: &mut [u8], range: &Range<usize>, new: &[u8]) {
    if let Some(place) = header.get_mut(range.clone()).filter(|place| place.len() == new.len()) {
        place.copy_from_slice(new);
    }
}

impl HeaderField {
    fn name(&self) -> String {
        let bits = 8 * self.range.len();
        let what = match self.form {
            Form::Length { big: false } => format!("length (u{bits})"),
            Form::Length { big: true } => format!("length (u{bits}, big-endian)"),
            Form::Raw(sum, _) | Form::Hex(sum, _) => sum.name().to_owned(),
        };
        format!("{what} of {}", self.extent.name())
    }

    /// Returns the bytes that the field is about, in parts.
    fn parts<'p>(&self, header: &'p [u8], behind: Behind<'p>) -> Vec<&'p [u8]> {
        const ZEROS: [u8; 64] = [0; 64];
        let Range { start, end } = self.range;
        let after = header.get(end..).unwrap_or_default();
        match self.extent {
            Extent::Stored => vec![behind.stored],
            Extent::StoredLine => vec![without_line_break(behind.stored)],
            Extent::Content => vec![behind.content],
            Extent::Values => vec![behind.content.get(..behind.values).unwrap_or_default()],
            Extent::FromField => vec![after, behind.stored],
            Extent::FromLine => vec![behind_line_break(after).unwrap_or_default(), behind.stored],
            Extent::Whole => {
                let zeros = ZEROS.get(..end - start).unwrap_or_default();
                vec![header.get(..start).unwrap_or_default(), zeros, after, behind.stored]
            }
            Extent::WholeButField => {
                vec![header.get(..start).unwrap_or_default(), after, behind.stored]
            }
        }
    }

    fn set_length(&self, header: &mut [u8], behind: Behind<'_>) -> Result<()> {
        let length: usize = self.parts(header, behind).iter().map(|part| part.len()).sum();
        let width = self.range.len();
        let most = u64::MAX >> (64 - 8 * width);
        if length as u64 > most {
            let offset = self.range.start as u64;
            let expected =
                format!("at most {most} bytes, which is the most that this length can say");
            let found = formwork::wire::bytes(length).to_string();
            return Err(Error::new(rule::HEADER_LENGTH, offset, expected, found).within("header"));
        }
        let big = matches!(self.form, Form::Length { big: true });
        let bytes = (length as u64).to_le_bytes();
        let mut bytes = bytes[..width].to_vec();
        if big {
            bytes.reverse();
        }
        put(header, &self.range, &bytes);
        Ok(())
    }
}

impl Extent {
    const fn name(self) -> &'static str {
        match self {
            Self::Stored => "what follows the header",
            Self::StoredLine => "the text that follows the header",
            Self::Content => "the unpacked content",
            Self::Values => "the values",
            Self::FromField | Self::FromLine => "what follows this field",
            Self::Whole | Self::WholeButField => "the whole file",
        }
    }
}

/// Returns the number in up to eight bytes.
fn number(bytes: &[u8], big: bool) -> u64 {
    let push = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
    if big { bytes.iter().fold(0, push) } else { bytes.iter().rev().fold(0, push) }
}

/// Returns the lengths in a header, by their offsets.
///
/// Several numbers may fit at one place. The one that ends with the header comes first, then one at an offset that is a
/// multiple of four, then the widest, then one in the order of bytes that the engines write.
fn lengths(header: &[u8], behind: Behind<'_>) -> Vec<HeaderField> {
    let mut found: Vec<(_, HeaderField)> = Vec::new();
    for (width, big) in [8, 4, 2].into_iter().flat_map(|width| [(width, false), (width, true)]) {
        for (start, bytes) in header.windows(width).enumerate() {
            let range = start..start + width;
            let is_last = range.end == header.len();
            let said = number(bytes, big);
            if said == 0 || width == 2 && !is_last && header.len() > LONG / 4 {
                continue;
            }
            let fits = |&extent: &Extent| {
                let field =
                    HeaderField { range: range.clone(), form: Form::Length { big }, extent };
                let length: usize = field.parts(header, behind).iter().map(|part| part.len()).sum();
                (length as u64 == said).then_some(field)
            };
            let near = [Extent::Stored, Extent::Content, Extent::Values, Extent::StoredLine];
            let far = [Extent::FromField, Extent::Whole];
            let field = near.iter().find_map(fits).or_else(|| {
                let is_clear = width > 2 && header.len() <= LONG;
                is_clear.then(|| far.iter().find_map(fits)).flatten()
            });
            let rank = (width == 2, !(is_last || start % 4 == 0), 8 - width, big);
            found.extend(field.map(|field| ((rank, field.extent), field)));
        }
    }
    // (Sorting is stable.)
    found.sort_by_key(|(rank, _)| *rank);
    let mut lengths: Vec<HeaderField> = Vec::new();
    for (_, field) in found {
        if lengths.iter().all(|other| !meet(&other.range, &field.range)) {
            lengths.push(field);
        }
    }
    lengths.sort_by_key(|field| field.range.start);
    lengths
}

fn meet(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Adds the checksums in a header.
fn sums(header: &[u8], behind: Behind<'_>, fields: &mut Vec<HeaderField>) {
    let mut add = |field: HeaderField| {
        if fields.iter().all(|other| !meet(&other.range, &field.range)) {
            fields.push(field);
        }
    };
    if behind.stored.is_empty() {
        return;
    }
    let runs = hex_runs(header);
    // Of bytes that do not depend on the place of the sum, it is made once and looked for.
    let mut extents = vec![Extent::Stored];
    if without_line_break(behind.stored).len() < behind.stored.len() {
        extents.push(Extent::StoredLine);
    }
    if behind.content != behind.stored {
        extents.push(Extent::Content);
    }
    if behind.values < behind.content.len() {
        extents.push(Extent::Values);
    }
    for extent in extents {
        for sum in Sum::ALL.into_iter().filter(|sum| header.len() >= sum.bytes()) {
            let forms = [Form::Raw(sum, false), Form::Raw(sum, true), Form::Hex(sum, false)];
            for form in forms.into_iter().filter(|form| form.is_own()) {
                let probe = HeaderField { range: 0..0, form, extent };
                let Some(digest) = form.bytes_of(&probe.parts(header, behind)) else { continue };
                if let Form::Hex(..) = form {
                    let fits = |range: &&Range<usize>| {
                        header[(*range).clone()].eq_ignore_ascii_case(&digest)
                    };
                    runs.iter().filter(fits).for_each(|range| {
                        let form = form.in_case_of(&header[range.clone()]);
                        add(HeaderField { range: range.clone(), form, extent });
                    });
                } else if let Some(at) = memchr::memmem::find(header, &digest) {
                    add(HeaderField { range: at..at + digest.len(), form, extent });
                }
            }
        }
    }
    // The others are tried at the few places where one may be: those nearest to the content first.
    let total = header.len() + behind.stored.len();
    let mut budget = total.saturating_mul(TRIED).saturating_add(FREE);
    let mut places: Vec<(Range<usize>, Form)> = Vec::new();
    for run in runs.iter().rev() {
        let of_width = Sum::ALL.into_iter().filter(|sum| 2 * sum.bytes() == run.len());
        let form = |sum| Form::Hex(sum, false).in_case_of(&header[run.clone()]);
        places.extend(of_width.map(|sum| (run.clone(), form(sum))));
    }
    if header.len() <= LONG {
        for start in (0..header.len()).rev() {
            for sum in Sum::ALL {
                let range = start..start + sum.bytes();
                let is_place = start % 4 == 0 || range.end == header.len();
                let is_there =
                    header.get(range.clone()).is_some_and(|it| it.iter().any(|&b| b != 0));
                if is_place && is_there {
                    let forms = [Form::Raw(sum, false), Form::Raw(sum, true)];
                    let forms = forms.into_iter().filter(|form| form.is_own());
                    places.extend(forms.map(|form| (range.clone(), form)));
                }
            }
        }
    }
    for (range, form) in places {
        let far = [Extent::FromField, Extent::FromLine, Extent::Whole, Extent::WholeButField];
        for extent in far {
            let field = HeaderField { range: range.clone(), form, extent };
            let is_same_as_stored = range.end == header.len() && extent == Extent::FromField;
            let has_line =
                extent != Extent::FromLine || behind_line_break(&header[range.end..]).is_some();
            if is_same_as_stored || !has_line {
                continue;
            }
            let Some(left) = budget.checked_sub(total) else { return };
            budget = left;
            let digest = form.bytes_of(&field.parts(header, behind));
            if digest.is_some_and(|digest| digest == header[range.clone()]) {
                add(field);
                break;
            }
        }
    }
}

/// How often all bytes of a file may be read to find a checksum.
const TRIED: usize = 8;

/// Bytes that may be read all the same, where a file is short.
const FREE: usize = 1 << 20;

/// Returns the places of checksums in hexadecimal: digits that are as many as one has.
fn hex_runs(header: &[u8]) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut start = None;
    for (at, is_digit) in header.iter().map(u8::is_ascii_hexdigit).chain([false]).enumerate() {
        match (is_digit, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                runs.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    runs.retain(|run| Sum::ALL.into_iter().any(|sum| 2 * sum.bytes() == run.len()));
    runs
}

fn without_line_break(bytes: &[u8]) -> &[u8] {
    let line = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    line.strip_suffix(b"\r").filter(|_| line.len() < bytes.len()).unwrap_or(line)
}

fn behind_line_break(bytes: &[u8]) -> Option<&[u8]> {
    bytes.strip_prefix(b"\r\n").or_else(|| bytes.strip_prefix(b"\n"))
}

impl Form {
    /// Whether the other order of bytes is another form.
    const fn is_own(self) -> bool {
        match self {
            Self::Raw(sum, swapped) => !swapped || sum.bytes() == 4,
            _ => true,
        }
    }

    /// Returns the form of digits with large letters, if these have any.
    fn in_case_of(self, digits: &[u8]) -> Self {
        match self {
            Self::Hex(sum, _) => Self::Hex(sum, digits.iter().any(u8::is_ascii_uppercase)),
            form => form,
        }
    }

    /// Returns the checksum of the parts in this form.
    fn bytes_of(self, parts: &[&[u8]]) -> Option<Vec<u8>> {
        match self {
            Self::Length { .. } => None,
            Self::Raw(sum, swapped) => {
                let mut digest = sum.of(parts)?;
                if swapped {
                    digest.reverse();
                }
                Some(digest)
            }
            Self::Hex(sum, large) => {
                let digest = sum.of(parts)?;
                let digits = digest.iter().map(|byte| match large {
                    true => format!("{byte:02X}"),
                    false => format!("{byte:02x}"),
                });
                Some(digits.collect::<String>().into_bytes())
            }
        }
    }

    /// Returns the bytes of a field as text.
    fn shown(self, bytes: &[u8]) -> String {
        match self {
            Self::Length { big } => number(bytes, big).to_string(),
            Self::Raw(..) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            Self::Hex(..) => String::from_utf8_lossy(bytes).into_owned(),
        }
    }
}

impl Sum {
    const ALL: [Self; 6] =
        [Self::Sha256, Self::Sha1, Self::Md5, Self::Crc32, Self::Adler32, Self::GodotHash];

    const fn name(self) -> &'static str {
        match self {
            Self::Crc32 => "CRC-32",
            Self::Adler32 => "Adler-32",
            Self::GodotHash => "hash()",
            Self::Md5 => "MD5",
            Self::Sha1 => "SHA-1",
            Self::Sha256 => "SHA-256",
        }
    }

    const fn bytes(self) -> usize {
        match self {
            Self::Crc32 | Self::Adler32 | Self::GodotHash => 4,
            Self::Md5 => 16,
            Self::Sha1 => 20,
            Self::Sha256 => 32,
        }
    }

    /// Returns the checksum, a number with its most significant byte first; [`None`] for a hash of what is no text.
    fn of(self, parts: &[&[u8]]) -> Option<Vec<u8>> {
        fn digest<D: Digest>(parts: &[&[u8]]) -> Vec<u8> {
            let mut digest = D::new();
            parts.iter().for_each(|part| digest.update(part));
            digest.finalize().to_vec()
        }
        Some(match self {
            Self::Crc32 => {
                let mut hasher = crc32fast::Hasher::new();
                parts.iter().for_each(|part| hasher.update(part));
                hasher.finalize().to_be_bytes().to_vec()
            }
            Self::Adler32 => {
                let mut adler = adler2::Adler32::new();
                parts.iter().for_each(|part| adler.write_slice(part));
                adler.checksum().to_be_bytes().to_vec()
            }
            Self::GodotHash => {
                let mut hash = 5381_u32;
                for part in parts {
                    for letter in std::str::from_utf8(part).ok()?.chars() {
                        hash = hash.wrapping_mul(33).wrapping_add(u32::from(letter));
                    }
                }
                hash.to_be_bytes().to_vec()
            }
            Self::Md5 => digest::<Md5>(parts),
            Self::Sha1 => digest::<Sha1>(parts),
            Self::Sha256 => digest::<Sha256>(parts),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cipher, Compression, Key, Layer, Unwrapped, Wrapping, compress, encrypt};
    use super::*;
    use formwork_records::limits::Limits;

    const OLD: &[u8] = b"{\"gold\":3,\"name\":\"A\"}";
    const NEW: &[u8] = b"{\"gold\":300000,\"name\":\"A\"}";

    fn sum(sum: Sum, bytes: &[u8]) -> Vec<u8> {
        sum.of(&[bytes]).unwrap()
    }

    fn hex(bytes: &[u8]) -> Vec<u8> {
        bytes.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect()
    }

    /// Returns a file with another content, and the number of changes in its header.
    fn changed(file: &[u8], skip: usize, behind: usize, new: &[u8]) -> Result<(Vec<u8>, usize)> {
        let mut file = Unwrapped::new(file).header(skip as u64);
        file.take_out_all(None, &Limits::default()).unwrap();
        file.leave_behind(file.content().len() - behind);
        let closed = file.wrapping().close_and_tell(new, None)?;
        assert_eq!(closed.has_unknown_header, closed.followed.is_empty());
        Ok((closed.bytes, closed.followed.len()))
    }

    fn follows(header: impl Fn(&[u8]) -> Vec<u8>, count: usize) {
        let file = |content: &[u8]| [header(content), content.to_vec()].concat();
        let skip = header(OLD).len();
        assert_eq!(changed(&file(OLD), skip, 0, NEW).unwrap(), (file(NEW), count));
        // Not only short contents, of which most bytes of a length are zero.
        let [old, new] = [700, 70_001].map(|count| [OLD, &vec![b'x'; count][..]].concat());
        let fits_16_bits = header(&old) != header(&new);
        if fits_16_bits {
            assert_eq!(changed(&file(&old), skip, 0, &new).unwrap(), (file(&new), count));
        }
    }

    #[test]
    fn lengths_of_all_widths_and_orders_follow() {
        for pre in [&b""[..], b"SAVE", b"SAV", b"SAVE\x02\0\0\0", b"\0", b"\0\0\0\0"] {
            for post in [&b""[..], b"\0\0\0\0", b"\x07\0\0\0", b"v2\n"] {
                follows(|it| [pre, &(it.len() as u32).to_le_bytes(), post].concat(), 1);
                follows(|it| [pre, &(it.len() as u64).to_le_bytes(), post].concat(), 1);
                if pre.len() % 4 == 0 || post.is_empty() {
                    follows(|it| [pre, &(it.len() as u32).to_be_bytes(), post].concat(), 1);
                    follows(|it| [pre, &(it.len() as u64).to_be_bytes(), post].concat(), 1);
                }
            }
        }
        // Counted from elsewhere: from the field on, and the whole file.
        follows(|it| [&(it.len() as u32 + 4).to_le_bytes()[..], b"SAVE"].concat(), 1);
        follows(|it| [&b"SAVE"[..], &(it.len() as u32 + 8).to_le_bytes()].concat(), 1);
        follows(
            |it| {
                [
                    &b"SAVE"[..],
                    &(it.len() as u32).to_be_bytes(),
                    &(it.len() as u32 + 12).to_be_bytes(),
                ]
                .concat()
            },
            2,
        );
    }

    #[test]
    fn a_length_of_16_bits_follows_as_far_as_it_goes() {
        for big in [false, true] {
            let header = |length: usize| {
                let length = length as u16;
                let bytes = if big { length.to_be_bytes() } else { length.to_le_bytes() };
                [&b"SAVE"[..], &bytes].concat()
            };
            let file = |content: &[u8]| [header(content.len()), content.to_vec()].concat();
            assert_eq!(changed(&file(OLD), 6, 0, NEW).unwrap(), (file(NEW), 1));
            let most = vec![b'x'; 65_535];
            assert_eq!(changed(&file(OLD), 6, 0, &most).unwrap().0, file(&most));
            let error = changed(&file(OLD), 6, 0, &vec![b'x'; 65_536]).unwrap_err();
            assert_eq!((error.rule(), error.offset()), (rule::HEADER_LENGTH, 4));
            assert_eq!(error.found(), "65536 bytes");
        }
    }

    #[test]
    fn checksums_follow_raw_and_as_text() {
        for of in Sum::ALL {
            follows(|it| [b"SAVE".to_vec(), sum(of, it)].concat(), 1);
            follows(|it| [b"SAV".to_vec(), sum(of, it), b"\x01\0".to_vec()].concat(), 1);
            follows(|it| [hex(&sum(of, it)), b"\n".to_vec()].concat(), 1);
            // (Digits without letters do not say which letters there are.)
            if hex(&sum(of, OLD)).iter().any(u8::is_ascii_alphabetic) && of.bytes() > 4 {
                follows(
                    |it| {
                        [b"sum=".to_vec(), hex(&sum(of, it)).to_ascii_uppercase(), b"\r\n".to_vec()]
                            .concat()
                    },
                    1,
                );
            }
            let swapped = |it: &[u8]| sum(of, it).into_iter().rev().collect::<Vec<_>>();
            if of.bytes() == 4 {
                follows(|it| [b"SAVE".to_vec(), swapped(it)].concat(), 1);
            }
            let length = |it: &[u8]| (it.len() as u32).to_le_bytes();
            follows(|it| [b"SAVE".to_vec(), length(it).to_vec(), sum(of, it)].concat(), 2);
            if matches!(of, Sum::GodotHash) {
                // A length is no text.
                continue;
            }
            // Of more than the content.
            follows(
                |it| {
                    let rest = [&length(it)[..], it].concat();
                    [b"SAVE".to_vec(), sum(of, &rest), length(it).to_vec()].concat()
                },
                2,
            );
            follows(
                |it| {
                    let all = [b"SAVE", &length(it)[..], it].concat();
                    [b"SAVE".to_vec(), sum(of, &all), length(it).to_vec()].concat()
                },
                2,
            );
            follows(
                |it| {
                    let all = [b"SAVE", &length(it)[..], &vec![0; of.bytes()], it].concat();
                    [b"SAVE".to_vec(), length(it).to_vec(), sum(of, &all)].concat()
                },
                2,
            );
            follows(
                |it| {
                    let rest = [b"version 2\n", it].concat();
                    [hex(&sum(of, &rest)), b"\nversion 2\n".to_vec()].concat()
                },
                1,
            );
        }
    }

    #[test]
    fn a_checksum_of_a_line_leaves_out_its_end() {
        let line = |content: &[u8]| {
            let mut file = hex(&sum(Sum::Sha256, content));
            file.extend([b"\n", content, b"\n"].concat());
            file
        };
        let (old, new) = (line(OLD), line(NEW));
        let with_break = [NEW, b"\n"].concat();
        assert_eq!(changed(&old, 65, 0, &with_break).unwrap(), (new, 1));
    }

    #[test]
    fn lengths_of_stored_and_unpacked_content_follow_and_other_data_is_counted() {
        for compression in [Compression::Zstd, Compression::Gzip, Compression::FastLz] {
            let file = |content: &[u8]| {
                let stored = compress(content, compression).unwrap();
                let numbers = [stored.len() as u32, content.len() as u32];
                let header = numbers.into_iter().flat_map(u32::to_le_bytes);
                let sums = [sum(Sum::Md5, &stored), sum(Sum::Crc32, content)].concat();
                header.chain(sums).chain(stored).collect::<Vec<_>>()
            };
            assert_eq!(changed(&file(OLD), 28, 0, NEW).unwrap(), (file(NEW), 4));
        }
        let file = |content: &[u8]| {
            let header = [content.len() as u32, content.len() as u32 + 5].map(u32::to_be_bytes);
            [header.concat(), content.to_vec(), b"other".to_vec()].concat()
        };
        assert_eq!(changed(&file(OLD), 8, 5, NEW).unwrap(), (file(NEW), 2));
    }

    #[test]
    fn a_header_in_an_encrypted_file_follows() {
        let key = Key::from_password("pw");
        let inner = |content: &[u8]| [&(content.len() as u32).to_le_bytes(), content].concat();
        let file = encrypt(&inner(OLD), Cipher::Ecb, &key).unwrap();
        let mut file = Unwrapped::new(file).header(4);
        file.take_out_all(Some(&key), &Limits::default()).unwrap();
        let wrapping = Wrapping::new(vec![Layer::Encrypted(Cipher::Ecb)]).header_of(&file);
        let new = wrapping.close(NEW, Some(&key)).unwrap();
        assert_eq!(new, encrypt(&inner(NEW), Cipher::Ecb, &key).unwrap());
    }

    #[test]
    fn another_header_stays_and_is_told() {
        let file = [b"SAVE\x01\0\0\0", OLD].concat();
        let (bytes, count) = changed(&file, 8, 0, NEW).unwrap();
        assert_eq!((bytes, count), ([b"SAVE\x01\0\0\0", NEW].concat(), 0));
        // The engine's own hash of a text.
        assert_eq!(sum(Sum::GodotHash, b"test"), 2_090_756_197_u32.to_be_bytes());
    }
}
