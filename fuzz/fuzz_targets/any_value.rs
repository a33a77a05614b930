#![no_main]

formwork_fuzz::target!(formwork_bodies::any_value);
