#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What runs in the program of somebody else keeps the law of tracing/recorder, as its compiled code and its headers say.

  recorder_test.py [CASE]     HOLOS_BUILD: the build folder; HOLOS_CLANG: a clang that tells what headers declare; HOLOS_SANITIZE:
                              not empty where it was built with sanitizers
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("HOLOS_BUILD", ROOT / "build/dev"))
CLANG = re.sub(".*NOTFOUND", "", os.environ.get("HOLOS_CLANG", ""))
ROOMS = ("tracing/recorder/", "tracing/recordings/format/", "tracing/code/loaded/")
# Libraries that programs link, or that stand in for another one: they answer with errors of their own.
APART = ("tracing/recorder/user/information.cpp", "tracing/recorder/user/own_counters.cpp",
         "tracing/recorder/annotations/scorep_user.cpp")

THROWN = re.compile(r"__cxa_(throw|allocate_exception|init_primary_exception)$")
PRINTS = re.compile(r"(v?f?printf|puts|putc|putchar|fputs|fputc|fwrite|perror|v?dprintf|psignal|stdout|stderr)(_unlocked)?$"
                    r"|__v?f?printf_chk$|_ZSt(4cout|4cerr|4clog)|_ZNSo")
OTF2 = re.compile(r"OTF2_")
# `free` and `realloc` are what `tracing/recorder/memory/redirection.cpp` calls for memory that is not the recorder's.
ALLOCATES = re.compile(r"(malloc|calloc|aligned_alloc|posix_memalign|memalign|p?valloc|strn?dup|w?asprintf)$|_Zn[wa]|_Zd[la]")
FREES = {"free", "realloc"}

# Functions of headers that are not `noexcept`, each with its reason.
MEMORY = "makes a text or a list, for which the recorder's heap may have no memory left"
PASSES = "calls a function of the program's: its exceptions, and the end of a thread that is cancelled in it, pass through"
MAY_THROW = {
    "tracing::allocations::Blocks": MEMORY,
    "tracing::annotations::call": PASSES,
    "tracing::core::DefinitionEntry": MEMORY,
    "tracing::core::encode": MEMORY,
    "tracing::core::isFilteredOut": MEMORY,
    "tracing::core::machineName": MEMORY,
    "tracing::interpose::ownFolder": MEMORY,
    "tracing::mpi::FortranText": MEMORY,
    "tracing::mpi::childrenOf": MEMORY,
    "tracing::mpi::compareInTree": MEMORY,
    "tracing::mpi::neighboursIn": MEMORY,
    "tracing::mpi::worldRanksOf": MEMORY,
    "tracing::system::Sleeper::call": PASSES,
    "tracing::system::Sleeper::callAt": PASSES,
    "tracing::system::Sleeper::callCounting": PASSES,
    "tracing::system::Sleeper::callWaking": PASSES,
    "tracing::threads::call": PASSES,
}


def commands():
    """How each source of the rooms was compiled: (source, its object, the words of the command)."""
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        source = os.path.relpath(entry["file"], ROOT)
        made = source.replace(os.path.relpath(BUILD, ROOT) + "/", "")  # made by the build
        if "-o" in words and made.startswith(ROOMS) and made not in APART and not made.endswith("cmake_pch.hxx.cxx"):
            yield source, pathlib.Path(entry["directory"]) / words[words.index("-o") + 1], words


def undefined(file, *options):
    """The names that an object or library takes from others."""
    lines = subprocess.run(["nm", "-u", *options, file], check=True, capture_output=True, text=True).stdout.splitlines()
    return {line.split()[-1].split("@")[0] for line in lines if line.strip()}


def libraries():
    return sorted(file for file in (BUILD / "lib").glob("libholos-*.so")
                  if not re.search(r"counters|scorep-user|ranks", file.name))


class Declarations:
    """What clang says of the functions that headers of the rooms declare."""

    def __init__(self, dump, root):
        self.root, self.file, self.line = root, "", 0
        self.throwing = {}  # name with its namespaces, without `holos`: place
        decoder, at = json.JSONDecoder(), dump.find("{")
        while at != -1:
            tree, at = decoder.raw_decode(dump, at)
            self.visit(tree, "")
            at = dump.find("{", at)

    def move(self, place):
        """Places name their file and line only where these differ from those of the place before."""
        for part in (place or {}, (place or {}).get("spellingLoc") or {}, (place or {}).get("expansionLoc") or {}):
            self.file, self.line = part.get("file", self.file), part.get("line", self.line)

    def visit(self, node, scope, inside=False):
        self.move(node.get("loc"))
        file, line = os.path.relpath(self.file or self.root, self.root), self.line
        for end in ("begin", "end"):
            self.move(node.get("range", {}).get(end))
        kind, name = node.get("kind"), node.get("name", "")
        if kind in ("FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXConversionDecl"):
            made = node.get("isImplicit") or node.get("explicitlyDeleted") or node.get("explicitlyDefaulted")
            if not inside and not made and "noexcept" not in node["type"]["qualType"] and file.startswith(ROOMS):
                self.throwing.setdefault(scope + name, f"{file}:{line}")
        inside = inside or kind == "CompoundStmt"  # functions of lambdas and of local classes are nobody else's
        scope += name + "::" if kind in ("NamespaceDecl", "CXXRecordDecl", "ClassTemplateSpecializationDecl") else ""
        for child in node.get("inner", ()):
            self.visit(child, scope, inside)


def declared(headers, words, root=ROOT):
    """Of the headers, as a source that was compiled by these words would read them."""
    kept = [word for word in words[1:] if re.match(r"-(D|I|std=)", word)]
    for at, word in enumerate(words):
        kept += words[at:at + 2] if word == "-isystem" else []
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "headers.cpp"
        source.write_text("".join(f'#include "{header}"\n' for header in headers))
        return Declarations(subprocess.run(
            [CLANG, *kept, f"-I{root}", "-x", "c++", "-fsyntax-only", "-w", "-Xclang", "-ast-dump=json", "-Xclang",
             "-ast-dump-filter=holos::", source], check=True, stdout=subprocess.PIPE, text=True).stdout, root).throwing


class Recorder(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        if not (BUILD / "lib/libholos-tracing.so").exists():
            self.skipTest(f"the recorder is not built in {BUILD}")

    def test_compiledSources_throwAndPrintNothing_andKnowNoOtf2(self):
        found, objects = [], 0
        for source, file, _ in commands():
            objects += 1
            found += [f"{source}: {name}" for name in sorted(undefined(file))
                      if THROWN.match(name) or PRINTS.match(name) or OTF2.match(name)]
        self.assertGreater(objects, 80)
        self.assertEqual(found, [])

    def test_librariesInTheProgram_takeNoMemoryFromItsHeap(self):
        if os.environ.get("HOLOS_SANITIZE"):
            self.skipTest("sanitizers look after the C library's heap")
        found = [f"{file.name}: {name}" for file in libraries() for name in sorted(undefined(file, "-D"))
                 if OTF2.match(name) or ALLOCATES.match(name)]
        self.assertEqual(found, [])
        callers = {pathlib.Path(source).name for source, file, _ in commands()
                   if undefined(file) & {"__real_" + name for name in FREES}}
        self.assertEqual(callers, {"redirection.cpp"})

    @unittest.skipUnless(CLANG, "no clang")
    def test_functionsOfHeaders_areNoexcept(self):
        def headers(*folders):
            found = [path.relative_to(ROOT).as_posix() for folder in folders for path in (ROOT / folder).rglob("*.h")]
            return sorted(header for header in found if "/include/" not in header and "/user/" not in header)

        words = {os.path.basename(source): words for source, _, words in commands()}
        throwing = {}
        rest = [header for header in headers(*ROOMS) if not header.startswith("tracing/recorder/mpi/")]
        throwing |= declared(rest, words["thread.cpp"])
        if "world.cpp" in words:  # there is an MPI
            throwing |= declared(headers("tracing/recorder/mpi/state", "tracing/recorder/mpi/actions"), words["world.cpp"])
        allowed = tuple(MAY_THROW)
        def known(name):
            name = name.removeprefix("holos::")
            return any(name == one or name.startswith(one + "::") for one in allowed)
        self.assertEqual([f"{place}: {name}" for name, place in sorted(throwing.items()) if not known(name)], [])
        unused = [one for one in allowed if not any(
            name.removeprefix("holos::") == one or name.removeprefix("holos::").startswith(one + "::") for name in throwing)]
        self.assertEqual(unused, [], "no longer needed")

    @unittest.skipUnless(CLANG, "no clang")
    def test_functionThatMayThrow_isFound(self):
        with tempfile.TemporaryDirectory() as folder:
            header = pathlib.Path(folder) / ROOMS[0] / "one.h"
            header.parent.mkdir(parents=True)
            header.write_text("namespace holos { struct One { void a() noexcept; int b(); One(int); ~One(); }; }\n")
            found = declared([ROOMS[0] + "one.h"], ["c++", "-std=c++20"], pathlib.Path(folder))
        self.assertEqual(sorted(found), ["One::One", "One::b"])


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    unittest.main()
