//! A decoder that does what packets tell it, for tests of what drives decoders. It is compiled by the
//! test and needs nothing but the standard library.
//!
//! A packet is a word and perhaps a number: `crash`, `sleep 50`. What is no such word is accepted, and
//! comes back.

use std::io::{BufReader, Read, Write};
use std::process::exit;
use std::time::Duration;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    if has("exit") {
        eprintln!("no configuration");
        exit(3);
    }
    if has("banner") {
        print!("Welcome!");
        std::io::stdout().flush().unwrap();
    }
    if has("child") {
        // Something that would outlive its parent.
        let child = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
        eprintln!("child {}", child.id());
    }
    if has("case") {
        let mut packet = Vec::new();
        match arguments.iter().find(|argument| argument.starts_with('/')) {
            Some(file) => packet = std::fs::read(file).unwrap(),
            None => drop(std::io::stdin().read_to_end(&mut packet).unwrap()),
        }
        case(&packet);
    }
    if has("waits") {
        // It reads to the end of its input before it answers anything.
        let mut input = Vec::new();
        std::io::stdin().read_to_end(&mut input).unwrap();
        return talk(&input[..], std::io::stdout(), false, false);
    }
    let port = arguments.iter().find_map(|argument| argument.parse::<u16>().ok());
    match port {
        Some(port) => {
            println!("connecting");
            let stream = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
            talk(stream.try_clone().unwrap(), stream, has("buffered"), false);
        }
        None => talk(std::io::stdin(), std::io::stdout(), has("buffered"), has("mute")),
    }
}

/// One packet, and the answer by the way it ends.
fn case(packet: &[u8]) -> ! {
    match packet {
        b"reject" => {
            eprintln!("rejected, as told");
            exit(1);
        }
        b"skip" => exit(77),
        b"status 9" => exit(9),
        b"crash" => crash(),
        b"hang" => loop {
            std::thread::park();
        },
        b"grow" => grow(),
        _ => std::io::stdout().write_all(packet).unwrap(),
    }
    exit(0)
}

/// Answers requests: each by itself, or, if buffered, when there are no more of them for now.
/// One that is mute has nothing to say to an empty packet.
fn talk(input: impl Read, mut output: impl Write, buffered: bool, mute: bool) {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut answers = Vec::new();
    let mut poisoned = 0_u32;
    let mut buffered = buffered;
    loop {
        let mut head = [0; 4];
        if input.read_exact(&mut head).is_err() {
            return;
        }
        let mut packet = vec![0; u32::from_le_bytes(head) as usize];
        input.read_exact(&mut packet).unwrap();
        let text = String::from_utf8_lossy(&packet).into_owned();
        let (word, number) = text.split_once(' ').unwrap_or((&text, "0"));
        let number: u64 = number.parse().unwrap_or(0);
        let mut reply = answer(0, packet.len() as u32, &packet);
        match word {
            "crash" => crash(),
            "exit" => exit(number as i32),
            "hang" => loop {
                std::thread::park();
            },
            "spin" => loop {
                std::hint::spin_loop();
            },
            "sleep" => std::thread::sleep(Duration::from_millis(number)),
            // So much work, however long it takes on a machine that does other things, too.
            "work" => {
                for round in 0..number << 20 {
                    std::hint::black_box(round);
                }
            }
            "grow" => grow(),
            // More than may be had, never touched; Rust ends where it is refused.
            "reserve" => drop(std::hint::black_box(Vec::<u8>::with_capacity(number as usize))),
            // The same, by one that can do without.
            "try" => {
                if Vec::<u8>::new().try_reserve_exact(number as usize).is_err() {
                    reply = answer(1, 0, b"too large");
                }
            }
            "complain" => {
                for _ in 0..1 << 14 {
                    eprintln!("{:>63}", "something is wrong");
                }
            }
            "reject" => {
                reply = answer(1, number as u32, b"rejected, as told");
            }
            "twice" => {
                reply.extend(answer(0, packet.len() as u32, &packet));
                // From now on what it has to say comes in one piece: whoever waits for it sees all of
                // it or nothing, and not one answer too few because the machine was busy.
                buffered = true;
            }
            "garbage" => reply = b"Traceback (most recent call last):".to_vec(),
            "half" => reply.truncate(6),
            // It announces more than it has, and swallows what is behind it.
            "short" => drop(reply.pop()),
            "silent" => reply.clear(),
            "" if mute => reply.clear(),
            "poison" => poisoned += 1,
            // Fatal behind a poison, and only then.
            "dose" if poisoned > 0 => crash(),
            "doze" if poisoned > 0 => std::thread::sleep(Duration::from_secs(1000)),
            "flood" => loop {
                output.write_all(&answer(0, 0, b"more")).unwrap();
            },
            _ => {}
        }
        answers.extend(reply);
        if !buffered || input.buffer().is_empty() {
            output.write_all(&answers).unwrap();
            output.flush().unwrap();
            answers.clear();
        }
    }
}

fn answer(status: u8, consumed: u32, bytes: &[u8]) -> Vec<u8> {
    let mut answer = vec![status];
    answer.extend(consumed.to_le_bytes());
    answer.extend((bytes.len() as u32).to_le_bytes());
    answer.extend(bytes);
    answer
}

fn crash() -> ! {
    eprintln!("crashing, as told");
    std::process::abort()
}

/// Takes memory and uses it, until it gets no more.
fn grow() -> ! {
    let mut all = Vec::new();
    loop {
        all.push(std::hint::black_box(vec![1_u8; 1 << 20]));
    }
}
