#![no_main]

formwork_fuzz::target!(formwork_bodies::alb1::mutate, formwork_bodies::alb1::cross_over);
