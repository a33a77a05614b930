#![no_main]

formwork_fuzz::target!(formwork_bodies::TEXT_JSON);
