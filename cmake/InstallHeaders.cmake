# SPDX-License-Identifier: BSD-3-Clause
# Installs the headers of the library's interface below include/holos. In the sources they include each other from the
# project's top folder ("algebra/model/ids.h"), where they are installed from <holos/algebra/model/ids.h>: a user's own
# folder `base` or `algebra` cannot come between.
#
#   sources      the project's top folder
#   headers      paths from there, besides those of analyzer/library/include/holos
#   destination  the folder that users' programs include from
cmake_policy(VERSION 3.25)
file(GLOB facade RELATIVE "${sources}/analyzer/library/include" "${sources}/analyzer/library/include/holos/*.h")
foreach(header IN LISTS headers facade)
  set(source "${sources}/${header}")
  set(installed "holos/${header}")
  if(header IN_LIST facade)
    set(source "${sources}/analyzer/library/include/${header}")
    set(installed "${header}")
  endif()
  file(READ "${source}" text)
  string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${text}")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "#include \"(.+)\"" "\\1" included "${line}")
    if(NOT included IN_LIST headers AND NOT included IN_LIST facade)
      message(FATAL_ERROR "${header} is part of the library's interface and includes ${included}, which is not: "
        "declare less in the header, or list the other one in analyzer/library/CMakeLists.txt")
    endif()
  endforeach()
  string(REGEX REPLACE "#include \"(holos/)?([^\"]+)\"" "#include <holos/\\2>" text "${text}")
  message(STATUS "Installing: ${destination}/${installed}")
  file(WRITE "$ENV{DESTDIR}${destination}/${installed}" "${text}")
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${destination}/${installed}")
endforeach()
