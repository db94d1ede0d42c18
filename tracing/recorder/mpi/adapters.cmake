# SPDX-License-Identifier: BSD-3-Clause
# How an adapter for one MPI is made, and the plugin by which ranks analyze together: in a build of Holos, and later, by
# `holos-mpi-adapter`, from the sources that an installation has.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH top)
cmake_path(GET top PARENT_PATH top)
cmake_path(GET top PARENT_PATH HOLOS_MPI_TOP)
set(HOLOS_MPI_GENERATOR "${CMAKE_CURRENT_LIST_DIR}/generate.py")

# The table of MPI's functions, and what the sources include besides each other: an adapter fits only a recorder that was
# made from the same ones.
set(HOLOS_MPI_TABLE
  collectives communicators datatypes environment files groups large_counts one_sided persistent_collectives
  point_to_point removed requests sessions topologies)
list(TRANSFORM HOLOS_MPI_TABLE REPLACE "(.+)" "${CMAKE_CURRENT_LIST_DIR}/functions/\\1.def")
list(APPEND HOLOS_MPI_TABLE "${CMAKE_CURRENT_LIST_DIR}/functions/actions.txt")
set(HOLOS_MPI_INTERFACE
  base/choice_words.h base/chosen.h
  tracing/recorder/core/clock_comparison.h tracing/recorder/core/events.h tracing/recorder/core/filtering.h
  tracing/recorder/core/floating_point.h tracing/recorder/core/open_call.h tracing/recorder/core/polls.h
  tracing/recorder/interpose/pause.h tracing/recorder/mpi/adapter_interface.h
  tracing/recordings/format/events.def
  tracing/recordings/format/record.h
  tracing/recordings/format/record_options.def tracing/recordings/format/settings.h
  tracing/recordings/format/vocabulary.h
  tracing/recordings/format/waiting_notes.h)

# All that `holos-mpi-adapter` needs, from the top folder.
file(GLOB HOLOS_MPI_ADAPTER_FILES RELATIVE "${HOLOS_MPI_TOP}" CONFIGURE_DEPENDS
  "${CMAKE_CURRENT_LIST_DIR}/adapters.cmake" "${HOLOS_MPI_GENERATOR}"
  "${CMAKE_CURRENT_LIST_DIR}/functions/*" "${CMAKE_CURRENT_LIST_DIR}/actions/*" "${CMAKE_CURRENT_LIST_DIR}/adapter/*"
  "${CMAKE_CURRENT_LIST_DIR}/state/*" "${HOLOS_MPI_TOP}/tracing/recorder/memory/*"
  "${HOLOS_MPI_TOP}/analyzer/workers/mpi_plugin.*")
list(FILTER HOLOS_MPI_ADAPTER_FILES EXCLUDE REGEX "README|functions/excluded")
list(APPEND HOLOS_MPI_ADAPTER_FILES ${HOLOS_MPI_INTERFACE})

execute_process(COMMAND "${Python3_EXECUTABLE}" "${HOLOS_MPI_GENERATOR}" outputs
  OUTPUT_VARIABLE HOLOS_MPI_CHAPTERS COMMAND_ERROR_IS_FATAL ANY)

# `generated`/mpi_index.h, which the recorder and its adapters share.
function(holos_generate_mpi_index generated)
  file(MAKE_DIRECTORY "${generated}")
  list(TRANSFORM HOLOS_MPI_INTERFACE PREPEND "${HOLOS_MPI_TOP}/" OUTPUT_VARIABLE headers)
  add_custom_command(OUTPUT "${generated}/mpi_index.h"
    COMMAND Python3::Interpreter "${HOLOS_MPI_GENERATOR}" index "${generated}/mpi_index.h" ${headers}
    DEPENDS "${HOLOS_MPI_GENERATOR}" ${HOLOS_MPI_TABLE} ${headers} VERBATIM)
endfunction()

# Of a compiler wrapper: wrapper_I, wrapper_L, wrapper_l, what it adds to a compiler's command (folders of headers and of
# libraries, libraries); wrapper_header, its preprocessed mpi.h; wrapper_family, the binary interface.
function(holos_read_mpi_wrapper wrapper generated)
  execute_process(COMMAND "${wrapper}" -show OUTPUT_VARIABLE shown OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(words UNIX_COMMAND "${shown}")
  foreach(kind I L l)
    set(found "${words}")
    list(FILTER found INCLUDE REGEX "^-${kind}.")
    list(TRANSFORM found REPLACE "^-${kind}" "")
    list(REMOVE_DUPLICATES found)
    set(wrapper_${kind} "${found}")
    set(wrapper_${kind} "${found}" PARENT_SCOPE)
  endforeach()
  file(WRITE "${generated}/mpi_header.c" "#include <mpi.h>\n")
  list(TRANSFORM wrapper_I PREPEND "-I" OUTPUT_VARIABLE includes)
  execute_process(COMMAND "${CMAKE_C_COMPILER}" -E -P ${includes} "${generated}/mpi_header.c" OUTPUT_VARIABLE text
    COMMAND_ERROR_IS_FATAL ANY)
  set(family mpich)
  if(text MATCHES "ompi_mpi_comm_world")
    set(family openmpi)
  elseif(text MATCHES "MPItrampoline_Comm")
    set(family mpitrampoline)
  endif()
  set(header "${generated}/mpi_header_${family}.i")
  file(CONFIGURE OUTPUT "${header}" CONTENT "${text}" @ONLY)
  set(wrapper_family ${family} PARENT_SCOPE)
  set(wrapper_header "${header}" PARENT_SCOPE)
endfunction()

# The adapter for the MPI of the wrapper that was read last, as the file lib`output`.so. Which functions the MPI has is read
# from its own header.
function(holos_add_mpi_adapter_library target output generated)
  list(TRANSFORM HOLOS_MPI_CHAPTERS REPLACE "(.+)" "${generated}/${wrapper_family}/\\1.cpp" OUTPUT_VARIABLE wrappers)
  add_custom_command(OUTPUT ${wrappers}
    COMMAND Python3::Interpreter "${HOLOS_MPI_GENERATOR}" wrappers "${wrapper_header}" "${generated}/${wrapper_family}"
    DEPENDS "${HOLOS_MPI_GENERATOR}" "${wrapper_header}" ${HOLOS_MPI_TABLE} VERBATIM)
  set(sources
    actions/completions.cpp actions/files.cpp actions/messages.cpp
    adapter/adapter.cpp adapter/clock_points.cpp
    state/world.cpp state/clock_tree.cpp state/communicators.cpp state/neighbours.cpp
    state/requests.cpp state/views.cpp state/traffic.cpp state/windows.cpp)
  list(TRANSFORM sources PREPEND "${HOLOS_MPI_TOP}/tracing/recorder/mpi/")
  add_library(${target} MODULE ${sources} ${wrappers} "${generated}/mpi_index.h")
  set_target_properties(${target} PROPERTIES OUTPUT_NAME "${output}"
    CXX_VISIBILITY_PRESET hidden INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH OFF)
  target_include_directories(${target} PRIVATE "${HOLOS_MPI_TOP}" "${generated}")
  target_precompile_headers(${target} PRIVATE <mpi.h> <array> <cstdint> <span> <string> <vector>)
  # Programs that stay with functions MPI removed are recorded as well.
  target_compile_options(${target} PRIVATE -Wno-deprecated-declarations)
  target_link_libraries(${target} PRIVATE holos_tracing ${CMAKE_DL_LIBS})
  target_link_options(${target} PRIVATE LINKER:-z,now LINKER:-z,defs -static-libstdc++ -static-libgcc)
  holos_use_mpi_of_wrapper(${target})
endfunction()

# The plugin by which the ranks that this MPI's launcher started analyze together.
function(holos_add_mpi_ranks_library target output)
  add_library(${target} MODULE "${HOLOS_MPI_TOP}/analyzer/workers/mpi_plugin.cpp")
  set_target_properties(${target} PROPERTIES OUTPUT_NAME "${output}" CXX_VISIBILITY_PRESET hidden BUILD_RPATH "${wrapper_L}")
  target_include_directories(${target} PRIVATE "${HOLOS_MPI_TOP}")
  holos_use_mpi_of_wrapper(${target})
endfunction()

function(holos_use_mpi_of_wrapper target)
  target_include_directories(${target} SYSTEM PRIVATE ${wrapper_I})
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_definitions(${target} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_link_directories(${target} PRIVATE ${wrapper_L})
  target_link_libraries(${target} PRIVATE ${wrapper_l})
endfunction()
