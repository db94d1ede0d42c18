# SPDX-License-Identifier: BSD-3-Clause
# How every target of Holos is built: language, warnings, sanitizers, and where programs find each other.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

# The build tree has the layout of the installed one, so that programs find plugins and data beside them.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
# Installed programs link nothing of ours that is not beside them; libraries of others outside the system's folders are found.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# What is loaded into programs and into `holos` at run time, and never linked: versions stand side by side.
set(HOLOS_PLUGINDIR "${CMAKE_INSTALL_LIBDIR}/holos-${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
# What installs without a component of its own belongs to the command.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME holos)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers are cached only when told that their macros and times are as they should be.
  set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE_PROGRAM}")
endif()

# Private to our own sources: `target_link_libraries(x PRIVATE holos::warnings)`.
add_library(holos_warnings INTERFACE)
add_library(holos::warnings ALIAS holos_warnings)
target_compile_options(holos_warnings INTERFACE -Wall -Wextra -Wshadow
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor> $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual>)
# GCC 12 finds overlaps and overruns in std::string that are not there (GCC bug 105651), all the more in precompiled
# headers; the address sanitizer finds the real ones.
foreach(warning IN ITEMS restrict array-bounds stringop-overflow stringop-overread)
  target_compile_options(holos_warnings INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-${warning}>)
endforeach()
# GCC 14 says of many a std::optional that it is read where it is not set (GCC bug 80635).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  target_compile_options(holos_warnings INTERFACE -Wno-maybe-uninitialized)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "CI" OR HOLOS_WERROR)
  target_compile_options(holos_warnings INTERFACE -Werror)
endif()

if(HOLOS_SANITIZE)
  add_compile_options(-fsanitize=${HOLOS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${HOLOS_SANITIZE})
  # An optional without a value and an index beyond a vector's end read memory that no sanitizer doubts.
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()

if(HOLOS_FUZZ)
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fsanitize=fuzzer-no-link>)
endif()

# The standard library's headers, compiled once for all libraries.
add_library(holos_headers OBJECT "${PROJECT_SOURCE_DIR}/cmake/headers.cpp")
target_compile_features(holos_headers PRIVATE cxx_std_20)
target_link_libraries(holos_headers PRIVATE holos::warnings)
target_precompile_headers(holos_headers PRIVATE
  <algorithm> <cstdint> <filesystem> <functional> <map> <memory> <optional> <span> <string> <string_view>
  <unordered_map> <variant> <vector>)

# With HOLOS_UNITY several sources of a target are compiled as one, so that each header is read once for all of them: names
# in their anonymous namespaces then meet, and must differ.
# Tests name what they expect as shortly as they can: few of them are joined.
set(HOLOS_SOURCES_AT_ONCE 18)
set(HOLOS_TESTS_AT_ONCE 6)
function(holos_join target at_once)
  if(HOLOS_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${at_once})
    # GCC takes joined sources for headers, in which nothing should be of the source alone.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# holos_add_library(specs SOURCES a.cpp … [PUBLIC lib …] [PRIVATE lib …] [OWN_HEADERS] [JOINED])
#   a static library holos_specs with the alias holos::specs; headers are included from the project's top folder.
#   OWN_HEADERS when it precompiles others than the standard library's.
#   JOINED when its sources may be compiled together (`holos_join`).
function(holos_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OWN_HEADERS;JOINED" "" "SOURCES;PUBLIC;PRIVATE")
  add_library(holos_${name} STATIC ${arg_SOURCES})
  add_library(holos::${name} ALIAS holos_${name})
  set_target_properties(holos_${name} PROPERTIES EXPORT_NAME ${name})
  if(arg_JOINED)
    holos_join(holos_${name} ${HOLOS_SOURCES_AT_ONCE})
  endif()
  target_compile_features(holos_${name} PUBLIC cxx_std_20)
  target_include_directories(holos_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/holos>)
  target_link_libraries(holos_${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} $<BUILD_INTERFACE:holos::warnings>)
  if(NOT arg_OWN_HEADERS)
    target_precompile_headers(holos_${name} REUSE_FROM holos_headers)
  endif()
endfunction()

# Test code runs for a moment and is compiled at every change: to optimise it costs more than it gives.
set(HOLOS_TEST_OPTIONS -O0)

# Seconds after which a test counts as one that hangs: far above what it takes on a busy machine.
set(HOLOS_TEST_TIMEOUT 1200)

# With HOLOS_TESTS_TOGETHER the tests of a program that start no other programs run in as many processes: to start one takes
# longer than most of them do.
set(HOLOS_TEST_SHARES 2)

# Lets CTest know the tests of a program: those of the patterns one by one, all others in shares. A test that is skipped in
# a share would not be seen, so that it is a failure there: its name belongs to the patterns.
function(holos_discover_tests name labels patterns)
  set(program holos_${name}_test)
  set(share 0)
  while(share LESS HOLOS_TEST_SHARES)
    add_test(NAME ${name}.share_${share} COMMAND ${program} --gtest_brief=1 --gtest_filter=-${patterns})
    set_tests_properties(${name}.share_${share} PROPERTIES TIMEOUT ${HOLOS_TEST_TIMEOUT} LABELS "${labels}"
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${HOLOS_TEST_SHARES};GTEST_SHARD_INDEX=${share}"
      FAIL_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
    math(EXPR share "${share} + 1")
  endwhile()
  if(patterns)
    gtest_discover_tests(${program} TEST_FILTER "${patterns}" DISCOVERY_TIMEOUT ${HOLOS_TEST_TIMEOUT}
      PROPERTIES TIMEOUT ${HOLOS_TEST_TIMEOUT} LABELS "${labels}")
  endif()
endfunction()

# holos_add_test(specs SOURCES a_test.cpp … [LIBRARIES lib …] [LABELS …] [OWN_HEADERS] [TOGETHER [APART pattern …]])
#   a GoogleTest program holos_specs_test, one CTest case per test; OWN_HEADERS when it precompiles others than GoogleTest's.
#   TOGETHER when its tests may share a process, but for those of the patterns APART: they start programs, are skipped
#   somewhere, or change what belongs to the process.
function(holos_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OWN_HEADERS;TOGETHER" "" "SOURCES;LIBRARIES;LABELS;APART")
  add_executable(holos_${name}_test ${arg_SOURCES})
  target_link_libraries(holos_${name}_test PRIVATE ${arg_LIBRARIES} holos::warnings GTest::gmock GTest::gtest_main)
  target_compile_options(holos_${name}_test PRIVATE ${HOLOS_TEST_OPTIONS})
  set_target_properties(holos_${name}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  holos_join(holos_${name}_test ${HOLOS_TESTS_AT_ONCE})
  if(NOT arg_OWN_HEADERS)
    target_precompile_headers(holos_${name}_test REUSE_FROM holos_test_headers)
  endif()
  if(arg_TOGETHER AND HOLOS_TESTS_TOGETHER)
    list(JOIN arg_APART ":" patterns)
    holos_discover_tests(${name} "${arg_LABELS}" "${patterns}")
  else()
    gtest_discover_tests(holos_${name}_test DISCOVERY_TIMEOUT ${HOLOS_TEST_TIMEOUT}
      PROPERTIES TIMEOUT ${HOLOS_TEST_TIMEOUT} LABELS "${arg_LABELS}")
  endif()
endfunction()
