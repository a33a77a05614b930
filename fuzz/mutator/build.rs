//! Compiles the C that stable Rust has no words for.

fn main() {
    cc::Build::new().file("src/fuzzer.c").warnings_into_errors(true).compile("formwork_fuzzer");
    println!("cargo::rerun-if-changed=src/fuzzer.c");
}
