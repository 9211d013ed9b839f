"""Loads the package's fixtures where it is not installed; else they load themselves."""

from importlib.metadata import PackageNotFoundError, version

try:
    version("belfry")
except PackageNotFoundError:
    pytest_plugins = ["belfry.pytest_plugin"]
