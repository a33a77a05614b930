//! Packets that show a fault: their sizes after shrinking, and the reports about them.

mod planted;
mod promise;
mod quality;
mod report;
