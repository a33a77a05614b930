//! `generate`: packets for tests of decoders.

mod folder;
mod record;
mod verdict;

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use clap::{Args, ValueEnum};
use formwork_kit::case::{Case, Cases, Repeats};
use formwork_kit::dictionary;
use formwork_kit::suite::{Suite, Tier};

use super::cases::CaseOptions;
use folder::Folder;
use formwork_program::failure::{Failure, Status};
use formwork_program::output::OutputOptions;
use formwork_program::quantity::size;
use formwork_program::remark;
use record::{Spelling, line};
use verdict::Reader;

/// The form of the packets.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Form {
    /// A JSON object a line: the bytes, what is known about them, and what this program makes of them
    Jsonl,
    /// Requests of the decoder protocol, for 'formwork-kit respond' and what answers like it
    Frames,
    /// A conformance suite in one file: a JSON object a line, each with a stable name and the right result
    Suite,
    /// A folder with a file for each packet and 'expected.jsonl'
    Files,
    /// A folder with a corpus for libFuzzer
    Libfuzzer,
    /// A folder with a corpus for AFL++
    Afl,
}

/// Number of packets without `--count`.
const COUNT: u64 = 1000;
/// Default size limit of a packet in a corpus, in bytes.
const CORPUS_SIZE: u64 = 4 << 10;

/// Generate test packets for decoders
///
/// Packets are correct, unusual, or broken in one known way. The first ones enumerate every type
/// alone, with each odd header and each boundary value. Random packets follow, in a fixed mix of
/// kinds. The same options give the same packets on any computer; --first and --count select a part
/// of them.
#[derive(Args, Debug)]
#[command(after_long_help = AFTER)]
pub(crate) struct Generate {
    #[command(flatten)]
    cases: CaseOptions,
    /// Number of packets [default: 1000]
    ///
    /// A packet that repeats an earlier one counts, but is left out: its number stays empty.
    #[arg(long, value_name = "COUNT")]
    count: Option<u64>,
    /// Number of the first packet [default: 0]
    #[arg(long, value_name = "NUMBER")]
    first: Option<u64>,
    /// Parts of the suite (--as suite): smoke, core, lenient, strict, limits [default: all]
    #[arg(long, value_name = "TIERS", value_delimiter = ',')]
    tier: Vec<Tier>,
    /// Output form
    #[arg(long = "as", value_enum, default_value_t = Form::Jsonl, value_name = "FORM")]
    form: Form,
    /// Print JSON: --as jsonl
    #[arg(long, conflicts_with = "form")]
    json: bool,
    /// Also write a second packet with other bytes and the same meaning
    #[arg(long)]
    pairs: bool,
    /// Leave out packets larger than SIZE; 0 for no limit [default: 4K for a corpus, otherwise 0]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_size: Option<u64>,
    /// How to write bytes in JSON lines [default: hex]
    #[arg(long, value_enum, value_name = "ENCODING")]
    bytes: Option<Spelling>,
    /// Write a dictionary for fuzzers instead of packets: libFuzzer's -dict, AFL++'s -x
    #[arg(long, conflicts_with_all = ["form", "json", "tier"])]
    dictionary: bool,
    #[command(flatten)]
    output: OutputOptions,
}

const AFTER: &str = r#"Examples:
  formwork-kit generate --format godot3 --count 5
  formwork-kit generate --format godot4 --as suite -o godot4.jsonl
  formwork-kit generate --format godot4 --as files --count 20000 --pairs -o packets
  formwork-kit generate --format godot3 --profile near-valid --as frames -o - | my-responder
  formwork-kit generate --format alb1 --from island.tv4p --as libfuzzer -o corpus
  formwork-kit generate --format godot4 --dictionary -o godot4.dict

Kinds of packets (--profile):
  enumerate   each type alone, each odd header, each boundary value; always
              first; correct or not
  valid       what the engine writes
  edge        what the engine reads, but would write differently
  near-valid  what the engine rejects because of exactly one rule; the rule is
              named
  hostile     many faults at once: sizes that overflow, very deep nesting

Output forms (--as):
  jsonl       one line per packet: number, profile, subject, bytes, broken rule
              and its offset, verdict, consumed, value (JSON as from 'decode'),
              pair
  frames      length, then that many bytes; lengths are 32 bits, little-endian
  suite       a conformance suite in one file, for tests in any language: the
              same packets in every release, each with its name ('id'), the bytes
              ('hex'), what is right ('result': valid, invalid or acceptable, which
              engines read but do not write; 'used', 'bytes', 'value'), the 'rule'
              and 'flags'. The first line is about the file
  files       a folder with one file per packet, such as
              000123-near-valid-string.length.bin, and expected.jsonl: the lines
              of jsonl with 'file' instead of the bytes; can be used without
              this program
  libfuzzer, afl
              a folder with each packet once, without those larger than 4 KiB
              (--max-size): long inputs slow a fuzzer down
Parts of the suite (--tier):
  smoke       a few packets that show nearly every known mistake; always first
  core        what engines write; packets that are cut, and wrong counts
  lenient     what engines read, but would write differently
  strict      what engines refuse
  limits      very long and very deep packets
The suite has its own packets and its own spelling of bytes: options that choose others
do not go with it.

The folder (-o) is new, and appears only after everything in it is written.

Verdicts:
The verdict is what the engine does: 'accepted', with the size of the value, or 'rejected', with the rule and the offset of the fault. 'canonical' tells whether the engine would write the same bytes. A value that is nested too deeply for JSON readers is left out ('too_deep').

Exit status: 0 success, 2 wrong use, 3 a file could not be read or written."#;

impl Generate {
    pub(crate) fn run(self) -> Result<Status, Failure> {
        if self.dictionary {
            if let Some(option) = self.choosing() {
                return Err(Failure::usage(format!("{option} does not go with --dictionary"))
                    .hint("the words are those of all packets of the format"));
            }
            let words = dictionary(self.cases.format);
            self.output.write(|out| {
                // The output records a write error itself.
                let _ = out.write_all(words.as_bytes());
                Ok(())
            })?;
            return Ok(Status::Done);
        }
        let form = if self.json { Form::Jsonl } else { self.form };
        if form == Form::Suite {
            return self.suite();
        }
        if !self.tier.is_empty() {
            return Err(Failure::usage("--tier goes with --as suite only"));
        }
        if self.bytes.is_some() && !matches!(form, Form::Jsonl | Form::Files) {
            return Err(Failure::usage("--bytes goes with JSON lines only")
                .hint("--as jsonl and --as files write them"));
        }
        let cases = self.cases.cases()?;
        match form {
            // (It is written above.)
            Form::Suite => {}
            Form::Jsonl => self.output.write(|out| self.lines(&cases, out))?,
            Form::Frames => self.output.write_binary(|out| self.frames(&cases, out))?,
            Form::Files => self.files(&cases)?,
            Form::Libfuzzer | Form::Afl => self.corpus(&cases)?,
        }
        Ok(Status::Done)
    }

    /// Returns the first option that is there and chooses packets, or how they are written.
    fn choosing(&self) -> Option<String> {
        let seed = self.cases.seed.map(|_| "--seed".to_owned());
        let chosen = seed.into_iter().chain(self.cases.said());
        let others = [
            ("--count", self.count.is_some()),
            ("--first", self.first.is_some()),
            ("--pairs", self.pairs),
            ("--max-size", self.max_size.is_some()),
            ("--bytes", self.bytes.is_some()),
        ];
        let others = others.into_iter().filter(|(_, is_set)| *is_set);
        let mut all = chosen.chain(others.map(|(name, _)| name.to_owned()));
        all.next().map(|option| option.split('=').next().unwrap_or_default().to_owned())
    }

    /// Writes the suite.
    fn suite(&self) -> Result<Status, Failure> {
        if let Some(option) = self.choosing() {
            return Err(Failure::usage(format!("{option} does not go with --as suite"))
                .hint("the suite has its own packets; --tier selects parts of it"));
        }
        let mut suite = Suite::new(self.cases.reading());
        if !self.tier.is_empty() {
            suite = suite.only(&self.tier);
        }
        self.output.write(|mut out| {
            // The output records a write error itself.
            let _ = suite.write(&mut out);
            Ok(())
        })?;
        Ok(Status::Done)
    }

    /// Returns whether a case, and the other half of its pair, are short enough to be written.
    fn fits(&self, case: &Case) -> bool {
        let usual = match self.form {
            Form::Libfuzzer | Form::Afl => CORPUS_SIZE,
            Form::Jsonl | Form::Frames | Form::Files | Form::Suite => 0,
        };
        let most = self.max_size.unwrap_or(usual);
        let pair = case.pair.as_ref().filter(|_| self.pairs);
        let longest = pair.map_or(0, Vec::len).max(case.bytes.len());
        most == 0 || u64::try_from(longest).is_ok_and(|longest| longest <= most)
    }

    /// Calls `visit` for each case until it fails. Leaves out cases that repeat an earlier one, and
    /// cases that are too long.
    fn each(
        &self,
        cases: &Cases,
        mut visit: impl FnMut(&Case) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let first = self.first.unwrap_or(0);
        let mut case = cases.case(first);
        let mut repeats = Repeats::before(cases, first);
        let mut repeated = 0_u64;
        let end = first.saturating_add(self.count.unwrap_or(COUNT));
        for number in first..cases.count().map_or(end, |all| all.min(end)) {
            cases.case_into(number, &mut case);
            if repeats.is_one(&case) {
                repeated += 1;
            } else if self.fits(&case) {
                visit(&case)?;
            }
        }
        if repeated > 0 {
            let packets = if repeated == 1 { "packet that repeats" } else { "packets that repeat" };
            remark(&format!("left out {repeated} {packets} an earlier one"));
        }
        Ok(())
    }

    fn lines(&self, cases: &Cases, out: &mut dyn Write) -> Result<(), Failure> {
        let reader = Reader::new(*cases.reading());
        self.each(cases, |case| {
            let text = line(
                case,
                None,
                &reader.read(&case.bytes),
                self.bytes.unwrap_or_default(),
                self.pairs,
            );
            // The output records a write error itself; here the error only ends the loop.
            out.write_all(text.as_bytes()).map_err(|_| Failure::unread())
        })
    }

    fn frames(&self, cases: &Cases, out: &mut dyn Write) -> Result<(), Failure> {
        self.each(cases, |case| {
            let pair = case.pair.as_ref().filter(|_| self.pairs);
            for bytes in [Some(&case.bytes), pair].into_iter().flatten() {
                let length = u32::try_from(bytes.len()).map_err(|_| {
                    Failure::unreadable(format!(
                        "case {}: the packet is too long for a request",
                        case.number
                    ))
                })?;
                let sent = out.write_all(&length.to_le_bytes()).and_then(|()| out.write_all(bytes));
                sent.map_err(|_| Failure::unread())?;
            }
            Ok(())
        })
    }

    fn files(&self, cases: &Cases) -> Result<(), Failure> {
        let folder = Folder::create(self.folder()?)?;
        let reader = Reader::new(*cases.reading());
        let mut expected = String::new();
        self.each(cases, |case| {
            let stem = stem(case);
            let name = format!("{stem}.bin");
            folder.write(&name, &case.bytes)?;
            if let Some(pair) = case.pair.as_ref().filter(|_| self.pairs) {
                folder.write(&format!("{stem}.pair.bin"), pair)?;
            }
            let verdict = reader.read(&case.bytes);
            expected.push_str(&line(
                case,
                Some(&name),
                &verdict,
                self.bytes.unwrap_or_default(),
                self.pairs,
            ));
            Ok(())
        })?;
        folder.write("expected.jsonl", expected.as_bytes())?;
        folder.finish()
    }

    /// Writes each packet once: a corpus gains nothing from the same bytes under two names.
    fn corpus(&self, cases: &Cases) -> Result<(), Failure> {
        let folder = Folder::create(self.folder()?)?;
        let mut known = HashSet::new();
        self.each(cases, |case| {
            let pair = case.pair.as_ref().filter(|_| self.pairs).map(|pair| (".pair", pair));
            for (half, bytes) in [Some(("", &case.bytes)), pair].into_iter().flatten() {
                if known.insert(bytes.clone()) {
                    let name = match self.form {
                        // AFL++ has names of this form, but with a colon, which not every file
                        // system allows.
                        Form::Afl => format!("id_{}{half}", stem(case)),
                        _ => format!("{}{half}", stem(case)),
                    };
                    folder.write(&name, bytes)?;
                }
            }
            Ok(())
        })?;
        folder.finish()
    }

    fn folder(&self) -> Result<&Path, Failure> {
        let form = self.form.to_possible_value();
        let name = form.as_ref().map_or("", |value| value.get_name());
        self.output.path().ok_or_else(|| {
            Failure::usage(format!("--as {name} needs a folder to write to")).hint("use -o FOLDER")
        })
    }
}

/// Returns the file name of a case, without its extension.
fn stem(case: &Case) -> String {
    let mut stem = format!("{:06}-{}", case.number, case.profile);
    if let Some(broken) = case.broken {
        stem.push('-');
        stem.push_str(broken.rule.name());
    }
    stem
}
