//! Counts the instructions of the smallest operations, under valgrind, and compares them with a file of counts.
//!
//! Times are not reliable on a busy machine; instructions are the same in every run. They depend on the compiler, so
//! the file names its compiler: with another one, differences are only printed.

mod counted;
mod tasks;

use std::process::ExitCode;

use counted::{BESIDE, Count, Counts};
use tasks::TASKS;

/// The greatest accepted rise of a count over the file, in percent.
const MOST_RISE: f64 = 5.0;

const HELP: &str = "\
Counts instructions under valgrind and compares them with benches/counts/counts.txt.

    cargo run --release -p formwork-counts             compares; status 1 where a count rose by more than 5 %
    cargo run --release -p formwork-counts -- --write  writes the file
    cargo run --release -p formwork-counts -- run NAME ROUNDS
                                                       repeats a task (for valgrind); 'beside' repeats its peer";

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => finish(compare()),
        ["--write"] => finish(count().and_then(|counts| counts.save()).map(|()| true)),
        [side @ ("run" | BESIDE), name, rounds] => {
            let task = TASKS.iter().find(|task| task.name == name);
            let run = task.and_then(|task| match side {
                BESIDE => task.beside.map(|(_, run)| run),
                _ => Some(task.run),
            });
            let (Some(run), Ok(rounds)) = (run, rounds.parse()) else {
                eprintln!("no task is called {name:?}, or {rounds:?} is no number");
                return ExitCode::from(2);
            };
            run(rounds);
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("{HELP}");
            ExitCode::from(2)
        }
    }
}

fn finish(done: Result<bool, String>) -> ExitCode {
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(3)
        }
    }
}

/// Counts all tasks.
fn count() -> Result<Counts, String> {
    Ok(Counts {
        compiler: counted::compiler()?,
        all: TASKS.iter().map(Count::of).collect::<Result<_, String>>()?,
    })
}

/// Counts all tasks, and prints the counts of the file and the new ones. Returns whether no count rose too much.
fn compare() -> Result<bool, String> {
    let (before, now) = (Counts::load()?, count()?);
    let binding = before.compiler == now.compiler;
    let mut holds = true;
    println!(
        "{:<22}{:>10}{:>10}{:>9}{:>10}{:>8}",
        "instructions for one", "file", "now", "change", "beside", "ratio"
    );
    for Count { name, instructions, beside } in &now.all {
        let Some(old) = before.of(name) else {
            println!("{name:<22}{:>10}{instructions:>10}  not in the file", "-");
            holds = false;
            continue;
        };
        let rise = (*instructions as f64 / old as f64 - 1.0) * 100.0;
        let too_much = rise > MOST_RISE;
        holds &= !too_much;
        let verdict = if too_much { "  more than 5 %" } else { "" };
        let peer = beside.map_or_else(String::new, |(peer, count)| {
            format!("{count:>10}{:>7.2}x {peer}", *instructions as f64 / count as f64)
        });
        println!("{name:<22}{old:>10}{instructions:>10}{rise:>+8.1}%{peer}{verdict}");
    }
    if !binding {
        println!("the file is of {}, this is {}: only shown", before.compiler, now.compiler);
    } else if !holds {
        println!("where that is meant, run with --write and check the file in");
    }
    Ok(holds || !binding)
}
