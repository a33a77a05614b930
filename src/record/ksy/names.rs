//! Names that Kaitai Struct and the languages that it writes take.

use std::collections::HashSet;

/// Names that a field does not have: those that a definition has itself, such as `it` for the content of a type without a
/// name, the words of Kaitai's expressions, and words of the languages in which nothing can be called so.
const TAKEN: &[&str] = &[
    "it",
    "is_last",
    "nothing_more",
    "and",
    "or",
    "not",
    "true",
    "false",
    "sizeof",
    "bitsizeof", // Kaitai
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "none",
    "nonlocal",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield", // Python
    "close",
    "from_bytes",
    "from_file",
    "from_io",
    "read",
    "to_string", // methods of its runtimes
    "abstract",
    "boolean",
    "byte",
    "case",
    "catch",
    "char",
    "const",
    "default",
    "do",
    "double",
    "enum",
    "extends",
    "final",
    "float",
    "function",
    "goto",
    "implements",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "short",
    "static",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "typeof",
    "var",
    "void",
    "volatile", // Java, JavaScript
    "auto",
    "bool",
    "delete",
    "explicit",
    "export",
    "extern",
    "friend",
    "inline",
    "mutable",
    "namespace",
    "operator",
    "register",
    "signed",
    "sizeof",
    "struct",
    "template",
    "typedef",
    "union",
    "unsigned",
    "using",
    "virtual", // C++
];

/// Returns a name in small letters: `RelocationsWithAddends` is `relocations_with_addends`.
pub(super) fn snake(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (at, letter) in letters.iter().enumerate() {
        if !letter.is_ascii_alphanumeric() {
            if !out.is_empty() && !out.ends_with('_') {
                out.push('_');
            }
            continue;
        }
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let is_after_small =
            before.is_some_and(|it| it.is_ascii_lowercase() || it.is_ascii_digit());
        let is_before_small = letters.get(at + 1).is_some_and(char::is_ascii_lowercase)
            && before.is_some_and(char::is_ascii_uppercase);
        if letter.is_ascii_uppercase() && (is_after_small || is_before_small) {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    match out.chars().next() {
        Some(first) if first.is_ascii_lowercase() => out,
        _ => format!("n{out}"),
    }
}

/// Returns a name that is in none of the names, and adds it to them.
pub(super) fn unique(name: &str, names: &mut HashSet<String>) -> String {
    let name = snake(name);
    let mut found = if TAKEN.contains(&&*name) { format!("{name}_") } else { name.clone() };
    let mut more = 2;
    while !names.insert(found.clone()) {
        found = format!("{name}_{more}");
        more += 1;
    }
    found
}

/// Returns a name of a type: [`unique`], and no type of Kaitai's own.
pub(super) fn unique_type(name: &str, names: &mut HashSet<String>) -> String {
    let name = snake(name);
    unique(&if is_built_in(&name) { format!("{name}_") } else { name }, names)
}

/// Returns whether Kaitai has a type of this name: `u4`, `s2le`, `f8be`, `b12`, `str`.
fn is_built_in(name: &str) -> bool {
    if matches!(name, "str" | "strz" | "bytes" | "bool" | "struct" | "io" | "any") {
        return true;
    }
    let name = ["le", "be"].iter().find_map(|order| name.strip_suffix(order)).unwrap_or(name);
    match name.split_at_checked(1) {
        Some(("u" | "s", bytes)) => matches!(bytes, "1" | "2" | "4" | "8"),
        Some(("f", bytes)) => matches!(bytes, "4" | "8"),
        Some(("b", bits)) => !bits.is_empty() && bits.bytes().all(|bit| bit.is_ascii_digit()),
        _ => false,
    }
}

/// Returns a text as YAML, in double quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            letter if letter.is_control() => out.push_str(&format!("\\u{:04x}", letter as u32)),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}
