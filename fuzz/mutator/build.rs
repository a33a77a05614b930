//! Compiles the C code that stable Rust cannot express.

fn main() {
    cc::Build::new().file("src/fuzzer.c").warnings_into_errors(true).compile("formwork_fuzzer");
    println!("cargo::rerun-if-changed=src/fuzzer.c");
}
