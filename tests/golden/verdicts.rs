//! x
use formwork::codec::ObjectForm;
use formwork::{Decoder, Encoder};
use std::collections::BTreeMap;

use crate::cases::{ENGINES, masked};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn values() {
    for engine in &ENGINES {
        let dialect = engine.dialect();
        let mut good = 0;
        let mut n = 0;
        for case in engine.lines("values.jsonl") {
            n += 1;
            let bytes = case.bytes("hex").unwrap();
            let un = case.offsets("unspecified");
            let full = case.flag("full_objects");
            let form = if full { ObjectForm::Full } else { ObjectForm::AsHeld };
            let r = Decoder::new(dialect)
                .allow_objects(full)
                .decode::<f32>(&bytes)
                .and_then(|v| Encoder::new(dialect).objects(form).encode(&v));
            match r {
                Ok(b) if masked(b.clone(), &un) == masked(bytes.clone(), &un) => good += 1,
                Ok(b) => println!(
                    "{} {} differs\n  {}\n  {}",
                    engine.name,
                    case.text("name").unwrap(),
                    &case.text("hex").unwrap().chars().take(200).collect::<String>(),
                    hex(&b).chars().take(200).collect::<String>()
                ),
                Err(e) => println!(
                    "{} {} {e} {}",
                    engine.name,
                    case.text("name").unwrap(),
                    case.text("hex").unwrap().chars().take(200).collect::<String>()
                ),
            }
        }
        println!("VALUES {} {good}/{n}", engine.name);
    }
}

#[test]
fn verdicts() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let show: usize = std::env::var("SHOW").ok().and_then(|s| s.parse().ok()).unwrap_or(2);
    for engine in &ENGINES {
        let dialect = engine.dialect();
        let mut good = 0;
        let mut n = 0;
        let mut bad: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for case in engine.lines("decode.jsonl") {
            let Some(ok) = case.0["ok"].as_bool() else { continue };
            n += 1;
            let kind = case.text("kind").unwrap().to_owned();
            let bytes = case.bytes("hex").unwrap();
            let full = case.flag("allow_objects");
            let form = if full { ObjectForm::Full } else { ObjectForm::AsHeld };
            let short = |s: &str| s.chars().take(260).collect::<String>();
            match Decoder::new(dialect).allow_objects(full).decode_prefix::<f32>(&bytes) {
                Err(e) if ok => bad.entry(format!("{kind} we refuse")).or_default().push(format!(
                    "{full} {} {e} || text {:?} re {:?}",
                    short(case.text("hex").unwrap()),
                    case.text("text").map(short),
                    case.text("reencoded").map(short)
                )),
                Err(_) => good += 1,
                Ok((v, _)) if !ok => {
                    bad.entry(format!("{kind} we accept")).or_default().push(format!(
                        "{full} {} || {:?} {}",
                        short(case.text("hex").unwrap()),
                        case.text("error"),
                        short(&format!("{v:?}"))
                    ))
                }
                Ok((v, _)) => {
                    let un = case.offsets("reencoded_unspecified");
                    let want = case.bytes("reencoded");
                    match (Encoder::new(dialect).objects(form).encode(&v), want) {
                        (Ok(b), Some(want))
                            if masked(b.clone(), &un) == masked(want.clone(), &un) =>
                        {
                            good += 1
                        }
                        (Ok(b), want) => {
                            bad.entry(format!("{kind} reencode")).or_default().push(format!(
                                "{full} in {}\n   want {}\n   got  {} || {:?}",
                                short(case.text("hex").unwrap()),
                                short(&hex(&want.unwrap_or_default())),
                                short(&hex(&b)),
                                case.text("text").map(short)
                            ))
                        }
                        (Err(_), None) => good += 1,
                        (Err(e), want) => {
                            bad.entry(format!("{kind} encode error")).or_default().push(format!(
                                "{full} in {} want {:?} {e}",
                                short(case.text("hex").unwrap()),
                                want.map(|w| short(&hex(&w)))
                            ))
                        }
                    }
                }
            }
        }
        println!("VERDICTS {} {good}/{n}", engine.name);
        if !only.is_empty() && !engine.name.contains(&only) {
            continue;
        }
        for (k, v) in bad {
            println!("  {k}: {}", v.len());
            for s in v.iter().take(show) {
                println!("      {s}");
            }
        }
    }
}
