//! Layout of the text below a command's options, for reading and copying at any width.
//!
//! A paragraph of prose becomes one line, which clap wraps at the width of the terminal. A text in
//! columns is wrapped within its column. A command that is too long continues after a backslash, as
//! in a shell: clap would break it anywhere.

use clap::Command;

/// Number of columns that every terminal has.
const WIDTH: usize = 80;

/// The end of a line that continues, and the indentation of the next one.
const GOES_ON: &str = " \\";
const FURTHER: usize = 4;

/// Lays out the help of a command and of all commands below it.
pub fn laid_out(mut command: Command) -> Command {
    if let Some(text) = command.get_after_help().map(|text| arranged(&text.to_string())) {
        command = command.after_help(text);
    }
    if let Some(text) = command.get_after_long_help().map(|text| arranged(&text.to_string())) {
        command = command.after_long_help(text);
    }
    command.mut_subcommands(laid_out)
}

/// Puts the name of a program into the examples of the commands that all programs have.
pub fn named(command: Command) -> Command {
    let name = command.get_name().to_owned();
    ["completions", "man"].into_iter().fold(command, |command, common| {
        command.mut_subcommand(common, |command| {
            let help = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
            command.after_long_help(help.replace("formwork", &name))
        })
    })
}

fn arranged(text: &str) -> String {
    let mut arranged: Vec<String> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let mut line = line.to_owned();
        if indentation(&line) == 0 {
            // A paragraph ends before an empty or indented line, and after a heading.
            while let Some(next) = lines.next_if(|next| goes_on(&line, next)) {
                line.push(' ');
                line.push_str(next);
            }
            arranged.push(line);
        } else if let Some(column) = column(&line) {
            let mut entry = vec![line];
            while let Some(next) = lines.next_if(|next| indentation(next) == column) {
                entry.push(next.to_owned());
            }
            if entry.iter().any(|line| width(line) > WIDTH) {
                let (term, rest) = entry[0].split_at(column);
                let texts = std::iter::once(rest).chain(entry[1..].iter().map(|line| line.trim()));
                let text = texts.collect::<Vec<_>>().join(" ");
                entry = wrapped(term, column, &text);
            }
            arranged.extend(entry);
        } else if width(&line) <= WIDTH {
            arranged.push(line);
        } else if ["formwork ", "formwork-kit ", "formwork-capture "]
            .iter()
            .any(|it| line.contains(it))
        {
            arranged.extend(broken(&line));
        } else {
            let (margin, text) = line.split_at(indentation(&line));
            arranged.extend(wrapped(margin, margin.len(), text));
        }
    }
    arranged.join("\n")
}

/// Returns whether the next line belongs to this paragraph.
fn goes_on(line: &str, next: &str) -> bool {
    !line.is_empty() && !line.ends_with(':') && !next.is_empty() && indentation(next) == 0
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn width(line: &str) -> usize {
    line.chars().count()
}

/// Returns the start of the second column: after the first two blanks that are not the margin.
/// Returns [`None`] where there is no second column.
fn column(line: &str) -> Option<usize> {
    let margin = indentation(line);
    let gap = margin + line.get(margin..)?.find("  ")?;
    let rest = line.get(gap..)?;
    (!rest.trim().is_empty()).then(|| gap + indentation(rest))
}

/// Wraps a text: the first line starts with `first`, the others with the margin.
fn wrapped(first: &str, margin: usize, text: &str) -> Vec<String> {
    let (mut lines, mut line, mut empty) = (Vec::new(), first.to_owned(), true);
    for word in text.split_whitespace() {
        if !empty && width(&line) + 1 + width(word) > WIDTH {
            lines.push(std::mem::replace(&mut line, " ".repeat(margin)));
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    lines.push(line);
    lines
}

/// Breaks a command into lines, of which all but the last end with a backslash. Breaks before an
/// option or a pipe where possible, and never within quotes.
fn broken(line: &str) -> Vec<String> {
    let margin = indentation(line) + FURTHER;
    let (mut lines, mut rest) = (Vec::new(), line.to_owned());
    while width(&rest) > WIDTH {
        let Some(at) = place_to_break(&rest, WIDTH - GOES_ON.len()) else { break };
        let (now, later) = rest.split_at(at);
        lines.push(format!("{now}{GOES_ON}"));
        rest = format!("{:margin$}{}", "", later.trim_start());
    }
    lines.push(rest);
    lines
}

fn place_to_break(line: &str, most: usize) -> Option<usize> {
    let (mut quote, mut any, mut good) = (None, None, None);
    for (at, letter) in
        line.char_indices().skip(indentation(line)).take_while(|(at, _)| *at <= most)
    {
        match (quote, letter) {
            (None, '\'' | '"') => quote = Some(letter),
            (Some(open), letter) if letter == open => quote = None,
            (None, ' ') => {
                any = Some(at);
                if line.get(at + 1..).is_some_and(|next| next.starts_with(['-', '|'])) {
                    good = any;
                }
            }
            _ => {}
        }
    }
    good.or(any)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_one_line_a_paragraph() {
        let text = "One line\nand another.\n\nA heading:\nNot of it.\n  verbatim";
        assert_eq!(arranged(text), "One line and another.\n\nA heading:\nNot of it.\n  verbatim");
    }

    #[test]
    fn a_long_command_goes_on_behind_a_backslash() {
        let long = format!(
            "  formwork encode game.json --like '{}' --password 'correct horse' -o new.save",
            "s".repeat(12)
        );
        let lines = broken(&long);
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines.iter().all(|line| width(line) <= WIDTH), "{lines:?}");
        let pasted = arranged(&long).replace(" \\\n    ", "");
        assert_eq!(pasted.replace("  ", " "), long.replace("  ", " "));
        assert!(lines[1].starts_with("      -o new.save"), "{lines:?}");
    }

    #[test]
    fn columns_stay_columns() {
        let text = format!("  valid       {}\n              more", "word ".repeat(16).trim());
        let lines = arranged(&text);
        assert!(lines.lines().all(|line| width(line) <= WIDTH), "{lines}");
        assert!(lines.lines().skip(1).all(|line| indentation(line) == 14), "{lines}");
        let short = "  a  b\n     c";
        assert_eq!(arranged(short), short);
    }
}
