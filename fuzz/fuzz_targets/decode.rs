#![no_main]

formwork_fuzz::target!(formwork_bodies::mutate, formwork_bodies::cross_over);
