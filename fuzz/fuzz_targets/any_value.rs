#![no_main]

formwork_fuzz::target!(formwork::fuzzing::any_value);
