-- SPDX-License-Identifier: BSD-3-Clause
-- A module file for Lmod: copy it to MODULEPATH/holos/0.1.0.lua.
local root = "/opt/holos/0.1.0"

help([[Performance analysis of parallel programs: `holos record -o run -- mpirun ./app`, `holos analyze run`, `holos show run`.]])
whatis("Name: Holos")
whatis("Description: performance analysis of parallel programs")

prepend_path("PATH", pathJoin(root, "bin"))
prepend_path("MANPATH", pathJoin(root, "share/man"))
prepend_path("CMAKE_PREFIX_PATH", root)
for _, lib in ipairs({"lib", "lib64"}) do
  local configurations = pathJoin(root, lib, "pkgconfig")
  if isDir(configurations) then prepend_path("PKG_CONFIG_PATH", configurations) end
  for minor = 8, 40 do -- of the Python that `import holos` was built for
    local packages = pathJoin(root, lib, "python3." .. minor, "site-packages")
    if isDir(pathJoin(packages, "holos")) then prepend_path("PYTHONPATH", packages) end
  end
end
prepend_path("PYTHONPATH", pathJoin(root, "share/holos/python")) -- `import holos_regions`, for any Python
