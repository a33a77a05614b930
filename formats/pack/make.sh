#!/usr/bin/env bash
# Makes the packs of a release in samples/RELEASE again, by the engine itself: an export, packs of PCKPacker, and
# exports behind two executables of no use that godot3/pack.gd makes. Needs a Godot 3 with the editor's code
# (godot3-server) for these; the second one may be any engine.
#
#   ./make.sh 3.2.3 godot3-server godot3-server
#   ./make.sh 4.6.3 godot3-server godot --headless
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
release=$1 godot3=$2
shift 2
engine=("$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$here/godot3" "$here/godot4" "$work"
mkdir "$work/home" "$work/out"
export HOME=$work/home
sed -i "s,FOLDER,$work," "$work"/godot?/export_presets.cfg
cd "$work"
"$godot3" --path godot3 -s pack.gd "$work"
project=godot${release%%.*} export=--export
if [[ $release == 4.* ]]; then
    export=--export-release
    "${engine[@]}" --path godot4 -s pack.gd "$work"
    cp encrypted.pck out/
fi
cp packer.pck out/
# The first run imports the texture.
"${engine[@]}" --path $project --export-pack linux "$work/unused.pck"
"${engine[@]}" --path $project --export-pack linux "$work/out/export.pck"
"${engine[@]}" --path $project $export linux "$work/out/embedded.x86_64"
"${engine[@]}" --path $project $export windows "$work/out/embedded.exe"
mkdir -p "$here/samples/$release"
cp out/* "$here/samples/$release/"
chmod -x "$here/samples/$release/"*
