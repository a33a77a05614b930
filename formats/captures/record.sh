#!/usr/bin/env bash
# Records the captures of this folder again: peers.gd in Godot 3.2.3 (godot3-server), tcpdump on a
# loopback device of its own with an MTU of 1500, so that what is long comes in pieces. Needs root (for
# the device), tcpdump, and editcap (wireshark-common) for the one in pcapng.
#
#   ./record.sh [KIND...]
set -euo pipefail
cd "$(dirname "$0")"
if [[ ${1:-} != --inside ]]; then
    exec unshare --net "$0" --inside "$@"
fi
shift
kinds=("$@")
if ((${#kinds[@]} == 0)); then
    kinds=(datagrams stream stream_big_endian packet_stream enet enet_zlib enet_zstd enet_fastlz
        enet_range_coder rpc)
fi
ip link set lo up mtu 1500
project=$(mktemp -d)
trap 'rm -rf "$project"' EXIT
: >"$project/project.godot"
for kind in "${kinds[@]}"; do
    tcpdump -i lo -s 0 -U -w "$kind.pcap" 'udp or tcp' 2>/dev/null &
    recorder=$!
    sleep 1
    HOME=$project godot3-server --path "$project" -s "$PWD/peers.gd" "$kind" | grep -a 'ed: '
    sleep 1
    kill -INT "$recorder"
    wait "$recorder" || true
done
if [[ -e stream.pcap ]]; then
    editcap -F pcapng stream.pcap stream.pcapng
fi
