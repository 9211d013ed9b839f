#!/usr/bin/env bash
# Measures a whole server: durable adds over a unix socket, with 1, 16 and 64 calls in flight.
#
#   Benchmarks/run-load.sh [options of Load, such as --fill 1000000 or --batch 256]
#
# The server and its data directory are made anew, under TMPDIR: name a directory on the disk that
# is meant. Client and server share the machine, so that both need CPU time of their own; the last
# two columns say how much each takes for a call.
set -euo pipefail
cd "$(dirname "$0")/.."

make build
swift build -c release --product Load --package-path Benchmarks

directory=$(mktemp -d)
socket=$directory/belfry.sock
server=
finish() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || true
        wait "$server" || true
    fi
    rm -rf "$directory"
}
trap finish EXIT

.build/release/belfry serve --data "$directory/data" --listen "unix:$socket" --prompts grant \
    2>"$directory/log" &
server=$!
until [ -S "$socket" ]; do
    kill -0 "$server" 2>/dev/null || {
        cat "$directory/log" >&2
        exit 1
    }
    sleep 0.05
done

echo
echo "commit   $(git describe --always --dirty)"
echo "cpu      $(nproc) x $(sed -n 's/^model name\s*: //p' /proc/cpuinfo | head -n 1)"
echo "memory   $(awk '/^MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo)"
echo "kernel   $(uname -r)"
echo "disk     $(df --output=source,fstype "$directory" | tail -n 1)"
echo "load     $(cut -d' ' -f1-3 /proc/loadavg) before"
echo
Benchmarks/.build/release/Load --server "unix:$socket" --server-pid "$server" "$@"
echo
echo "load     $(cut -d' ' -f1-3 /proc/loadavg) after"
echo "memory   $(sed -n 's/^RssAnon:\s*//p' "/proc/$server/status") anonymous, server"
echo "data     $(du -sh "$directory/data" | cut -f1)"
