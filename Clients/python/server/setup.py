"""The wheel is of one platform, and of every Python 3."""

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.dist import Distribution


class WithProgram(Distribution):
    """It has a program, for which setuptools knows no word but this."""

    def has_ext_modules(self) -> bool:
        return True


class OfEveryPython(bdist_wheel):
    """What runs the program is plain Python."""

    def get_tag(self) -> "tuple[str, str, str]":
        return "py3", "none", super().get_tag()[2]


setup(distclass=WithProgram, cmdclass={"bdist_wheel": OfEveryPython})
