#!/usr/bin/env python3
"""Makes the manual pages from the help.

    belfry --experimental-dump-help | manual.py DIRECTORY VERSION

A page for the program and one for each of its commands, whose own commands are sections of it.
SOURCE_DATE_EPOCH is the date of the pages.
"""

import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

Command = dict[str, Any]
Argument = dict[str, Any]

# Of every command, and told on the page of the program alone.
COMMON = {"help", "version"}


def escaped(text: str) -> str:
    """Text that roff shows as it is."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").split("\n")
    return "\n".join(f"\\&{line}" if line.startswith(".") else line for line in lines)


def paragraphs(text: str) -> str:
    """The paragraphs of a discussion; in one that has indented lines, the lines stay lines."""
    written = []
    for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
        if re.search(r"^\s", paragraph, re.MULTILINE):
            written.append(f".PP\n.nf\n{escaped(paragraph)}\n.fi")
        else:
            written.append(f".PP\n{escaped(paragraph)}")
    return "\n".join(written)


def spelled(argument: Argument) -> str:
    """An argument as it is typed: --in DURATION."""
    value = f"\\fI{escaped(argument.get('valueName') or 'value')}\\fR"
    if argument["kind"] == "positional":
        return value
    names = [
        ("\\-" if name["kind"] != "long" else "\\-\\-") + escaped(name["name"])
        for name in argument["names"]
    ]
    text = ", ".join(f"\\fB{name}\\fR" for name in names)
    return text if argument["kind"] == "flag" else f"{text} {value}"


def described(argument: Argument) -> str:
    """An argument of the list of options."""
    text = [argument.get("abstract", "")]
    if values := argument.get("allValues"):
        text.append(f"One of {', '.join(values)}.")
    if (default := argument.get("defaultValue")) is not None:
        text.append(f"Default: {default}.")
    parts = [".TP", spelled(argument), escaped(" ".join(filter(None, text)))]
    if discussion := argument.get("discussion"):
        parts.append(f".IP\n{escaped(discussion)}")
    return "\n".join(parts)


def shown(command: Command) -> list[Argument]:
    return [one for one in command.get("arguments", []) if one["shouldDisplay"]]


def commands(command: Command) -> list[Command]:
    return [
        one for one in command.get("subcommands", [])
        if one["shouldDisplay"] and one["commandName"] != "help"
    ]


def synopsis(command: Command, name: str) -> str:
    words = [f"\\fB{escaped(name)}\\fR"]
    arguments = shown(command)
    if any(one["kind"] != "positional" for one in arguments):
        words.append("[\\fIoptions\\fR]")
    for one in arguments:
        if one["kind"] == "positional":
            text = spelled(one) + (" ..." if one["isRepeating"] else "")
            words.append(f"[{text}]" if one["isOptional"] else text)
    return " ".join(words)


def options(command: Command, with_common: bool) -> str:
    return "\n".join(
        described(one) for one in shown(command)
        if with_common or not COMMON & {name["name"] for name in one.get("names", [])}
    )


def nested(command: Command, name: str) -> str:
    """The commands of a command, each with its own options, at any depth."""
    parts = []
    for one in commands(command):
        called = f"{name} {one['commandName']}"
        parts += [f".SS {escaped(called)}", synopsis(one, called),
                  paragraphs(one.get("abstract", ""))]
        if discussion := one.get("discussion"):
            parts.append(paragraphs(discussion))
        parts += [options(one, False), nested(one, called)]
    return "\n".join(part for part in parts if part)


def page(command: Command, name: str, inner: str, see: list[str], version: str) -> str:
    """One page in man(7)."""
    title = name.replace(" ", "-")
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    date = time.strftime("%Y-%m-%d", time.gmtime(epoch))
    parts = [
        f'.TH {escaped(title.upper())} 1 {date} "belfry {version}"',
        ".ad l",
        f".SH NAME\n{escaped(title)} \\- {escaped(command['abstract'].rstrip('.'))}",
        f".SH SYNOPSIS\n{synopsis(command, name)}",
    ]
    if commands(command) and name != "belfry":
        parts += [f".br\n\\fB{escaped(name)}\\fR \\fIcommand\\fR"]
    if discussion := command.get("discussion"):
        parts += [".SH DESCRIPTION", paragraphs(discussion).removeprefix(".PP\n")]
    # What a command with commands of its own takes, they tell.
    if listed := options(command, name == "belfry"):
        parts += [".SH OPTIONS", listed]
    if inner:
        parts += [".SH COMMANDS", inner]
    links = ",\n".join(f".BR {escaped(one)} (1)" for one in see)
    parts += [".SH SEE ALSO", links]
    return "\n".join(parts) + "\n"


def main() -> None:
    directory, version = Path(sys.argv[1]), sys.argv[2]
    program: Command = json.load(sys.stdin)["command"]
    name = program["commandName"]
    listed = []
    for command in commands(program):
        called = f"{name} {command['commandName']}"
        title = called.replace(" ", "-")
        listed.append(f".TP\n.BR {escaped(title)} (1)\n{escaped(command['abstract'])}")
        text = page(command, called, nested(command, called), [name], version)
        (directory / f"{title}.1").write_text(text)
    see = [f"{name}-{one}" for one in ("serve", "status", "add")]
    text = page(program, name, "\n".join(listed), see, version)
    (directory / f"{name}.1").write_text(text)


main()
