"""What the conformance tests share. Importing it makes the stubs of `belfry.v1` importable."""

from harness import stubs

stubs.install()
