//! The decoder protocol: requests on standard input, answers on standard output.

use std::io::{self, Read, Write};

use crate::Format;
use crate::defect::{Defect, defect};
use crate::input::Result;
use crate::memory::Memory;
use crate::{alb1, variant};

/// Bytes of answers that are sent while requests are still waiting.
const ENOUGH: usize = 1 << 16;

/// Answers requests until standard input ends.
pub(crate) fn serve(format: Format) -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut memory = Memory::default();
    let mut requests: Vec<u8> = Vec::new();
    let mut answers = Vec::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        let mut start = 0;
        while let Some((length, rest)) = requests[start..].split_first_chunk::<4>() {
            let length = u32::from_le_bytes(*length) as usize;
            let Some(packet) = rest.get(..length) else { break };
            answer(packet, format, &mut memory, &mut answers);
            start += 4 + length;
            if answers.len() >= ENOUGH {
                output.write_all(&answers)?;
                answers.clear();
            }
        }
        requests.drain(..start);
        output.write_all(&answers)?;
        output.flush()?;
        answers.clear();
        let read = input.read(&mut chunk)?;
        if read == 0 {
            return match requests.is_empty() {
                true => Ok(()),
                false => Err(io::ErrorKind::UnexpectedEof.into()),
            };
        }
        requests.extend_from_slice(&chunk[..read]);
    }
}

/// Appends the answer to a packet.
fn answer(packet: &[u8], format: Format, memory: &mut Memory, answers: &mut Vec<u8>) {
    if defect(Defect::SilentOnEmpty) && packet.is_empty() {
        return;
    }
    if defect(Defect::Packet16Bits) {
        append(&packet[..packet.len() & 0xffff], format, memory, answers);
        return;
    }
    if defect(Defect::StaleBuffer) {
        let mut buffer = std::mem::take(&mut memory.packet);
        buffer.resize(buffer.len().max(packet.len()), 0);
        buffer[..packet.len()].copy_from_slice(packet);
        append(&buffer, format, memory, answers);
        memory.packet = buffer;
        return;
    }
    let consumed = append(packet, format, memory, answers);
    if defect(Defect::AnswersTwice) && consumed < packet.len() {
        append(&packet[consumed..], format, memory, answers);
    }
}

/// Appends the answer to a packet. Returns how many bytes of the packet were consumed.
fn append(packet: &[u8], format: Format, memory: &mut Memory, answers: &mut Vec<u8>) -> usize {
    const HEAD: usize = 9;
    let start = answers.len();
    answers.extend([0; HEAD]);
    let result = again(packet, format, memory, answers);
    if result.is_err() {
        answers.truncate(start + HEAD);
    }
    let (status, consumed) = match result {
        Ok((consumed, true)) => (0, consumed),
        // Skipped: this decoder does not know the value's conversion.
        Ok((consumed, false)) => (2, consumed),
        Err(_) if defect(Defect::ErrorAsNull) => {
            answers.extend([0; 4]);
            (0, packet.len())
        }
        Err(fault) => {
            answers.extend_from_slice(fault.message.as_bytes());
            (1, fault.offset)
        }
    };
    let length = (answers.len() - start - HEAD) as u32;
    answers[start] = status;
    answers[start + 1..start + 5].copy_from_slice(&(consumed as u32).to_le_bytes());
    answers[start + 5..start + HEAD].copy_from_slice(&length.to_le_bytes());
    if status == 0 { consumed } else { packet.len() }
}

fn again(
    packet: &[u8],
    format: Format,
    memory: &mut Memory,
    out: &mut Vec<u8>,
) -> Result<(usize, bool)> {
    let result = match format {
        Format::Variant(engine) => variant::again(packet, engine, memory, out),
        Format::Alb1 => alb1::again(packet, memory, out).map(|consumed| (consumed, true)),
    };
    let result = result.and_then(|(consumed, is_known)| {
        if defect(Defect::TrailingRefused) && consumed < packet.len() {
            let message = "there are bytes behind the value";
            return Err(crate::input::Fault { offset: consumed, message });
        }
        if defect(Defect::ErrorSticks) && memory.failed {
            let message = "the error of the packet before";
            return Err(crate::input::Fault { offset: 0, message });
        }
        Ok((consumed, is_known))
    });
    memory.failed = matches!(&result, Err(fault) if fault.offset >= 8);
    result
}
