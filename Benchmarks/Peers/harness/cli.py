"""The command line: what to measure, and where the results go."""

import argparse
import json
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from harness import build, machine, plots
from harness.figures import Figures
from harness.peers.beanstalkd import Beanstalkd
from harness.peers.belfry import Belfry
from harness.peers.echo import echoes
from harness.peers.lmdb import DOES as LMDB_DOES
from harness.peers.nats import Nats
from harness.peers.peer import Place
from harness.peers.postgresql import PostgreSQL
from harness.peers.redis import Redis
from harness.peers.ways import WAYS, ByWay
from harness.process import Failed, Missing
from harness.report import Report, Subject
from harness.rows import rows
from harness.stages import calls, delays, events, scale, starts, stores, ways
from harness.stages.stage import Run

PEERS = Path(__file__).resolve().parent.parent
ROOT = PEERS.parent.parent
BUILD = ROOT / ".build/peers"

ROWS = {
    "echo": "unary echo through shim and router, raw C++, grpc-swift-2",
    "add-1": "Add with 1 call in flight, beside echo + one synced commit",
    "add-64": "Add with 64 calls in flight",
    "batch": "AddBatch of 256, 4 calls in flight",
    "fire": "firing 256 due at a time, with add-64",
    "ways-1": "Add over TCP with a token, with TLS and as Connect JSON, 1 call in flight",
    "ways-64": "the same with 64 calls in flight",
    "balance": "adds that are due in 1 to 3 seconds, and their firings; 1 and 1,000 centers",
    "due": "due instant to event at a subscriber, 1,000 a second",
    "latency": "latency of Add at fixed rates",
    "events": "firing with 1 and with 100 subscribers that are told",
    "scale": "rates with 10 k pending, --pending and --largest",
    "memory": "anonymous memory, empty and filled",
    "start": "time from exec to serving, empty and filled",
    "ready": "time from exec to serving beside Redis, the first time and later",
}
TEMPORARY = ("tmpfs", "ramfs")


def parser() -> argparse.ArgumentParser:
    described = "\n".join(f"  {name:8}  {text}" for name, text in ROWS.items())
    parser = argparse.ArgumentParser(
        prog="Benchmarks/Peers/run", description=__doc__, epilog=f"rows:\n{described}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--only", nargs="+", choices=ROWS, metavar="ROW", default=list(ROWS),
        help="measure these rows alone")
    add("--duration", type=float, default=120, metavar="SECONDS",
        help="how long a row is sustained for each peer, all rounds together (default: 120)")
    add("--rounds", type=int, default=3, help="interleaved rounds (default: 3)")
    add("--pending", type=int, default=1_000_000, help="pending requests (default: 1,000,000)")
    add("--largest", type=int, default=0, metavar="PENDING",
        help="also measure Belfry with so many, such as 10000000: it takes half an hour more")
    add("--quick", action="store_true", help="a trial: 4 s a row in 2 rounds; no results")
    add("--transport", choices=("unix", "tcp"), default="unix",
        help="unix sockets, or TCP on 127.0.0.1 (NATS has only that)")
    add("--directory", type=Path, metavar="DIR",
        help="where the stores are: a directory on the disk that is meant (default: TMPDIR)")
    add("--belfry", type=Path, default=ROOT / ".build/release/belfry", metavar="PROGRAM",
        help="the server (default: .build/release/belfry)")
    add("--out", type=Path, metavar="DIR",
        help="where the results go (default: .build/peers/out; a run of all rows that is no trial "
             "also writes Benchmarks/RESULTS.md with its plots)")
    return parser


def main() -> int:
    options = parser().parse_args()
    if options.quick:
        options.duration, options.rounds = 4.0, 2
    # A stop from outside ends what was started, as Ctrl-C does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    out = options.out or BUILD / "out"
    out.mkdir(parents=True, exist_ok=True)
    directory = Path(tempfile.mkdtemp(prefix="belfry-peers-", dir=options.directory))
    # PostgreSQL runs as another user, and has to pass.
    directory.chmod(0o755)
    try:
        return _measure(options, directory, out)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _measure(options: argparse.Namespace, directory: Path, out: Path) -> int:
    if machine.file_system(directory) in TEMPORARY:
        print("The stores would be in memory: name a --directory on a disk.", file=sys.stderr)
        return 64
    facts = machine.facts(ROOT, directory)
    build.programs(PEERS.parent, BUILD / "programs")
    place = Place(directory, BUILD, PEERS, options.belfry.resolve(), options.transport)
    run = Run(place, options.duration, options.pending, options.rounds, options.largest,
              frozenset(options.only))
    for stage in (calls, stores, ways, delays, events, scale, starts):
        stage.measure(run)
    _write(run, options, facts, out)
    for failure in run.failures:
        print(f"not measured: {failure}", file=sys.stderr)
    return 1 if run.failures else 0


def _subjects(place: Place) -> list[Subject]:
    subjects = []
    for peer in (Belfry(place), Redis(place), PostgreSQL(place), Beanstalkd(place), Nats(place)):
        try:
            version = peer.version()
        except (Missing, Failed) as reason:
            version = str(reason)
        subjects.append(Subject(peer.name, version, peer.settings, peer.does))
    for way in (ByWay(place, way) for way in WAYS):
        subjects.append(Subject(way.name, "-", way.settings, way.does))
    for echo in echoes(place, ROOT):
        subjects.append(Subject(echo.name, "-", "one connection", echo.does))
    subjects += [Subject(name, "-", "each batch is synced", does)
                 for name, does in LMDB_DOES.items()]
    return subjects


def _command(options: argparse.Namespace) -> str:
    """The command that repeats the run, without paths of this machine."""
    words = ["--quick"] if options.quick else [f"--duration {options.duration:g}",
                                               f"--rounds {options.rounds}"]
    words += [f"--pending {options.pending}", f"--transport {options.transport}"]
    if options.largest:
        words.append(f"--largest {options.largest}")
    if set(options.only) != set(ROWS):
        words.append(f"--only {' '.join(options.only)}")
    return f'make bench-peers ARGUMENTS="{" ".join(words)}"'


def _write(run: Run, options: argparse.Namespace, facts: dict[str, str], out: Path) -> None:
    """Writes RESULTS.md, the plots and all figures as JSON."""
    drawn = {
        "rate-by-pending.svg": ("Rate against pending requests",
                                plots.rate_by_pending(run.figures, run.pending, run.largest)),
        "latency-by-rate.svg": ("Latency against rate", plots.latency_by_rate(run.figures)),
    }
    links = []
    for name, (title, text) in drawn.items():
        if text:
            (out / name).write_text(text)
            links.append((title, name))
    terms = (
        f"Each row: {run.duration:g} s for each peer in {run.rounds} rounds, "
        f"{run.pending:,} pending, {'unix sockets' if run.place.transport == 'unix' else 'TCP'} "
        "(NATS: TCP).\nAfter each quarter of as many adds, all that was added fires, so that the "
        "pending requests and the\nstore stay as many and as large as they were; beanstalkd and "
        "NATS only add, and grow."
    )
    report = Report(run.figures, rows(run.pending, run.largest), _subjects(run.place), facts,
                    terms, _command(options), links, options.quick)
    (out / "RESULTS.md").write_text(report.markdown())
    (out / "results.json").write_text(json.dumps(_json(run.figures, facts), indent=1))
    run.say(f"Wrote {out / 'RESULTS.md'}")
    if options.out is None and not options.quick and set(options.only) == set(ROWS):
        for name in ("RESULTS.md", *(name for _, name in links)):
            shutil.copy(out / name, PEERS.parent / name)
        run.say("Wrote Benchmarks/RESULTS.md")


def _json(figures: Figures, facts: dict[str, str]) -> dict[str, object]:
    return {
        "facts": facts,
        "figures": [{"subject": key.subject, "measure": key.measure, "rounds": rounds}
                    for key, rounds in figures.values.items()],
        "missing": [{"subject": key.subject, "measure": key.measure, "reason": reason}
                    for key, reason in figures.missing.items()],
        "notes": figures.notes,
    }
