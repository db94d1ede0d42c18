# SPDX-License-Identifier: BSD-3-Clause
# Modules of JavaScript as one script, for pages that have to carry all that they need.
#
#   holos_join_modules(RESULT FOLDER FILE...)
#
# Each module stands behind those that it imports. Imports and exports are written as in `import { a, b } from "./module.js";`
# and `export function a`, each at the begin of a line. Comments are left out: their readers have the modules.
function(holos_join_modules result folder)
  set(script "\"use strict\";\n{\nconst modules = {};\n")
  foreach(file IN LISTS ARGN)
    file(READ "${folder}/${file}" text)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${file}")
    string(REGEX REPLACE "/\\*\\*([^*]|\\*[^/])*\\*/" "" text "\n${text}")
    string(REGEX REPLACE "\n *//[^\n]*" "" text "${text}")
    string(REGEX REPLACE "\n[ \n]*\n" "\n" text "${text}")
    string(REGEX REPLACE "\nimport ({[^}]*}) from \"\\./([a-z]+\\.js)\";" "\nconst \\1 = modules[\"\\2\"];" text "${text}")
    string(REGEX MATCHALL "\nexport (async )?(function|class|const) [A-Za-z]+" exports "${text}")
    string(REGEX REPLACE "\nexport (async )?(function|class|const) " "" names "${exports}")
    list(JOIN names ", " names)
    string(REGEX REPLACE "\nexport " "\n" text "${text}")
    string(APPEND script "modules[\"${file}\"] = (() => {${text}return { ${names} };\n})();\n")
  endforeach()
  set(${result} "${script}}\n" PARENT_SCOPE)
endfunction()
