#!/bin/bash -eu
# Builds every fuzz target for ClusterFuzzLite and OSS-Fuzz, each with its seeds and the words of its format.
# (`cargo fuzz` has no --locked; the lock file is held to the manifests by .ci/run.)
cargo fuzz build -O
cargo run --quiet --locked -p formwork-bodies --bin seeds
for target in fuzz/fuzz_targets/*.rs; do
    name=$(basename "$target" .rs)
    words=variant
    [[ $name != alb1_* ]] || words=alb1
    cp "fuzz/target/x86_64-unknown-linux-gnu/release/$name" "$OUT/"
    cp "fuzz/$words.dict" "$OUT/$name.dict"
    [[ ! -f fuzz/corpora/$name.tar.gz ]] || tar -xzf "fuzz/corpora/$name.tar.gz" -C "fuzz/corpus/$name"
    zip -jqr "$OUT/${name}_seed_corpus.zip" "fuzz/corpus/$name"
done
