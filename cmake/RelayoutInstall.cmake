# Installation: headers of both include roots merged, libraries, tools, package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(_package "${CMAKE_INSTALL_LIBDIR}/cmake/Relayout")

get_property(_libraries GLOBAL PROPERTY RELAYOUT_LIBRARIES)
install(TARGETS ${_libraries} EXPORT RelayoutTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")

get_property(_tools GLOBAL PROPERTY RELAYOUT_TOOLS)
if(_tools)
  install(TARGETS ${_tools} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
if(TARGET relayout-plugin)
  install(TARGETS relayout-plugin LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()

# The .td files are for dialects that build on this one; .cpp.inc files are not
# part of the interface.
foreach(_root "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
  foreach(_include "${_root}/mlir-dialect/include/relayout" "${_root}/include/relayout")
    install(DIRECTORY "${_include}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
      FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.h.inc"
      PATTERN "CMakeFiles" EXCLUDE)
  endforeach()
endforeach()

install(EXPORT RelayoutTargets NAMESPACE Relayout:: DESTINATION "${_package}")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/RelayoutConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/cmake/RelayoutConfig.cmake"
  INSTALL_DESTINATION "${_package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cmake/RelayoutConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/cmake/RelayoutConfig.cmake"
  "${PROJECT_BINARY_DIR}/cmake/RelayoutConfigVersion.cmake"
  DESTINATION "${_package}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
