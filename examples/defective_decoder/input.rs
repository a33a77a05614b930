//! A packet, and the position of the reader in it.

use crate::defect::{Defect, defect};

/// The reason why a packet is refused.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The position of the reader.
    pub(crate) offset: usize,
    pub(crate) message: &'static str,
}

pub(crate) type Result<T> = std::result::Result<T, Fault>;

#[derive(Clone)]
pub(crate) struct Cursor<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(crate) fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    pub(crate) fn fault<T>(&self, message: &'static str) -> Result<T> {
        Err(Fault { offset: self.at, message })
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let Some(taken) = self.bytes.get(self.at..).and_then(|rest| rest.get(..count)) else {
            return self.fault("the input ends too soon");
        };
        self.at += count;
        Ok(taken)
    }

    /// Skips bytes that may be missing at the end.
    pub(crate) fn skip(&mut self, count: usize) {
        self.at = self.bytes.len().min(self.at + count);
    }

    /// Reads the bytes of a number.
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        if defect(Defect::ShortScalar) && self.left() < N {
            let mut bytes = [0; N];
            bytes[..self.left()].copy_from_slice(&self.bytes[self.at..]);
            self.at = self.bytes.len();
            return Ok(bytes);
        }
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
        Ok(bytes)
    }

    pub(crate) fn u8(&mut self) -> Result<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn u16(&mut self) -> Result<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn i32(&mut self) -> Result<i32> {
        self.array().map(i32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn f32(&mut self) -> Result<f32> {
        self.array().map(f32::from_le_bytes)
    }

    pub(crate) fn f64(&mut self) -> Result<f64> {
        self.array().map(f64::from_le_bytes)
    }
}
