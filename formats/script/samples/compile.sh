#!/bin/sh
# Compiles sample.gd with the engines on the path: Godot 3 (godot3-server) and Godot 4 (godot). Writes packs
# with the scripts into the folder that is the argument; a script in a pack stands there as it is.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1
mkdir -p "$out/3" "$out/4"

cp "$here/sample.gd" "$out/3"
printf 'config_version=4\n[application]\nconfig/name="samples"\n' > "$out/3/project.godot"
cat > "$out/3/export_presets.cfg" <<'PRESET'
[preset.0]
name="x"
platform="Linux/X11"
runnable=true
export_filter="all_resources"
script_export_mode=1
[preset.0.options]
binary_format/64_bits=true
PRESET
godot3-server --path "$out/3" --export-pack x compiled.pck

# What Godot 4 calls otherwise.
sed 's/extends Reference/extends RefCounted/; s/@"\/root/^"\/root/; s/var size/var größe/' \
    "$here/sample.gd" > "$out/4/sample.gd"
printf 'config_version=5\n[application]\nconfig/name="samples"\n' > "$out/4/project.godot"
# 1: as they are, 2: packed.
for mode in 1 2; do
    cat > "$out/4/export_presets.cfg" <<PRESET
[preset.0]
name="x"
platform="Linux"
runnable=true
export_filter="all_resources"
script_export_mode=$mode
[preset.0.options]
binary_format/architecture="x86_64"
PRESET
    godot --headless --path "$out/4" --export-pack x "compiled$mode.pck"
done
