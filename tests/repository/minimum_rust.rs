//! Checks that the minimum Rust is stated once in the manifest, once in the README, and is enough for every package of
//! the lock file. (clippy's `incompatible_msrv`, which reads the manifest, checks the code of this repository: the
//! older toolchain itself is not installed everywhere.)

use std::process::Command;

use serde_json::Value;

fn number(version: &str) -> (u32, u32) {
    let mut parts = version.split('.').map(|part| part.parse().expect("a version of Rust"));
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0))
}

#[test]
fn the_stated_minimum_is_enough_for_every_package() {
    let minimum = env!("CARGO_PKG_RUST_VERSION");
    let readme = include_str!("../../README.md");
    assert!(readme.contains(&format!("Rust {minimum}")), "README.md states another minimum");
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--all-features", "--locked"])
        .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml")])
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("metadata is JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    assert!(packages.len() > 10);
    let newer: Vec<String> = packages
        .iter()
        .filter_map(|package| {
            let wanted = package["rust_version"].as_str()?;
            (number(wanted) > number(minimum))
                .then(|| format!("{} wants Rust {wanted}", package["name"]))
        })
        .collect();
    assert!(newer.is_empty(), "{newer:?}");
}
