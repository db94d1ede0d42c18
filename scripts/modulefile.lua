-- SPDX-License-Identifier: BSD-3-Clause
-- A module file for Lmod: copy it to MODULEPATH/holos/0.1.0.lua.
local root = "/opt/holos/0.1.0"

help([[Performance analysis of parallel programs: `holos record -o run -- mpirun ./app`, `holos analyze run`, `holos show run`.]])
whatis("Name: Holos")
whatis("Description: performance analysis of parallel programs")

prepend_path("PATH", pathJoin(root, "bin"))
prepend_path("MANPATH", pathJoin(root, "share/man"))
prepend_path("CMAKE_PREFIX_PATH", root)
prepend_path("PKG_CONFIG_PATH", pathJoin(root, "lib/pkgconfig"))
