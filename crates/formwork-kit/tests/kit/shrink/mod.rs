//! What becomes of packets that show a fault: how small they get, and what is reported of them.

mod planted;
mod promise;
mod quality;
mod report;
