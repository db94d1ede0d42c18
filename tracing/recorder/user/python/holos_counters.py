# SPDX-License-Identifier: BSD-3-Clause
"""Counters that a Python program reads itself:

    import holos_counters
    with holos_counters.Counters("page-faults", "task-clock") as counters:
        ...
        print(counters.read())

Names are those of `holos counters list`. They count what the thread does that started them, under `holos record` as
without it. What cannot be counted raises `holos_counters.CounterError` with the reason. What each call promises
stands in `holos/counters.h`.
"""
import collections
import ctypes
import pathlib

__all__ = ["Component", "Counter", "CounterError", "Counters", "Executable", "Hardware", "Rate", "components", "describe",
           "executable_info", "flop_rate", "hardware_info", "instructions_per_cycle", "listed", "query", "rate_of", "rate_stop",
           "real_time", "registers", "virtual_time"]

Rate = collections.namedtuple("Rate", "real_time virtual_time events reference rate")


class CounterError(RuntimeError):
    """A counter that cannot be counted or read, with the reason."""


class _Rate(ctypes.Structure):
    _fields_ = [("real_time", ctypes.c_double), ("virtual_time", ctypes.c_double), ("events", ctypes.c_longlong),
                ("reference", ctypes.c_longlong), ("rate", ctypes.c_double)]


def _text(size):
    return ctypes.c_char * size


class _Counter(ctypes.Structure):
    _fields_ = [("name", _text(128)), ("description", _text(256)), ("unit", _text(16)), ("unavailable", _text(256)),
                ("scope", ctypes.c_int), ("is_state", ctypes.c_int)]


class _Component(ctypes.Structure):
    _fields_ = [("name", _text(64)), ("description", _text(256)), ("unavailable", _text(256)), ("scope", ctypes.c_int),
                ("counters", ctypes.c_int)]


class _Hardware(ctypes.Structure):
    _fields_ = [("vendor", _text(32)), ("model", _text(128)), ("family", ctypes.c_int), ("model_number", ctypes.c_int),
                ("stepping", ctypes.c_int), ("megahertz", ctypes.c_double), ("processors", ctypes.c_int), ("cores", ctypes.c_int),
                ("sockets", ctypes.c_int), ("memory_nodes", ctypes.c_int), ("memory", ctypes.c_longlong),
                ("page", ctypes.c_longlong)]


class _Executable(ctypes.Structure):
    _fields_ = [("path", _text(4096)), ("name", _text(256))] + [
        (f"{part}_{end}", ctypes.c_void_p) for part in ("text", "data", "bss") for end in ("begin", "end")]


def _tuple_of(structure):
    return collections.namedtuple(structure.__name__[1:], [field[0] for field in structure._fields_])


Counter, Component, Hardware, Executable = map(_tuple_of, (_Counter, _Component, _Hardware, _Executable))


def _load():
    """The library of the installation that this file is part of, or the one that the loader finds."""
    name = "libholos-counters.so"
    prefix = pathlib.Path(__file__).resolve().parents[3] if len(pathlib.Path(__file__).resolve().parents) > 3 else None
    found = sorted(prefix.glob(f"lib*/{name}*")) + sorted(prefix.glob(f"lib/*/{name}*")) if prefix else []
    library = ctypes.CDLL(str(found[0]) if found else name)
    library.holos_counters_start.restype = ctypes.c_void_p
    library.holos_counters_start.argtypes = [ctypes.c_char_p]
    for function in ("read", "accumulate", "stop"):
        getattr(library, f"holos_counters_{function}").argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_longlong)]
    library.holos_counters_write.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_longlong)]
    for function in ("add", "remove"):
        getattr(library, f"holos_counters_{function}").argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    library.holos_counters_share.restype = ctypes.c_double
    library.holos_counters_share.argtypes = [ctypes.c_void_p]
    library.holos_counters_error.restype = ctypes.c_char_p
    library.holos_real_time.restype = library.holos_virtual_time.restype = ctypes.c_longlong
    library.holos_rate_of.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(_Rate)]
    return library


_library = _load()


def _check(failed):
    if failed:
        raise CounterError(_library.holos_counters_error().decode())


class Counters:
    """Counters of the calling thread, from here to `stop`, or to the end of the `with` block."""

    def __init__(self, *names):
        self.names = names
        self._running = _library.holos_counters_start(",".join(names).encode())
        _check(not self._running)
        self._sums = dict.fromkeys(names, 0)

    def read(self):
        """By name what was counted since the start, or since `accumulate`."""
        values = (ctypes.c_longlong * len(self.names))()
        _check(_library.holos_counters_read(self._running, values))
        return dict(zip(self.names, values))

    def accumulate(self):
        """The same, added up over all calls of this; counting goes on from 0."""
        sums = (ctypes.c_longlong * len(self.names))(*(self._sums[name] for name in self.names))
        _check(_library.holos_counters_accumulate(self._running, sums))
        self._sums = dict(zip(self.names, sums))
        return dict(self._sums)

    def write(self, values):
        """Counts on from these values, by name, as `read` returned them."""
        _check(_library.holos_counters_write(self._running,
                                             (ctypes.c_longlong * len(self.names))(*(values[name] for name in self.names))))

    def add(self, *names):
        """Counts these as well, from 0."""
        _check(_library.holos_counters_add(self._running, ",".join(names).encode()))
        self.names += names
        self._sums.update(dict.fromkeys(names, 0))

    def remove(self, *names):
        """Counts these no longer."""
        _check(_library.holos_counters_remove(self._running, ",".join(names).encode()))
        self.names = tuple(name for name in self.names if name not in names)
        self._sums = {name: self._sums[name] for name in self.names}

    def stop(self):
        """Reads for the last time."""
        values = (ctypes.c_longlong * len(self.names))()
        running, self._running = self._running, None
        _check(_library.holos_counters_stop(running, values))
        return dict(zip(self.names, values))

    def share(self):
        """The smallest part of the time in which one of them was counted."""
        return _library.holos_counters_share(self._running)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self._running:
            _library.holos_counters_stop(self._running, None)
            self._running = None


def _values(kind, structure):
    values = (getattr(structure, name) for name in kind._fields)
    return kind(*(value.decode(errors="replace") if isinstance(value, bytes) else value for value in values))


def _ask(kind, structure, function, *arguments):
    found = structure()
    _check(function(*arguments, ctypes.byref(found)))
    return _values(kind, found)


def query(name):
    """None where the counter can be counted here by itself; otherwise why not."""
    return _library.holos_counters_error().decode() if _library.holos_counters_query(name.encode()) else None


def describe(name):
    """What a counter is, whether it can be counted or not."""
    return _ask(Counter, _Counter, _library.holos_counters_describe, name.encode())


def components():
    """The kinds of counters, PAPI's components among them."""
    number = _library.holos_counters_components()
    _check(number < 0)
    return [_ask(Component, _Component, _library.holos_counters_component, at) for at in range(number)]


def listed(component):
    """The counters that a component lists, by its place among `components()`."""
    number = components()[component].counters
    return [_ask(Counter, _Counter, _library.holos_counters_listed, component, at) for at in range(number)]


def registers():
    """How many events of the processor can be counted at the same time, beside those with registers of their own."""
    number = _library.holos_counters_registers()
    _check(number < 0)
    return number


def hardware_info():
    """What the machine is; 0 or empty where nobody knows."""
    return _ask(Hardware, _Hardware, _library.holos_hardware_info)


def executable_info():
    """The program that runs: the interpreter, and where it lies in memory."""
    return _ask(Executable, _Executable, _library.holos_executable_info)


def real_time():
    """Nanoseconds since some moment in the past."""
    return _library.holos_real_time()


def virtual_time():
    """Nanoseconds of the calling thread on a processor."""
    return _library.holos_virtual_time()


def _rate(function, *arguments):
    rate = _Rate()
    _check(function(*arguments, ctypes.byref(rate)))
    return Rate(*(getattr(rate, name) for name in Rate._fields))


def instructions_per_cycle():
    """Completed instructions per cycle; the first call starts counting."""
    return _rate(_library.holos_instructions_per_cycle)


def flop_rate():
    """Floating-point operations per second of virtual time; the first call starts counting."""
    return _rate(_library.holos_flop_rate)


def rate_of(event, reference=None):
    """Any counter by another one, or per second of virtual time; the first call starts counting."""
    return _rate(_library.holos_rate_of, event.encode(), reference.encode() if reference else None)


def rate_stop():
    """Ends counting for the thread's rate."""
    _library.holos_rate_stop()
