#![no_main]

formwork_fuzz::target!(formwork::fuzzing::alb1::edit);
