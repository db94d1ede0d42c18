#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Generates the wrappers of MPI's functions from the table in functions/*.def.

  generate.py index OUT.h HEADER...        numbers of the functions, shared by both libraries, and a number of what they
                                           share: the table and these headers
  generate.py trampolines OUT.c            the symbols that the preloaded library exports (no MPI needed)
  generate.py wrappers HEADER OUT_DIR      one file per chapter for the adapter; HEADER is the preprocessed mpi.h
  generate.py check HEADER                 every function of mpi.h is in the table or in functions/excluded.txt
  generate.py outputs                      the files that `wrappers` writes, separated by semicolons
"""
import fnmatch
import pathlib
import re
import sys
import zlib

FUNCTIONS = pathlib.Path(__file__).resolve().parent / "functions"

# Parameter types that an action sees through a view, the same for C and for Fortran.
VIEWS = {"MPI_Status": "Statuses", "MPI_Request": "Requests", "MPI_Comm": "Comms", "MPI_Message": "Messages",
         "MPI_Win": "Wins", "MPI_File": "Files"}
HANDLES = {"MPI_Comm": "PMPI_Comm_f2c", "MPI_Datatype": "PMPI_Type_f2c", "MPI_Win": "PMPI_Win_f2c",
           "MPI_Group": "PMPI_Group_f2c", "MPI_File": "PMPI_File_f2c",
           "MPI_Request": "PMPI_Request_f2c"}


class Parameter:
    def __init__(self, text):
        match = re.fullmatch(r"(.*?[\s*])(\w+)\s*((?:\[\w*\])*)", text.strip())
        if not match:
            raise SystemExit(f"generate.py: cannot read the parameter '{text}'")
        self.declared = match[1].strip()
        self.name = match[2]
        self.array = match[3]
        self.base = re.sub(r"\bconst\b|\*|\s", "", self.declared)
        self.pointer = "*" in self.declared or bool(self.array)

    def c(self):
        return f"{self.declared} {self.name}{self.array}"

    def is_string(self):
        return self.base == "char"


class Function:
    def __init__(self, line, chapter, groups, place):
        fields = [field.strip() for field in line.split(" | ")]
        match = re.fullmatch(r"(MPIX?_\w+)\((.*)\)", fields[0])
        if not match or len(fields) < 2:
            raise SystemExit(f"{place}: expected 'NAME(parameters) | role [| action] [| poll ARGUMENT] [| of every group]', got '{line}'")
        self.name = match[1]
        self.chapter = chapter
        self.parameters = [] if match[2] == "void" else [Parameter(p) for p in match[2].split(",")]
        self.role = fields[1]
        self.action = next((f for f in fields[2:] if f.endswith(")")), None)
        # Of a call that looks whether something is there: the argument that is 0 when nothing is.
        self.found = next((f.removeprefix("poll ") for f in fields[2:] if f.startswith("poll ")), None)
        self.groups = "kEvery" if "of every group" in fields[2:] else groups
        self.c_only = chapter == "large_counts"

    def action_polls(self):
        """Whether no argument says if a call found nothing, but its action."""
        return self.found == "action"

    def action_name(self):
        return re.match(r"\w+", self.action)[0]

    def action_is(self, word):
        return word in ACTIONS.get(self.action_name(), ())

    def action_arguments(self):
        return self.action[len(self.action_name()) + 1:-1]

    def used(self, parameter):
        return re.search(rf"\b{parameter.name}\b", self.action) is not None

    def count_of(self, parameter):
        """Number of elements of an array of requests or statuses."""
        if not parameter.array and not parameter.name.startswith("array_of_"):
            return "1"
        return next(p.name for p in self.parameters if p.name in ("count", "incount"))

    def fortran_parameters(self):
        """MPI_Init has other parameters in Fortran than in C."""
        return [p for p in self.parameters if p.name not in ("argc", "argv") or not self.name.startswith("MPI_Init")]

    def fortran_arity(self):
        parameters = self.fortran_parameters()
        return len(parameters) + 1, sum(p.is_string() for p in parameters)


def read_actions():
    """What functions/actions.txt says of actions, by their names."""
    lines = [l for l in (FUNCTIONS / "actions.txt").read_text().splitlines() if l and not l.startswith("#")]
    return {name: set(words.strip().split(", ")) for name, words in (l.split(maxsplit=1) for l in lines)}


ACTIONS = read_actions()


def read_table():
    functions = []
    for path in sorted(FUNCTIONS.glob("*.def")):
        groups = None
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.startswith("groups: "):
                groups = line.removeprefix("groups: ")
            elif line and not line.startswith("#"):
                functions.append(Function(line, path.stem, groups, f"{path}:{number}"))
    by_name = {f.name: f for f in functions}
    for f in functions:
        if f.role.startswith("as "):
            model = by_name[f.role[3:]]
            f.role, f.action, f.groups = model.role, model.action, model.groups
    return functions


def interface_hash(functions, headers):
    """An adapter may be made by another build than the preloaded library: both have to have read the same."""
    shared = ["\n".join(f.name for f in functions), *(pathlib.Path(h).read_text() for h in headers)]
    return zlib.crc32("\n".join(shared).encode())


PROLOGUE = "// SPDX-License-Identifier: BSD-3-Clause\n// Generated by tracing/recorder/mpi/generate.py: do not edit.\n"


def index(functions, headers):
    lines = [PROLOGUE, "#pragma once\n", "enum {"]
    lines += [f"    k{f.name} = {i}," for i, f in enumerate(functions)]
    lines += [f"    kHolosMpiFunctions = {len(functions)}", "};",
              f"#define HOLOS_MPI_INTERFACE_HASH 0x{interface_hash(functions, headers):08x}u", "",
              "#define HOLOS_MPI_NAMES \\"]
    lines += [f'    "{f.name}", \\' for f in functions]
    return "\n".join(lines) + "\n\n"


def trampoline(symbol, binding, number, arity):
    names = [f"a{i}" for i in range(arity)]
    declared = ", ".join(f"long {n}" for n in names) or "void"
    return f"HOLOS_TRAMPOLINE({symbol}, {binding}, {number}, ({declared}), ({', '.join(names)}))"


def trampolines(functions):
    lines = [PROLOGUE, '#include "tracing/recorder/mpi/preloaded/trampolines.h"', ""]
    for i, f in enumerate(functions):
        arguments, strings = f.fortran_arity()
        lower = f.name.lower()
        lines.append(trampoline(f.name, "C", i, len(f.parameters)))
        if f.c_only:
            continue
        lines.append(trampoline(f"{lower}_", "Mpif", i, arguments + strings))
        lines.append(trampoline(f"{lower}_f08_", "F08", i, arguments + strings))
    return "\n".join(lines) + "\n"


def acts(function):
    """The condition under which a call's action is taken."""
    return "isOutermost" if function.action_is("always") else "isRecorded"


def is_meeting_point(function):
    """Whether no process leaves a call before all have entered it."""
    return function.action_name() == "Exchange" and function.role in ("Barrier", "CollectiveAllToAll")


def after_call(function, result, leave):
    """Actions with nothing to record after the call need no time for it. Nor do polls that are added to others."""
    nothing = "action.foundNothing()" if function.action_polls() else f"*{function.found} == 0"
    found = [f"    if ({result} == MPI_SUCCESS && {nothing} && call.foundNothing()) {leave};"]
    return ((found if function.found else []) +
            ([] if function.action_is("no end") else ["    call.returned();"]))


def call_of(function):
    return f"    {'Call' if not function.found else 'PollingCall'} call(k{function.name});"


def before_action(function):
    return [] if function.action_is("partly") else ["    call.mayFail();"]


def after_action(function, result):
    return [] if function.action_is("partly") else [f"    call.finished({result});"]


def c_wrapper(f):
    arguments, before, viewed = [], [], set()
    for p in f.parameters:
        view = VIEWS.get(p.base)
        if view and p.pointer and f.used(p):
            before.append(f"    {view} {p.name}({p.name}_, {f.count_of(p)});")
            arguments.append(f"{p.name}.pointer()")
            viewed.add(p.name)
        elif p.name in ("index", "array_of_indices") and f.used(p):
            before.append(f"    const Indices {p.name}({p.name}_, 0);")
            arguments.append(f"{p.name}_")
            viewed.add(p.name)
        elif p.base in ("MPI_Datatype",) and p.pointer and f.used(p):
            before.append(f"    const Types {p.name}{{{p.name}_}};")
            arguments.append(f"{p.name}_")
            viewed.add(p.name)
        else:
            arguments.append(p.name)
    declared = ", ".join(p.c() if p.name not in viewed else f"{p.declared} {p.name}_{p.array}" for p in f.parameters)
    passed = ", ".join(f"{p.name}_" if p.name in viewed else p.name for p in f.parameters)
    meets = is_meeting_point(f)
    returned = (lambda result: f"point.returns({result})") if meets else (lambda result: result)
    return "\n".join([
        f"int c{f.name}({declared}) {{",
        *(["    MeetingPoint point(comm);"] if meets else []),
        call_of(f),
        f"    const auto original = originalC<&P{f.name}>(k{f.name});",
        f"    if (!call.{acts(f)}()) return {returned(f'original({passed})')};",
        *before,
        *before_action(f),
        f"    {f.action_name()} action{{{f.action_arguments()}}};",
        f"    const int result = original({', '.join(arguments)});",
        *after_call(f, "result", "return result"),
        "    action.finish(result);",
        *after_action(f, "result"),
        f"    return {returned('result')};",
        "}", ""])


def fortran_wrapper(f):
    parameters = f.fortran_parameters()
    declared, types, passed, arguments, before = [], [], [], [], []
    for p in parameters:
        raw = f"{p.name}_"
        integers = p.base not in ("void",)
        kind = "MPI_Fint*" if integers else "void*"
        declared.append(f"{kind} {raw}")
        types.append(kind)
        passed.append(raw)
        arguments.append(raw)
        if not f.used(p):
            continue
        if p.base in VIEWS and p.pointer:
            before.append(f"    Fortran{VIEWS[p.base]} {p.name}({raw}, {f.count_of(p)});")
            arguments[-1] = f"{p.name}.pointer()"
        elif p.name in ("index", "array_of_indices"):
            before.append(f"    const Indices {p.name}({raw}, 1);")
        elif p.base == "MPI_Datatype" and p.pointer:
            before.append(f"    const FortranTypes {p.name}{{{raw}}};")
        elif p.base in HANDLES:
            before.append(f"    const {p.base} {p.name} = {HANDLES[p.base]}(*{raw});")
        elif p.is_string():
            before.append(f"    const FortranText {p.name}({raw}, {p.name}Length);")
        elif p.base in ("MPI_Offset", "MPI_Count") and not p.pointer:
            before.append(f"    const {p.base} {p.name} = *reinterpret_cast<const {p.base}*>({raw});")
        elif p.pointer:
            before.append(f"    {p.declared}{'*' if p.array else ''} {p.name} = {raw};"
                          if p.base != "void" else f"    const void* {p.name} = {raw};")
        else:
            before.append(f"    const int {p.name} = *{raw};")
    lengths = [f"{p.name}Length" for p in parameters if p.is_string()]
    declared += ["MPI_Fint* ierror"] + [f"long {name}" for name in lengths]
    types += ["MPI_Fint*"] + ["long"] * len(lengths)
    behind = ", ".join(["ierror"] + lengths)
    # The number of elements has to be known before the views that need it.
    before.sort(key=lambda line: "const int" not in line)
    own_error = ["    MPI_Fint ownError = MPI_SUCCESS;", "    if (ierror == nullptr) ierror = &ownError;"]
    meets = is_meeting_point(f)
    as_it_is = f"original({', '.join(passed + [behind])});"
    unrecorded = ([f"    if (!call.{acts(f)}()) {{", f"        {as_it_is}", "        point.returns(*ierror);", "        return;",
                   "    }"] if meets else [f"    if (!call.{acts(f)}()) return {as_it_is}"])
    return "\n".join([
        "template <Binding kBinding>",
        f"void f{f.name}({', '.join(declared)}) {{",
        f"    const auto original = originalFortran<kBinding, {', '.join(types)}>(k{f.name});",
        *(own_error + ["    MeetingPoint point(PMPI_Comm_f2c(*comm_));"] if meets else []),
        call_of(f),
        *unrecorded,
        *([] if meets else own_error),
        *before,
        *before_action(f),
        f"    {f.action_name()} action{{{f.action_arguments()}}};",
        f"    original({', '.join(arguments + [behind])});",
        *after_call(f, "*ierror", "return"),
        "    action.finish(*ierror);",
        *after_action(f, "*ierror"),
        *(["    point.returns(*ierror);"] if meets else []),
        "}", ""])


def table_line(f):
    arguments, strings = f.fortran_arity()
    if f.action:
        c = f"function(&c{f.name})"
        fortran = [f"function(&f{f.name}<Binding::{b}>)" for b in ("Mpif", "F08")]
    else:
        c = f"function(&Plain<&P{f.name}, k{f.name}>::call)"
        pack = ", ".join(["void*"] * arguments + ["long"] * strings)
        fortran = [f"function(&plainFortran<Binding::{b}, k{f.name}, {pack}>)" for b in ("Mpif", "F08")]
    if f.c_only:
        fortran = ["nullptr", "nullptr"]
    extent = "Extent::Found" if f.found and not f.action_polls() else "Extent::More" if f.action else "Extent::Region"
    return f"    {{k{f.name}, Role::{f.role}, {f.groups}, {extent}, function(&P{f.name}), {{{c}, {', '.join(fortran)}}}}},"


def wrappers(functions, header, out):
    present = [f for f in functions if re.search(rf"\bP{f.name}\b", header)]
    for chapter in sorted({f.chapter for f in functions}):
        mine = [f for f in present if f.chapter == chapter]
        points = ['#include "tracing/recorder/mpi/adapter/clock_points.h"'] if any(f.action and is_meeting_point(f) for f in mine) else []
        lines = [PROLOGUE, "#include <array>", "", '#include "tracing/recorder/mpi/actions/actions.h"', *points, '#include "tracing/recorder/mpi/adapter/wrapper.h"', "",
                 "namespace holos::tracing::mpi {", "namespace {", ""]
        lines += [w(f) for f in mine if f.action for w in (c_wrapper, fortran_wrapper)
                  if not (f.c_only and w is fortran_wrapper)]
        lines += ["constexpr auto function(auto* pointer) { return reinterpret_cast<Function*>(pointer); }", "",
                  f"const std::array<Wrapper, {len(mine)}> kWrappers{{{{", *map(table_line, mine), "}};", "", "}  // namespace", "",
                  f"std::span<const Wrapper> {chapter}Wrappers() {{ return kWrappers; }}", "",
                  "}  // namespace holos::tracing::mpi"]
        write(out / f"{chapter}.cpp", "\n".join(lines) + "\n")
    chapters = sorted({f.chapter for f in functions})
    lines = [PROLOGUE, '#include "tracing/recorder/mpi/adapter/wrapper.h"', "", "namespace holos::tracing::mpi {", ""]
    lines += [f"std::span<const Wrapper> {c}Wrappers();" for c in chapters]
    lines += ["", "void forEachWrapper(void (*visit)(const Wrapper&)) {"]
    lines += [f"    for (const Wrapper& wrapper : {c}Wrappers()) visit(wrapper);" for c in chapters]
    lines += ["}", "", "}  // namespace holos::tracing::mpi"]
    write(out / "all.cpp", "\n".join(lines) + "\n")


def excluded_patterns():
    lines = (FUNCTIONS / "excluded.txt").read_text().splitlines()
    return [line.split()[0] for line in lines if line and not line.startswith("#")]


def check(functions, header):
    known = {f.name for f in functions}
    patterns = excluded_patterns()
    declared = set(re.findall(r"\bP(MPI_[A-Za-z0-9]\w*)\s*\(", header))
    missing = sorted(n for n in declared
                     if n not in known and not any(fnmatch.fnmatchcase(n, p) for p in patterns))
    both = sorted(n for n in known if any(fnmatch.fnmatchcase(n, p) for p in patterns))
    double = sorted(n for n in known if sum(f.name == n for f in functions) > 1)
    for problem, names in (("not in the table and not excluded", missing), ("in the table and excluded", both),
                           ("twice in the table", double)):
        if names:
            print(f"{problem}: {' '.join(names)}", file=sys.stderr)
    print(f"{len(declared)} functions declared, {len(declared & known)} wrapped")
    return 1 if missing or both or double or not declared else 0


def write(path, text):
    """Leaves an equal file alone, so that nothing is rebuilt for it."""
    path = pathlib.Path(path)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main(arguments):
    functions = read_table()
    if arguments[:1] == ["index"] and len(arguments) >= 2:
        write(arguments[1], index(functions, arguments[2:]))
    elif arguments[:1] == ["trampolines"] and len(arguments) == 2:
        write(arguments[1], trampolines(functions))
    elif arguments[:1] == ["wrappers"] and len(arguments) == 3:
        out = pathlib.Path(arguments[2])
        out.mkdir(parents=True, exist_ok=True)
        wrappers(functions, pathlib.Path(arguments[1]).read_text(), out)
    elif arguments[:1] == ["check"] and len(arguments) == 2:
        return check(functions, pathlib.Path(arguments[1]).read_text())
    elif arguments == ["outputs"]:
        print(";".join(sorted({f.chapter for f in functions}) + ["all"]), end="")
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
