#![no_main]

formwork_fuzz::target!(formwork::fuzzing::round_trip);
