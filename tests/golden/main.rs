//! What the real engines wrote, and how they reacted to what they read.

mod cases;
mod verdicts;
