# SPDX-License-Identifier: BSD-3-Clause
# `find_package(Holos)`: the library holos::holos, and what a program that marks its regions uses, holos::user.
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Holos)
install(EXPORT HolosTargets NAMESPACE holos:: DESTINATION ${package} COMPONENT library)
configure_package_config_file(cmake/HolosConfig.cmake.in "${PROJECT_BINARY_DIR}/HolosConfig.cmake"
  INSTALL_DESTINATION ${package})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/HolosConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/HolosConfig.cmake" "${PROJECT_BINARY_DIR}/HolosConfigVersion.cmake"
  DESTINATION ${package} COMPONENT library)
if(NOT BUILD_SHARED_LIBS)
  install(FILES cmake/FindOTF2.cmake DESTINATION ${package} COMPONENT library)
endif()

# `--target package`: what is installed, as one archive that runs wherever it is unpacked.
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME holos)
set(CPACK_PACKAGE_FILE_NAME "holos-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_STRIP_FILES ON)
include(CPack)
