//! The bytes before and after each change.

/// A change of the bytes of a file: one range that became another.
#[derive(Debug)]
pub(crate) struct Step {
    start: usize,
    before: Vec<u8>,
    after: Vec<u8>,
}

impl Step {
    /// Returns the change between two files; what is equal at their starts and ends is not kept.
    pub(crate) fn between(before: &[u8], after: &[u8]) -> Self {
        let start = before.iter().zip(after).take_while(|(one, other)| one == other).count();
        let (old, new) = (&before[start..], &after[start..]);
        let ends = old.iter().rev().zip(new.iter().rev());
        let end = ends.take_while(|(one, other)| one == other).count();
        let middle = |bytes: &[u8]| bytes[..bytes.len() - end].to_vec();
        Self { start, before: middle(old), after: middle(new) }
    }

    /// Returns the file before the change, of the one after it.
    pub(crate) fn undone(&self, now: &[u8]) -> Vec<u8> {
        replaced(now, self.start, self.after.len(), &self.before)
    }

    /// Returns the file after the change, of the one before it.
    pub(crate) fn redone(&self, now: &[u8]) -> Vec<u8> {
        replaced(now, self.start, self.before.len(), &self.after)
    }
}

fn replaced(bytes: &[u8], start: usize, length: usize, new: &[u8]) -> Vec<u8> {
    let end = bytes.get(start + length..).unwrap_or_default();
    [bytes.get(..start).unwrap_or(bytes), new, end].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_leads_there_and_back_and_keeps_the_middle_only() {
        for (before, after) in
            [("", ""), ("", "a"), ("aaa", "aa"), ("abcde", "abXYde"), ("ab", "ba")]
        {
            let step = Step::between(before.as_bytes(), after.as_bytes());
            assert_eq!(step.redone(before.as_bytes()), after.as_bytes());
            assert_eq!(step.undone(after.as_bytes()), before.as_bytes());
        }
        assert_eq!(Step::between(b"abcde", b"abXYde").after, b"XY");
    }
}
