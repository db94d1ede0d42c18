# SPDX-License-Identifier: BSD-3-Clause
# `find_package(Holos)` for programs that read or combine experiments with Holos' libraries.
include(CMakePackageConfigHelpers)

install(TARGETS holos_base holos_specs holos_algebra EXPORT HolosTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY base metric-specs algebra DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/holos FILES_MATCHING PATTERN "*.h")
install(EXPORT HolosTargets NAMESPACE holos:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Holos)
configure_package_config_file(cmake/HolosConfig.cmake.in "${PROJECT_BINARY_DIR}/HolosConfig.cmake"
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Holos)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/HolosConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/HolosConfig.cmake" "${PROJECT_BINARY_DIR}/HolosConfigVersion.cmake"
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Holos)
