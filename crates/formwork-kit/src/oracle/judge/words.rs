//! Messages of a decoder, without the parts that change from packet to packet.

use std::iter;

use formwork_variant::VariantType;

/// A message with its numbers replaced by `#` and what is quoted in it by `..`, on one line and not
/// too long.
pub(super) fn skeleton(message: &str) -> String {
    /// Characters of a message that tell it from others.
    const LONGEST: usize = 120;
    let mut out = String::new();
    let mut letters = message.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        match letter {
            // The name of a type keeps its number: `Vector3`, `int64`, `UTF-8`.
            _ if letter.is_ascii_alphabetic()
                && !before.is_alphanumeric()
                && let Some(name) = name_at(letter, letters.clone()) =>
            {
                letters.by_ref().take(name.len() - 1).for_each(drop);
                out.push_str(&name);
                before = 'a';
                continue;
            }
            '0'..='9' if !before.is_alphanumeric() => {
                // The letters that follow belong to the number: 0x1f, 1.5e3.
                while letters
                    .next_if(|&next| next.is_ascii_alphanumeric() || next == '.' || next == '_')
                    .is_some()
                {}
                out.push('#');
            }
            '0'..='9' => {
                while letters.next_if(char::is_ascii_digit).is_some() {}
                out.push('#');
            }
            '"' | '`' | '\'' if !before.is_alphanumeric() => {
                // Only what is closed on this line is quoted: it may be an apostrophe.
                let rest: String = letters.clone().take_while(|&next| next != '\n').collect();
                out.push(letter);
                if let Some(inside) = rest.find(letter) {
                    let inside = rest[..inside].chars().count();
                    letters.by_ref().take(inside).for_each(drop);
                    out.push_str("..");
                    out.extend(letters.next());
                }
            }
            letter if letter.is_whitespace() || letter.is_control() => {
                if !out.ends_with(' ') && !out.is_empty() {
                    out.push(' ');
                }
            }
            letter if letter.is_ascii() => out.push(letter),
            // Pieces of the packet, most likely.
            _ if out.ends_with('?') => {}
            _ => out.push('?'),
        }
        before = letter;
        if out.len() >= LONGEST {
            break;
        }
    }
    // A minus sign belongs to the number after it.
    out.trim_end().replace("-#", "#")
}

/// The name with a number in it that a text begins with, if it does: that of a type or of an encoding.
fn name_at(first: char, rest: impl Iterator<Item = char>) -> Option<String> {
    /// Longer names have no types.
    const LONGEST: usize = 24;
    let is_part = |letter: &char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let word: String = iter::once(first).chain(rest).take(LONGEST).take_while(is_part).collect();
    let is_width = |digits: &str| matches!(digits, "8" | "16" | "32" | "64");
    let lower = word.to_ascii_lowercase();
    let encoding = lower.strip_prefix("utf").map(|rest| rest.trim_start_matches(['-', '_']));
    let number = ["uint", "int", "float", "real", "u", "i", "f"]
        .iter()
        .find_map(|kind| Some(lower.strip_prefix(kind)?.trim_end_matches("_t")));
    let is_type = VariantType::ALL.iter().any(|known| known.name().eq_ignore_ascii_case(&word));
    let is_old = ["PoolVector2Array", "PoolVector3Array", "Transform2D", "Matrix32"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(&word));
    (is_type || is_old || encoding.is_some_and(is_width) || number.is_some_and(is_width))
        .then_some(word)
}

/// Returns the last message of a process before it ended: the place in its code, if it names one, and the message
/// without its numbers. Parses the forms of Rust, Python, Node.js, Go, C's assertions and the sanitizers; for others it
/// is the last line.
pub(super) fn last_words(stderr: &str) -> Option<String> {
    let lines: Vec<&str> =
        stderr.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    // Sanitizers have a line for it.
    if let Some(summary) = lines.iter().find_map(|line| line.strip_prefix("SUMMARY: ")) {
        return Some(with_short_paths(summary));
    }
    // thread 'main' panicked at src/main.rs:10:5:\nindex out of bounds: ...
    let place = |line: &&str| Some(line.split_once("panicked at ")?.1.to_owned());
    let panicked =
        lines.iter().enumerate().rev().find_map(|(position, line)| Some((position, place(line)?)));
    if let Some((position, place)) = panicked {
        let place = with_short_paths(place.trim_end_matches(':'));
        let message = lines.get(position + 1).map(|line| skeleton(line)).unwrap_or_default();
        return Some(format!("{message} at {place}"));
    }
    // Python: the innermost `File "x.py", line 7, in f`, and at the end the error. (The message tells apart what one
    // line of the source does wrong; its class does not. How deep a recursion was decides where it ends.)
    let file = lines.iter().rfind(|line| line.trim_start().starts_with("File \""));
    if let (Some(file), Some(last)) = (file, lines.last()) {
        let class = last.split(':').next().unwrap_or_default();
        if class == "RecursionError" {
            return Some(class.to_owned());
        }
        let place = file.trim_start().trim_start_matches("File ").replace('"', "");
        return Some(format!("{} at {}", skeleton(class), with_short_paths(&place)));
    }
    // Node.js: the error, then `    at f (file.js:1:2)` from the innermost on. (A backtrace of Rust has
    // numbers before its functions; where it begins is in the standard library.)
    let is_frame = |line: &&str| line.trim_start().starts_with("at ");
    let is_rust = |line: &&str| line.trim_end() == "stack backtrace:";
    let mut said = &lines[..];
    if let Some(position) = lines.iter().position(is_rust) {
        said = lines.get(..position).unwrap_or_default();
    } else if let Some(position) = lines.iter().position(is_frame)
        && let (Some(place), Some(message)) =
            (lines.get(position), position.checked_sub(1).and_then(|position| lines.get(position)))
    {
        let place = place.trim_start().trim_start_matches("at ");
        let class = message.split(':').next().unwrap_or_default();
        return Some(format!("{} at {}", skeleton(class), with_short_paths(place)));
    }
    let is_remark = |line: &&&str| line.starts_with("note:") || line.starts_with("Node.js v");
    said.iter().rev().find(|line| !is_remark(line)).map(|line| skeleton(&with_short_paths(line)))
}

/// Whether a process says that it was refused memory, as runtimes of Rust, C++, Python, Node.js, Go and
/// Java say it.
pub(super) fn is_out_of_memory(stderr: &str) -> bool {
    const SAID: [&str; 7] = [
        "memory allocation of",
        "std::bad_alloc",
        "MemoryError",
        "heap out of memory",
        "Array buffer allocation failed",
        "runtime: out of memory",
        "java.lang.OutOfMemoryError",
    ];
    SAID.iter().any(|said| stderr.contains(said))
}

/// The text with only the last part of each path in it, and no addresses: where a program is installed
/// is no matter.
fn with_short_paths(text: &str) -> String {
    let short = |word: &str| -> String {
        let start = word.find(['/', '\\']);
        let Some(start) = start else { return word.to_owned() };
        let from = word[..start].rfind(['(', '"', '\'', '=']).map_or(0, |open| open + 1);
        let last = word.rfind(['/', '\\']).map_or(0, |slash| slash + 1);
        format!("{}{}", &word[..from], &word[last..])
    };
    let words = text.split_whitespace().filter(|word| !word.starts_with("0x"));
    words.map(short).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_quoted_pieces_are_left_out_of_messages() {
        assert_eq!(skeleton("length 17 at offset 0x1f"), "length # at offset #");
        assert_eq!(skeleton("count -5 is negative"), "count # is negative");
        assert_eq!(skeleton("unknown key \"a b 7\" here"), "unknown key \"..\" here");
        assert_eq!(skeleton("can't read\n  Vector3 é世"), "can't read Vector3 ?");
        assert!(skeleton(&"x".repeat(1000)).len() <= 121);
    }

    #[test]
    fn names_of_types_and_encodings_keep_their_numbers() {
        for name in ["UTF-8", "utf-16", "Vector2i", "PackedInt32Array", "int64", "u32", "float64"] {
            let text = format!("bad {name} at #");
            assert_eq!(skeleton(&format!("bad {name} at 17")), text);
        }
        assert_eq!(skeleton("node17, key3 of i7"), "node#, key# of i#");
    }

    #[test]
    fn a_crash_is_known_by_its_place() {
        let rust = "thread 'main' (77) panicked at /home/me/src/main.rs:46:9:\n\
                    index out of bounds: the len is 3 but the index is 7\n\
                    note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n";
        let words = "index out of bounds: the len is # but the index is # at main.rs:46:9";
        assert_eq!(last_words(rust).unwrap(), words);
        let python = "Traceback (most recent call last):\n  File \"/a/b.py\", line 7, in <module>\n    \
                      f()\n  File \"/a/c.py\", line 12, in f\n    x[3]\nIndexError: list index 3\n";
        assert_eq!(last_words(python).unwrap(), "IndexError at c.py, line 12, in f");
        let node = "/a/b.js:3\n    throw x\n    ^\n\nRangeError: index 9\n    at f (/a/b.js:3:5)\n    at g \
                    (/a/b.js:9:1)\n\nNode.js v20.19.2\n";
        assert_eq!(last_words(node).unwrap(), "RangeError at f (b.js:3:5)");
        let c = "decoder: /src/d.c:12: read: Assertion `n < 7' failed.\n";
        assert_eq!(last_words(c).unwrap(), "decoder: d.c:#: read: Assertion `n < #' failed.");
        let asan =
            "==7==ERROR\nSUMMARY: AddressSanitizer: heap-buffer-overflow /src/d.c:9:3 in read\n";
        assert_eq!(
            last_words(asan).unwrap(),
            "AddressSanitizer: heap-buffer-overflow d.c:9:3 in read"
        );
        let oom =
            "memory allocation of 70 bytes failed\nstack backtrace:\n   0: a\n      at x.rs:1\n";
        assert_eq!(last_words(oom).unwrap(), "memory allocation of # bytes failed");
        assert!(is_out_of_memory(oom));
        assert_eq!(last_words("\n"), None);
    }
}
