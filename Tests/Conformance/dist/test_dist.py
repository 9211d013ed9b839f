"""What `make dist` makes runs in a bare Debian: the tarball where it was unpacked, the package
where dpkg installed it, and what the steps of the image make, which are carried out here."""

import json
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dist.serving import serving
from harness.bare_root import ROOT, BareRoot, bare_debian, distributed
from harness.eventually import eventually

pytestmark = pytest.mark.full

PERSON = 1_000
STRANGER = 1_001

UNITS = ["belfry.service", "belfry.socket"]
COMPLETIONS = [
    "bash-completion/completions/belfry",
    "fish/vendor_completions.d/belfry.fish",
    "zsh/vendor-completions/_belfry",
]

# Exit statuses of `belfry`.
NOT_PERMITTED = 77


@pytest.fixture
def root() -> Iterator[BareRoot]:
    """A bare Debian of the test's own."""
    root = BareRoot(bare_debian())
    yield root
    root.close()


def walk_through(root: BareRoot, belfry: str, user: int, env: dict[str, str]) -> None:
    """An app asks, the person allows, a request fires, the person answers, the app reads it."""

    def run(*words: str, status: int = 0) -> str:
        return root.run(belfry, *words, user=user, env=env, status=status)

    assert "serving" in run("status", "--wait")
    # Nobody has decided yet.
    run("authorize", "--alert", "--wait", "0s", status=75)
    run("device", "answer", "allow")
    assert "tea fires" in run("add", "Tea?", "--id", "tea", "--in", "1s")
    eventually(lambda: "tea" in run("delivered"))
    run("respond", "tea")
    assert run("responses", "--count", "1").split() == ["open", "tea"]


def has_texts(share: Path) -> None:
    """A page for each command, and completions that name them."""
    pages = {page.name for page in (share / "man/man1").iterdir()}
    assert {"belfry.1.gz", "belfry-serve.1.gz", "belfry-respond.1.gz"} <= pages
    for completion in COMPLETIONS:
        assert "responses" in (share / completion).read_text()
    assert (share / "belfry/protos/belfry/v1/server_service.proto").exists()
    assert (share / "belfry/python/src/belfry/__init__.py").exists()


def has_licences(libraries: Path, licences: Path) -> None:
    """A licence for every library, shipped beside the program or contained in it."""
    names = {file.name for file in licences.iterdir()}
    contained = {"libgrpc-dev", "libabsl-dev", "libre2-dev", "libc-ares-dev", "liblmdb-dev"}
    assert {"swift", "icu", "swift-nio", *contained} <= names
    # Both are of one package.
    assert {file.name.split(".")[0] for file in libraries.iterdir()} == {"libssl", "libcrypto"}
    assert "libssl3" in names


def is_relocatable(root: BareRoot, libraries: str, belfry: str) -> None:
    """Each of its libraries is needed, is found, and is not in a bare Debian."""
    loader = "/lib64/ld-linux-x86-64.so.2"
    found = dict(re.findall(r"(\S+) => (.+) \(", root.run(loader, "--list", belfry)))
    shipped = {file.name for file in (root.path / libraries.lstrip("/")).iterdir()}
    assert shipped
    for name in shipped:
        assert found[name].startswith(belfry.removesuffix("/bin/belfry")), name
    bare = {path.name for path in bare_debian().glob("usr/lib/x86_64-linux-gnu/*.so*")}
    assert not shipped & bare


def calls_the_program(program: Path) -> None:
    """gRPC calls the program's own functions in place of the C library's (SH-2, SH-3)."""
    read = subprocess.run(
        ["readelf", "--wide", "--dyn-syms", program], capture_output=True, text=True, check=True
    )
    taken = set(re.findall(r"UND (\w+)", read.stdout))
    assert "sendmsg" in taken
    assert not taken & {"getpeername", "recvmsg"}


def verify_units(units: list[Path], belfry: Path, directory: Path, scope: str) -> None:
    """systemd finds no fault with the units; the program that they start is that of the root."""
    directory.mkdir()
    for unit in units:
        text = unit.read_text()
        text = re.sub(r"(?<=^ExecStart=)\S+", str(belfry), text, flags=re.MULTILINE)
        (directory / unit.name).write_text(text)
    files = [str(directory / unit.name) for unit in units]
    done = subprocess.run(
        ["systemd-analyze", scope, "--man=no", "verify", *files],
        capture_output=True, text=True, timeout=60, check=False,
        env={"PATH": "/usr/bin:/bin", "HOME": str(directory), "XDG_RUNTIME_DIR": str(directory)},
    )
    # Of the machine's own units it tells faults as well.
    complaints = [line for line in done.stderr.splitlines() if "belfry" in line]
    assert not complaints and done.returncode == 0, done.stderr


def test_the_tarball_runs_where_it_is_unpacked(root: BareRoot, tmp_path: Path) -> None:
    archive = distributed("belfry-*-linux-*.tar.gz")
    place = root.path / "srv/an odd place"
    place.mkdir()
    with tarfile.open(archive) as tarball:
        tarball.extractall(place, filter="tar")
    (top,) = place.iterdir()
    belfry = f"/srv/an odd place/{top.name}/bin/belfry"
    assert root.run(belfry, "--version").strip() in top.name
    is_relocatable(root, f"/srv/an odd place/{top.name}/lib", belfry)
    calls_the_program(top / "bin/belfry")
    has_texts(top / "share")
    has_licences(top / "lib", top / "share/doc/belfry/licences")

    root.directory("/home/person", PERSON)
    env = {"HOME": "/home/person"}
    with serving(root, belfry, "serve", user=PERSON, env=env, log=tmp_path / "log"):
        walk_through(root, belfry, PERSON, env)

    # A path of systemd's has no spaces.
    program = tmp_path / "belfry"
    shutil.copy(top / "bin/belfry", program)
    for scope in ("system", "user"):
        units = [top / f"share/belfry/examples/systemd/{scope}" / name for name in UNITS]
        verify_units(units, program, tmp_path / scope, f"--{scope}")


def test_the_package_installs_and_leaves_the_store_until_a_purge(
    root: BareRoot, tmp_path: Path
) -> None:
    package = distributed("belfry_*.deb")
    shutil.copy(package, root.path / "tmp/belfry.deb")
    root.run("dpkg", "--install", "/tmp/belfry.deb")
    assert f"_{root.run('belfry', '--version').strip()}_" in package.name
    is_relocatable(root, "/usr/lib/belfry/lib", "/usr/lib/belfry/bin/belfry")
    calls_the_program(root.path / "usr/lib/belfry/bin/belfry")
    has_texts(root.path / "usr/share")
    has_licences(root.path / "usr/lib/belfry/lib", root.path / "usr/share/doc/belfry/licences")
    for scope, directory in (("system", "lib"), ("user", "usr/lib")):
        units = [root.path / directory / "systemd" / scope / name for name in UNITS]
        program = root.path / "usr/lib/belfry/bin/belfry"
        verify_units(units, program, tmp_path / scope, f"--{scope}")
    # Both were enabled, as a package of Debian does.
    for wanted in ("sockets.target.wants/belfry.socket", "multi-user.target.wants/belfry.service"):
        assert (root.path / "etc/systemd/system" / wanted).is_symlink()

    # The files that systemd makes for the unit, and the process that it starts.
    user = int(root.run("id", "--user", "belfry"))
    group = int(root.run("id", "--group", "belfry"))
    assert group == int(root.run("getent", "group", "belfry").split(":")[2])
    root.directory("/var/lib/belfry", user)
    root.directory("/run/belfry", user)
    (root.path / "run/belfry").chmod(0o755)
    unit = (root.path / "lib/systemd/system/belfry.service").read_text()
    (start,) = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    socket = "unix:/run/belfry/belfry.sock"
    words = [*start.split(), "--listen", socket, "--socket-mode", "0666"]
    env = {"BELFRY_SERVER": socket, "HOME": "/nonexistent"}
    with serving(root, *words, user=user, env=env, log=tmp_path / "log"):
        # Root, as its configuration says; nobody else but the server's own user.
        walk_through(root, "belfry", 0, env)
        root.run("belfry", "pending", user=STRANGER, env=env, status=NOT_PERMITTED)
    store = root.path / "var/lib/belfry/store"
    assert store.is_dir()

    root.run("dpkg", "--remove", "belfry")
    assert not (root.path / "usr/bin/belfry").exists()
    assert store.is_dir() and (root.path / "etc/belfry/belfry.json").exists()
    root.run("dpkg", "--install", "/tmp/belfry.deb")
    assert int(root.run("id", "--user", "belfry")) == user
    root.run("dpkg", "--purge", "belfry")
    assert not (root.path / "var/lib/belfry").exists()
    assert not (root.path / "etc/belfry").exists()
    assert not list((root.path / "etc/systemd/system").glob("*/belfry.*"))
    root.run("getent", "passwd", "belfry", status=2)


def test_the_steps_of_the_image_make_a_server_that_is_not_root(
    root: BareRoot, tmp_path: Path
) -> None:
    distributed("belfry-*-linux-*.tar.gz")
    text = re.sub(r"\\\n", " ", (ROOT / ".dist/Containerfile").read_text())
    env, user, entry, arguments, stop = {"PATH": "/usr/local/bin:/usr/bin:/bin"}, 0, [], [], ""
    for line in text.splitlines():
        step, _, rest = line.partition(" ")
        match step:
            case "ADD":
                pattern, directory = rest.split()
                with tarfile.open(distributed(pattern)) as tarball:
                    tarball.extractall(root.path / directory.strip("/"), filter="tar")
            case "RUN":
                root.run("sh", "-c", rest)
            case "ENV":
                env |= dict(word.split("=", 1) for word in rest.split())
            case "USER":
                user, _ = map(int, rest.split(":"))
            case "ENTRYPOINT":
                entry = json.loads(rest)
            case "CMD":
                arguments = json.loads(rest)
            case "STOPSIGNAL":
                stop = rest
            case _:
                assert step in ("", "#", "FROM", "VOLUME", "EXPOSE"), line
    assert user > 0 and stop == "SIGTERM"
    with serving(root, *entry, *arguments, user=user, env=env, log=tmp_path / "log"):
        walk_through(root, "belfry", user, env)
    assert (root.path / "var/lib/belfry/store").is_dir()
