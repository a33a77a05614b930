//! What the real engines wrote, and how they reacted to what they read.

mod judge;
mod typed_elements;
mod verdicts;
