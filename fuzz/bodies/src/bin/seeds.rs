//! Writes the first inputs of fuzzers into `fuzz/`: `corpus/TARGET` for each target (or for the named ones),
//! and the dictionaries `variant.dict` and `alb1.dict`.
//!
//!     cargo run -p formwork-bodies --bin seeds [TARGET...]
//!
//! An existing corpus is kept: it may hold inputs that a fuzzer found.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

use formwork_bodies::{TARGETS, seeds, words};

fn main() -> ExitCode {
    let wanted: Vec<String> = env::args().skip(1).collect();
    let known = |name: &str| TARGETS.iter().any(|(target, _)| *target == name);
    if let Some(unknown) = wanted.iter().find(|name| !known(name)) {
        eprintln!("seeds: there is no target '{unknown}'");
        return ExitCode::from(2);
    }
    match write(&wanted) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("seeds: {error}");
            ExitCode::from(3)
        }
    }
}

fn write(wanted: &[String]) -> io::Result<()> {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let formats = fuzz.join("../formats");
    // Any target of the format family gives the dictionary.
    for (file, target) in [("variant.dict", "fixed_point"), ("alb1.dict", "alb1_document")] {
        fs::write(fuzz.join(file), words(target))?;
    }
    for (target, _) in TARGETS {
        let corpus = fuzz.join("corpus").join(target);
        if !wanted.is_empty() && !wanted.iter().any(|name| name == target) || corpus.is_dir() {
            continue;
        }
        // The folder has another name until it is complete.
        let unfinished = corpus.with_extension("unfinished");
        let _ = fs::remove_dir_all(&unfinished);
        fs::create_dir_all(&unfinished)?;
        let inputs = seeds(&formats, target)?;
        for (number, input) in inputs.iter().enumerate() {
            fs::write(unfinished.join(format!("seed-{number:04}")), input)?;
        }
        fs::rename(unfinished, &corpus)?;
        println!("{target}: {} seeds", inputs.len());
    }
    Ok(())
}
