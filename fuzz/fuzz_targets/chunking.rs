#![no_main]

formwork_fuzz::target!(formwork::fuzzing::chunking);
