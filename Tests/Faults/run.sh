#!/usr/bin/env bash
# Shows that the tests have teeth: plants known faults, one at a time, and demands that the test
# that is named for each of them fails.
#
# A fault is NAME.patch here and its row of faults.tsv: the name, what runs the test that has to
# catch it (swift, pytest or races), that test (of pytest, below Tests/Conformance), and "hang" where
# it catches the fault by never ending. A fault that several tests have to catch has a row for each.
# The rows of a kind are together: a change of kind builds much.
set -euo pipefail

usage() {
    cat <<'EOF'
usage: Tests/Faults/run.sh [NAME...]

Plants each fault of Tests/Faults, or the named ones, in a copy of the sources under .build/faults,
and runs the test that has to catch it. Ends with 1 if one is not caught.

The copy has what git tracks, with your changes; it is built once, then only what a fault changes.
FAULTS_LIMIT is how many seconds a test may take, 120 unless set. Logs: .build/faults/.build/logs
EOF
}

if [ "${1:-}" = --help ]; then
    usage
    exit
fi

cd "$(dirname "$0")/../.."
root=$PWD
here=$root/Tests/Faults
tree=$root/.build/faults
logs=$tree/.build/logs
limit=${FAULTS_LIMIT:-120}

die() {
    echo "run.sh: $1" >&2
    if [ $# -gt 1 ]; then tail -n 20 "$2" >&2; fi
    exit 2
}

# By row: all of them, and those that are run.
name_of=() runner=() test_of=() hangs=() rows=()
while IFS=$'\t' read -r name kind test hang; do
    name_of+=("$name") runner+=("$kind") test_of+=("$test") hangs+=("$hang")
    [ -e "$here/$name.patch" ] || die "faults.tsv: there is no $name.patch"
done <"$here/faults.tsv"
is_fault() { # NAME
    grep -Fxq -e "$1" < <(printf '%s\n' "${name_of[@]}")
}
for patch in "$here"/*.patch; do
    is_fault "$(basename "$patch" .patch)" || die "${patch##*/} has no row in faults.tsv"
done

for name in "$@"; do
    is_fault "$name" || die "there is no fault $name: it is one of ${name_of[*]}"
done
for row in "${!name_of[@]}"; do
    if [ $# -eq 0 ] || grep -Fxq -e "${name_of[row]}" < <(printf '%s\n' "$@"); then
        rows+=("$row")
    fi
done

# Makes the copy what the sources are now. Unchanged files keep their times, for the build.
copy_sources() {
    local commit
    commit=$(git -c user.name=faults -c user.email=faults@localhost stash create)
    [ -e "$tree/.git" ] || git worktree add --quiet --force --detach "$tree"
    git -C "$tree" checkout --quiet --force --detach "${commit:-$(git rev-parse HEAD)}"
    if [ -e Package.resolved ]; then cp -u Package.resolved "$tree"; fi
    mkdir -p "$logs"
}

build() { # swift|pytest|races LOG
    local what=(--build-tests)
    if [ "$1" = pytest ]; then what=(--product belfry); fi
    if [ "$1" = races ]; then
        what=(--sanitize=thread --scratch-path .build/thread --product Races)
    fi
    (cd "$tree" && swift build --explicit-target-dependency-import-check error "${what[@]}") \
        >"$2" 2>&1 </dev/null
}

# Runs tests with a limit of seconds: 0 where all passed, 124 or 137 where they did not end.
run_tests() { # swift|pytest|races LOG SECONDS TEST...
    local kind=$1 log=$2 seconds=$3 arguments=()
    shift 3
    if [ "$kind" = swift ]; then
        # Without SwiftPM, which would plan the build anew with the tools of every plugin.
        arguments=(.build/debug/belfryPackageTests.xctest --testing-library swift-testing
            --no-parallel)
        for test in "$@"; do arguments+=(--filter "^${test//./[.]}[(]"); done
    elif [ "$kind" = races ]; then
        arguments=(env TSAN_OPTIONS=halt_on_error=1 .build/thread/debug/Races)
    else
        arguments=("$root/.build/python/bin/python" -m pytest -rfs -p no:cacheprovider
            --server .build/debug/belfry "${@/#/Tests/Conformance/}")
    fi
    (cd "$tree" && timeout --signal=INT --kill-after=20 "$seconds" "${arguments[@]}") \
        >"$log" 2>&1 </dev/null
}

# A test that fails, is skipped or is not there without any fault catches nothing.
require_sound_tests() {
    local kind name log tests count
    for kind in swift pytest races; do
        log=$logs/sound-$kind.log
        mapfile -t tests < <(for row in "${rows[@]}"; do
            [ "${runner[row]}" != "$kind" ] || echo "${test_of[row]}"
        done | sort -u)
        [ ${#tests[@]} -gt 0 ] || continue
        build "$kind" "$log" || die "the sources do not build" "$log"
        run_tests "$kind" "$log" $((limit * 5)) "${tests[@]}" ||
            die "a test fails without a fault" "$log"
        if [ "$kind" = swift ]; then
            count=${#tests[@]}
            grep -Eq "Test run with $count tests? in .* passed" "$log" ||
                die "not all of $count tests were run" "$log"
        elif [ "$kind" = pytest ] && grep -q '^SKIPPED' "$log"; then
            die "a test was skipped" "$log"
        fi
        echo "without a fault: ${#tests[@]} tests ($kind) pass"
    done
}

# Plants a fault and runs its test; false where that passes.
is_caught() { # ROW
    local name=${name_of[$1]} kind=${runner[$1]} test=${test_of[$1]} status=0 log began
    log=$logs/$name-$1.log
    git -C "$tree" checkout --quiet --force HEAD -- . || die "the copy cannot be restored"
    git -C "$tree" apply "$here/$name.patch" || die "$name.patch does not apply any more"
    build "$kind" "$log" || die "$name: the sources do not build" "$log"
    began=$SECONDS
    run_tests "$kind" "$log" "$limit" "$test" || status=$?
    case $status in
    0)
        echo "$name: NOT CAUGHT by $test"
        return 1
        ;;
    124 | 137) [ "${hangs[$1]}" = hang ] || die "$name: $test does not end within $limit s" "$log" ;;
    *)
        # What goes wrong before the test is reported as an error, not as a failure.
        [ "$kind" != pytest ] || grep -q '^FAILED' "$log" || die "$name: $test was not run" "$log"
        [ "$kind" != races ] || grep -q '^SUMMARY: ThreadSanitizer' "$log" ||
            die "$name: $test ended without a race" "$log"
        ;;
    esac
    echo "$name: caught by $test in $((SECONDS - began)) s"
}

copy_sources
require_sound_tests
caught=0
for row in "${rows[@]}"; do
    if is_caught "$row"; then caught=$((caught + 1)); fi
done
git -C "$tree" checkout --quiet --force HEAD -- .
echo "$caught of ${#rows[@]} faults caught"
[ "$caught" -eq "${#rows[@]}" ]
