#![no_main]

formwork_fuzz::target!();
