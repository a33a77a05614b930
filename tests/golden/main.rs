//! What the real engines wrote, and how they reacted to what they read.

mod cases;
mod judge;
mod typed_elements;
mod verdicts;
