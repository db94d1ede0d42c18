# SPDX-License-Identifier: BSD-3-Clause
from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Protozero(CMakePackage):
    """Minimalistic decoder and encoder of protocol buffers, in headers of C++."""

    homepage = "https://github.com/mapbox/protozero"
    git = "https://github.com/mapbox/protozero.git"

    license("BSD-2-Clause AND Apache-2.0")

    version("1.8.1", tag="v1.8.1", commit="89a55ad2962cca3adbe8383a4b6d9a8411352ef2")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.10:", type="build")

    def cmake_args(self):
        return [self.define("BUILD_TESTING", self.run_tests), self.define("WERROR", False)]
