# SPDX-License-Identifier: BSD-3-Clause
import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Holos(CMakePackage):
    """Performance analysis of parallel programs: records unmodified MPI, OpenMP and threaded programs as OTF2 traces, finds
    wait states and their causes, and combines experiments.

    The source is the repository that this file is in.
    """

    git = pathlib.Path(__file__).resolve().parents[6].as_uri()

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("mpi", default=True, description="Record programs of the MPI of the installation, analyze with its ranks")
    variant("gui", default=False, description="The browser")
    variant("python", default=True, description="Experiments as data frames")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("help2man", type="build")
    depends_on("python@3.9:", type="build")

    depends_on("otf2@3:")
    depends_on("papi")
    depends_on("hwloc@2:")
    depends_on("elfutils")
    depends_on("zydis@4:")
    depends_on("libxml2")
    depends_on("zlib-api")
    depends_on("boost@1.74: +graph +regex")
    depends_on("tbb")
    depends_on("sqlite@3.38:")
    depends_on("cli11@2:", type="build")
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("protozero", type="build")
    depends_on("ncurses")

    depends_on("mpi", when="+mpi")
    depends_on("qt-base@6.4: +gui +widgets", when="+gui")
    depends_on("qt-svg@6.4:", when="+gui")
    with when("+python"):
        extends("python")
        depends_on("py-pybind11@2.10:", type="build")
        depends_on("py-numpy", type="run")
        depends_on("py-pandas", type="run")

    conflicts("%gcc@:11", msg="needs C++20 as gcc 12 has it")
    conflicts("%clang@:13", msg="needs C++20 as clang 14 has it")
    conflicts("platform=darwin")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define_from_variant("HOLOS_MPI", "mpi"),
            self.define_from_variant("HOLOS_GUI", "gui"),
            self.define("HOLOS_TESTS", False),
            self.define("HOLOS_EXAMPLES", False),
        ]
        if self.spec.satisfies("+mpi"):
            args.append(self.define("HOLOS_MPI_WRAPPERS", self.spec["mpi"].mpicc))
        if self.spec.satisfies("+python"):
            args.append(self.define("HOLOS_PYTHONDIR", python_platlib))
        return args
