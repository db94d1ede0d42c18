# SPDX-License-Identifier: BSD-3-Clause
# Writes holos.1, one page for each of its commands (holos-analyze.1 …), and completion scripts for shells.
#
#   cmake -DHOLOS=… -DHELP2MAN=… -DVERSION=… -DOUTPUT=FOLDER -P ManPages.cmake
#
# The texts are the program's own help, so pages and program cannot tell different stories.
function(run_holos result)
  execute_process(COMMAND "${HOLOS}" ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

function(write_page file command summary)
  execute_process(COMMAND_ERROR_IS_FATAL ANY
    COMMAND "${HELP2MAN}" --no-info --no-discard-stderr --version-string "${VERSION}" --name "${summary}"
            --manual "Holos" --output "${OUTPUT}/${file}" "${command}")
  # Examples keep their lines; a page is found (whatis, apropos) by its own name, in which commands have no blank.
  file(READ "${OUTPUT}/${file}" page)
  get_filename_component(name "${file}" NAME_WE)
  string(REGEX REPLACE "(\\.SH NAME\n)[^\\\\]+" "\\1${name} " page "${page}")
  string(REGEX REPLACE "(\\.SS \"Examples?:\"\n\\.IP\n)" "\\1.nf\n" page "${page}")
  file(WRITE "${OUTPUT}/${file}" "${page}")
endfunction()

file(MAKE_DIRECTORY "${OUTPUT}")
get_filename_component(folder "${HOLOS}" DIRECTORY)
set(ENV{PATH} "${folder}:$ENV{PATH}")

run_holos(help --help)
string(REGEX MATCH "^[^\n]+" summary "${help}")
write_page(holos.1 holos "${summary}")
string(REGEX MATCHALL "\n  ([a-z0-9]+) +([^\n]+)" commands "${help}")
foreach(line IN LISTS commands)
  string(REGEX MATCH "^\n  ([a-z0-9]+) +(.+)$" _ "${line}")
  write_page("holos-${CMAKE_MATCH_1}.1" "holos ${CMAKE_MATCH_1}" "${CMAKE_MATCH_2}")
endforeach()

foreach(shell IN ITEMS bash fish zsh)
  run_holos(completion completion ${shell})
  file(WRITE "${OUTPUT}/holos.${shell}" "${completion}")
endforeach()
