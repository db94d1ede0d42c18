# SPDX-License-Identifier: BSD-3-Clause
"""What a Python program says of itself to `holos record`, as `holos/holos.h` does for C:

    import holos_regions as holos

    with holos.region("solver"):            # a region; also as decorator: @holos.region("solver")
        for step in range(10):
            with holos.phase("iteration"):  # one marked as a phase
                holos.parameter("step", step)
                holos.metric("residual", residual())

Not recorded, nothing of this does anything. Regions of a thread must nest.

    python3 -m holos_regions [--throttle CALLS] [--throttle-below MICROSECONDS] [--libraries] PROGRAM [ARGUMENT...]
    python3 -m holos_regions [...] -m MODULE [ARGUMENT...]

runs a program with its Python functions as regions, `file.py:function`: exact visits and times, where samples (`holos record
--sample`) cost less. Record with `--call-paths none`: these regions lead to each other as the functions do. `holos record
--filter` leaves functions out by their names. A function whose calls are shorter than MICROSECONDS on average (default: 5) is
left out after CALLS calls (default: 10000; 0: never). Functions of Python's own library and of installed packages are
recorded with --libraries.
"""
import contextlib
import ctypes
import functools
import sys

__all__ = ["metric", "parameter", "pause", "phase", "recorded", "region", "total"]

_INTEGER, _REAL, _STATE, _TOTAL = 0, 1, 0, 2
_LEFT_OUT = 0xC0000000


class _Interface(ctypes.Structure):
    """`holos_interface` of `holos/holos.h`. Calls keep the interpreter's lock: they return at once."""
    _text, _number = ctypes.c_char_p, ctypes.c_uint
    _fields_ = [("define", ctypes.PYFUNCTYPE(_number, _text, _text, _number)), ("enter", ctypes.PYFUNCTYPE(None, _number)),
                ("leave", ctypes.PYFUNCTYPE(None, _number)),
                ("define_phase", ctypes.PYFUNCTYPE(_number, _text, _text, _number)),
                ("pause", ctypes.PYFUNCTYPE(None)), ("resume", ctypes.PYFUNCTYPE(None)),
                ("define_metric", ctypes.PYFUNCTYPE(_number, _text, _text, ctypes.c_int)),
                ("metric_integer", ctypes.PYFUNCTYPE(None, _number, ctypes.c_longlong)),
                ("metric_real", ctypes.PYFUNCTYPE(None, _number, ctypes.c_double)),
                ("define_parameter", ctypes.PYFUNCTYPE(_number, _text)),
                ("parameter", ctypes.PYFUNCTYPE(None, _number, ctypes.c_longlong))]


def _find():
    """The recorder that runs this program, or None."""
    try:
        get = ctypes.PyDLL(None).holos_get_interface
    except AttributeError:
        return None
    get.restype = ctypes.POINTER(_Interface)
    found = get(ctypes.c_uint(2))
    return found.contents if found else None


_recorder = _find()


def recorded():
    """Whether `holos record` runs this program."""
    return _recorder is not None


class _Region:
    def __init__(self, name, define):
        self._number = define(str(name).encode(), None, 0) if define else 0

    def __enter__(self):
        if self._number:
            _recorder.enter(self._number)
        return self

    def __exit__(self, *error):
        if self._number:
            _recorder.leave(self._number)

    def __call__(self, function):
        @functools.wraps(function)
        def called(*arguments, **named):
            with self:
                return function(*arguments, **named)
        return called


@functools.lru_cache(maxsize=4096)
def region(name):
    """A region while a `with` statement or the decorated function is open."""
    return _Region(name, _recorder and _recorder.define)


@functools.lru_cache(maxsize=4096)
def phase(name):
    """A region that is a phase, such as an iteration."""
    return _Region(name, _recorder and _recorder.define_phase)


@functools.lru_cache(maxsize=4096)
def _metric(name, unit, kind):
    return _recorder.define_metric(name.encode(), unit.encode() if unit else None, kind)


def _record(name, value, unit, kind):
    if _recorder is None:
        return
    if isinstance(value, int):
        _recorder.metric_integer(_metric(name, unit, kind | _INTEGER), value)
    else:
        _recorder.metric_real(_metric(name, unit, kind | _REAL), float(value))


def metric(name, value, unit=None):
    """A value that goes up and down; all values of a metric are whole numbers, or none."""
    _record(name, value, unit, _STATE)


def total(name, value, unit=None):
    """A value that grows from the program's start."""
    _record(name, value, unit, _TOTAL)


@functools.lru_cache(maxsize=4096)
def _parameter(name):
    return _recorder.define_parameter(name.encode())


def parameter(name, value):
    """A whole number that says what the region around it works on."""
    if _recorder is not None:
        _recorder.parameter(_parameter(name), int(value))


@contextlib.contextmanager
def pause():
    """Nothing is recorded of the calling thread in between."""
    if _recorder is not None:
        _recorder.pause()
    try:
        yield
    finally:
        if _recorder is not None:
            _recorder.resume()


class _Functions:
    """Enters and leaves functions. Its methods are called by the interpreter, in the thread that calls them."""

    def __init__(self, throttle, below_ns, libraries):
        import site
        import sysconfig
        import threading
        import time
        self._throttle, self._below = throttle, below_ns
        paths = sysconfig.get_paths()
        folders = {paths[one] for one in ("stdlib", "platstdlib", "purelib", "platlib")} | set(site.getsitepackages())
        self._others = () if libraries else tuple(folder + "/" for folder in folders)
        self._numbers = {}  # of code; 0: left out
        self._seen = {}     # of code: calls and their time, until it is known whether they are short
        self._thread = threading.local()
        self._now = time.perf_counter_ns
        self._leave_out = ctypes.PyDLL(None).holos_region_throttled
        self._leave_out.argtypes, self._leave_out.restype = [ctypes.c_uint, ctypes.c_uint, ctypes.c_double], None

    def _define(self, code):
        import os
        file = code.co_filename
        number = 0
        if not file.startswith("<") and file != __file__ and not file.startswith(self._others):
            name = f"{os.path.basename(file)}:{getattr(code, 'co_qualname', code.co_name)}"
            number = _recorder.define(name.encode(), file.encode(), code.co_firstlineno)
        if number == _LEFT_OUT:
            number = 0
        self._numbers[code] = number
        if number and self._throttle:
            self._seen[code] = [0, 0]
        return number

    def enter(self, code):
        """Whether it is recorded."""
        number = self._numbers.get(code)
        if number is None:
            number = self._define(code)
        if not number:
            return False
        try:
            stack = self._thread.stack
        except AttributeError:
            stack = self._thread.stack = []
        stack.append((code, number, self._now()))
        _recorder.enter(number)
        return True

    def leave(self, code):
        stack = getattr(self._thread, "stack", None)
        if not stack or stack[-1][0] is not code:
            return bool(self._numbers.get(code))
        _, number, begin = stack.pop()
        _recorder.leave(number)
        seen = self._seen.get(code)
        if seen is not None:
            self._judge(code, seen, self._now() - begin)
        return True

    def _judge(self, code, seen, time):
        seen[0] += 1
        seen[1] += time
        if seen[0] < self._throttle:
            return
        del self._seen[code]
        if seen[1] < self._below * seen[0]:
            self._leave_out(self._numbers[code], seen[0], seen[1] / seen[0])
            self._numbers[code] = 0

    def profile(self, frame, event, argument):
        """For `sys.setprofile`."""
        if event == "call":
            self.enter(frame.f_code)
        elif event == "return":
            self.leave(frame.f_code)

    def start(self):
        if hasattr(sys, "monitoring"):
            return self._monitor()
        import threading
        threading.setprofile(self.profile)
        sys.setprofile(self.profile)
        return None

    def _monitor(self):
        """Python 3.12: what is left out costs nothing any more."""
        monitoring, tool = sys.monitoring, sys.monitoring.PROFILER_ID
        monitoring.use_tool_id(tool, "holos")
        events = monitoring.events

        def entered(code, offset):
            return None if self.enter(code) else monitoring.DISABLE

        def left(code, offset, value):
            return None if self.leave(code) else monitoring.DISABLE

        def thrown(code, offset, error):
            self.enter(code)

        def unwound(code, offset, error):
            self.leave(code)

        for event, function in ((events.PY_START, entered), (events.PY_RESUME, entered), (events.PY_RETURN, left),
                                (events.PY_YIELD, left), (events.PY_THROW, thrown), (events.PY_UNWIND, unwound)):
            monitoring.register_callback(tool, event, function)
        monitoring.set_events(tool, events.PY_START | events.PY_RESUME | events.PY_RETURN | events.PY_YIELD
                              | events.PY_THROW | events.PY_UNWIND)

    @staticmethod
    def stop():
        if hasattr(sys, "monitoring"):
            sys.monitoring.set_events(sys.monitoring.PROFILER_ID, 0)
            sys.monitoring.free_tool_id(sys.monitoring.PROFILER_ID)
        else:
            import threading
            threading.setprofile(None)
            sys.setprofile(None)


def _main():
    import argparse
    import os
    import runpy
    parser = argparse.ArgumentParser("python3 -m holos_regions", allow_abbrev=False,
                                     description="Runs a Python program whose functions 'holos record' shows as regions.")
    parser.add_argument("--throttle", type=int, default=10000, metavar="CALLS",
                        help="leave functions out after CALLS short calls (default: 10000; 0: never)")
    parser.add_argument("--throttle-below", type=float, default=5, metavar="MICROSECONDS",
                        help="calls are short if they take less on average (default: 5)")
    parser.add_argument("--libraries", action="store_true", help="record functions of Python's library and of packages, too")
    parser.add_argument("-m", dest="module", nargs=argparse.REMAINDER, help="run a module in place of a file")
    parser.add_argument("program", nargs=argparse.REMAINDER, help="the program and its arguments")
    options = parser.parse_args()
    command = options.module or options.program
    if not command:
        parser.error("a program is needed")
    functions = _Functions(options.throttle, options.throttle_below * 1000, options.libraries) if _recorder else None
    sys.argv = command
    sys.path[0] = os.getcwd() if options.module else os.path.dirname(os.path.abspath(command[0]))
    if functions:
        functions.start()
    try:
        if options.module:
            runpy.run_module(command[0], run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(command[0], run_name="__main__")
    finally:
        if functions:
            functions.stop()


if __name__ == "__main__":
    _main()
