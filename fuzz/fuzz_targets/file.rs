#![no_main]

formwork_fuzz::target!(formwork_bodies::FILE);
