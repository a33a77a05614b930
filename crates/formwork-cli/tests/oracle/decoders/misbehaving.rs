//! A decoder that obeys the packets, to test code that drives decoders. The test compiles it, and it needs
//! only the standard library.
//!
//! A packet is a word with an optional number: `crash`, `sleep 50`. Any other packet is accepted and sent
//! back.

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
        // A child that would outlive its parent.
        let child = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
        eprintln!("child {}", child.id());
    }
    if has("case") {
        let mut packet = Vec::new();
        match arguments.iter().find(|argument| argument.starts_with('/')) {
            Some(file) => packet = std::fs::read(file).unwrap(),
            None => drop(std::io::stdin().read_to_end(&mut packet).unwrap()),
        }
        // Arrays of Godot 3 end it with these words.
        let words = arguments.iter().find_map(|argument| argument.strip_prefix("arrays="));
        if let Some(words) = words {
            let is_array = packet.first() == Some(&0x13);
            if is_array {
                eprintln!("{words}");
            }
            exit(if !is_array { 0 } else if has("refuse") { 1 } else { 9 });
        }
        case(&packet);
    }
    if has("waits") {
        // The decoder reads its whole input before it answers.
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

/// Answers a single packet by the way the process ends.
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

/// Answers requests one by one, or all available requests together if `buffered`. A `mute` decoder does not
/// answer an empty packet.
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
            // A fixed amount of work, independent of the load of the machine.
            "work" => {
                for round in 0..number << 20 {
                    std::hint::black_box(round);
                }
            }
            "grow" => grow(),
            // Reserves more memory than allowed, and never uses it. Rust aborts if the memory is refused.
            "reserve" => drop(std::hint::black_box(Vec::<u8>::with_capacity(number as usize))),
            // Tries to reserve the same, and continues without it.
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
                // From now on all answers come in one piece. The reader sees all of them or none, even on a
                // busy machine.
                buffered = true;
            }
            "garbage" => reply = b"Traceback (most recent call last):".to_vec(),
            "half" => reply.truncate(6),
            // The answer announces more bytes than it has, and so consumes the start of the next one.
            "short" => drop(reply.pop()),
            "silent" => reply.clear(),
            "" if mute => reply.clear(),
            "poison" => poisoned += 1,
            // Fatal only after a poison.
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

/// Allocates and uses memory until there is no more.
fn grow() -> ! {
    let mut all = Vec::new();
    loop {
        all.push(std::hint::black_box(vec![1_u8; 1 << 20]));
    }
}
