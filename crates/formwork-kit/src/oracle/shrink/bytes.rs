//! Smaller packets without regard to what is in them: without a range, with zeros, with lower
//! numbers.

use crate::Format;

use super::attempts::Attempts;

/// Bytes of a word.
const WORD: usize = 4;

/// Returns the alignment of a packet's parts: Variant packets consist of words; ALB1 files do not.
const fn align(format: Format) -> usize {
    match format {
        Format::Variant(_) => WORD,
        Format::Alb1 => 1,
    }
}

/// Makes the longest run of equal parts as short as it can be, for each size of a part. How many are needed
/// is found by halving, so that a fault that shows from a depth of some thousands on costs some ten
/// questions; whether a run was shortened.
pub(super) fn shorten_runs(attempts: &mut Attempts<'_>, format: Format) -> bool {
    /// The largest part that is looked for, and how often it has to be there.
    const LARGEST: usize = 64;
    const TIMES: usize = 4;
    let mut any = false;
    for size in (1..=LARGEST).filter(|size| size.is_multiple_of(align(format))) {
        let Some((start, times)) = longest_run(attempts.best(), size).filter(|run| run.1 >= TIMES)
        else {
            continue;
        };
        let packet = attempts.best().to_vec();
        // As few as were refused, and as many as were not.
        let (mut few, mut many) = (0, times);
        while many - few > 1 && attempts.goes_on() {
            let tried = few + (many - few) / 2;
            let (before, behind) =
                (packet.get(..start + size * tried), packet.get(start + size * times..));
            let (Some(before), Some(behind)) = (before, behind) else { break };
            if attempts.is_better([before, behind].concat()) {
                (any, many) = (true, tried);
            } else {
                few = tried;
            }
        }
    }
    any
}

/// Returns the start of the longest run of equal parts of this size, and their number.
fn longest_run(packet: &[u8], size: usize) -> Option<(usize, usize)> {
    let (mut best, mut start) = (None, 0);
    let mut longest = 0;
    let equal = packet.iter().zip(packet.get(size..)?).map(|(one, next)| one == next);
    for (at, is_equal) in equal.chain([false]).enumerate() {
        if is_equal {
            continue;
        }
        let times = (at - start) / size + 1;
        if times > longest {
            (best, longest) = (Some((start, times)), times);
        }
        start = at + 1;
    }
    best
}

/// Tries smaller packets until none is better; whether one was.
pub(super) fn reduce(attempts: &mut Attempts<'_>, format: Format) -> bool {
    let align = align(format);
    let cut = delete(attempts, align);
    let shorter = align == WORD && shorten(attempts);
    let cleared = zero(attempts);
    let lowered = lower(attempts);
    cut || shorter || cleared || lowered
}

/// Bytes of a packet in which everything is tried in every place.
const SMALL: usize = 256;

/// Leaves out ranges: halves, quarters, ... down to single bytes.
fn delete(attempts: &mut Attempts<'_>, align: usize) -> bool {
    let mut any = false;
    let mut size = attempts.best().len().next_power_of_two();
    while size > 0 && attempts.goes_on() {
        // From the end: bytes after a fault are needed less often than those before it.
        let mut end = attempts.best().len();
        while end > 0 && attempts.goes_on() {
            let mut start = end.saturating_sub(size);
            if size >= WORD {
                start = start.next_multiple_of(align);
            }
            let best = attempts.best();
            let (Some(before), Some(after)) = (best.get(..start), best.get(end..)) else { break };
            if attempts.is_better([before, after].concat()) {
                any = true;
                end = start;
            } else if size >= WORD {
                end = start;
            } else if attempts.best().len() <= SMALL {
                end -= 1;
            } else {
                break;
            }
        }
        size /= 2;
    }
    any
}

/// Removes words after a word that may be their length, and lowers that length by as many bytes. The length modulo four
/// and the form of the padding stay the same.
fn shorten(attempts: &mut Attempts<'_>) -> bool {
    let mut any = false;
    let mut at = 0;
    while at + WORD < attempts.best().len() && attempts.best().len() <= SMALL && attempts.goes_on()
    {
        let behind = at + WORD;
        let word = attempts.best().get(at..).and_then(|rest| rest.first_chunk::<WORD>());
        let Some(length) = word.map(|word| u32::from_le_bytes(*word)) else { break };
        let most = attempts.best().len() - behind;
        let mut less = usize::try_from(length).unwrap_or(usize::MAX) / WORD * WORD;
        // A number beyond the end is no length, or a lie that is kept.
        less = if less > most { 0 } else { less };
        while less > 0 && attempts.goes_on() {
            let mut packet = attempts.best().to_vec();
            let word = (length - less as u32).to_le_bytes();
            packet.splice(at..behind + less, word);
            if attempts.is_better(packet) {
                any = true;
                break;
            }
            less = less / 2 / WORD * WORD;
        }
        // What was of use is so again, with what is left.
        at = if less > 0 { at } else { behind };
    }
    any
}

/// Puts zeros in place of ranges: halves, quarters, ... down to single bytes.
fn zero(attempts: &mut Attempts<'_>) -> bool {
    let mut any = false;
    let mut size = attempts.best().len().next_power_of_two();
    while size > 0 && attempts.goes_on() {
        for start in (0..attempts.best().len()).step_by(size) {
            let mut packet = attempts.best().to_vec();
            let end = packet.len().min(start + size);
            let Some(range) = packet.get_mut(start..end) else { break };
            if range.iter().all(|&byte| byte == 0) {
                continue;
            }
            range.fill(0);
            any |= attempts.is_better(packet);
        }
        size /= 2;
    }
    any
}

/// Lowers each byte that is not zero as far as it goes.
fn lower(attempts: &mut Attempts<'_>) -> bool {
    let mut any = false;
    for at in 0..attempts.best().len() {
        // The lowest that is refused, and the lowest that is not, are brought together; as decoders
        // may well say yes, no, yes, the result need not be the lowest of all.
        let mut refused = 0;
        while let Some(&byte) = attempts.best().get(at)
            && byte > refused + 1
            && attempts.goes_on()
        {
            let lower = if refused == 0 { 1 } else { refused + (byte - refused) / 2 };
            let mut packet = attempts.best().to_vec();
            if let Some(byte) = packet.get_mut(at) {
                *byte = lower;
            }
            if attempts.is_better(packet) {
                any = true;
            } else {
                refused = lower;
            }
        }
    }
    any
}
