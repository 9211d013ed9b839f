#!/usr/bin/env bash
# Holds an echo through shim and router against the same echo in raw C++, and prints medians and
# ratios. The servers take turns within each round, so that a slow minute slows both. "cpu us" is the
# server's own processor time for a call, which also tells where the client is the slower end.
#
# usage: run.sh [rounds] [seconds]
set -euo pipefail

rounds=${1:-7}
seconds=${2:-3}
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD_DIR:-$(mktemp -d /tmp/echo-bench.XXXXXX)}
cxx=${CXX:-c++}
libraries=(-lgrpc++ -lgrpc -lgpr -labsl_synchronization)

mkdir -p "$build"
for program in RawServer LoadClient; do
    "$cxx" -std=c++17 -O2 -o "$build/$program" "$here/$program.cc" "${libraries[@]}"
done
export BELFRY_BENCHMARKS=1
swift_build=(swift build --package-path "$here/../.." -c release --scratch-path "$build/swift")
"${swift_build[@]}" --product EchoServer >&2
swift_server=$("${swift_build[@]}" --show-bin-path)/EchoServer

server=
trap 'if [ -n "$server" ]; then kill "$server"; fi' EXIT

# measure NAME PROGRAM TARGET-OF-SERVER TARGET-OF-CLIENT IN-FLIGHT: one line in $build/results.
measure() {
    "$2" "$3" &
    server=$!
    result=$("$build/LoadClient" "$4" "$5" "$seconds")
    ticks=$(awk '{ print $14 + $15 }' "/proc/$server/stat")
    kill "$server"
    wait "$server" 2>/dev/null || true
    server=
    echo "$1 $result $ticks $(getconf CLK_TCK)" |
        awk '{ print $1, $2, $3, $4, $6 * 1000000 / $7 / $5 }' >>"$build/results"
}

# median NAME COLUMN: of what was measured.
median() {
    awk -v name="$1" -v column="$2" '$1 == name { print $column }' "$build/results" | sort -n |
        awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

echo "transport  in flight  server     calls/s   p50 us   p99 us   cpu us   ratio to raw"
port=50200
for transport in tcp unix; do
    for in_flight in 16 64; do
        : >"$build/results"
        for round in $(seq "$rounds"); do
            for name in raw shim; do
                program=$build/RawServer
                if [ "$name" = shim ]; then program=$swift_server; fi
                if [ "$transport" = tcp ]; then
                    port=$((port + 1))
                    measure "$name" "$program" "$port" "127.0.0.1:$port" "$in_flight"
                else
                    socket=unix:$build/$name.sock
                    measure "$name" "$program" "$socket" "$socket" "$in_flight"
                fi
            done
        done
        for name in raw shim; do
            rate=$(median "$name" 2)
            if [ "$name" = raw ]; then raw_rate=$rate; fi
            printf '%-9s  %9d  %-6s  %10d  %7.1f  %7.1f  %7.2f  %13.2f\n' "$transport" \
                "$in_flight" "$name" "$rate" "$(median "$name" 3)" "$(median "$name" 4)" \
                "$(median "$name" 5)" "$(awk -v r="$rate" -v b="$raw_rate" 'BEGIN { print r / b }')"
        done
    done
done
