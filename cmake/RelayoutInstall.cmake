# Installation: headers of both include roots merged, libraries, tools, package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(_package "${CMAKE_INSTALL_LIBDIR}/cmake/Relayout")

get_property(_libraries GLOBAL PROPERTY RELAYOUT_LIBRARIES)
install(TARGETS ${_libraries} EXPORT RelayoutTargets
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

# The C interface is a package of its own: it needs no MLIR to be linked.
get_property(_c_libraries GLOBAL PROPERTY RELAYOUT_C_LIBRARIES)
install(TARGETS ${_c_libraries} EXPORT RelayoutCTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT RelayoutCTargets NAMESPACE Relayout:: DESTINATION "${_package}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/relayout-c"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")

# relayout.pc and relayout-runtime.pc: installed, they find the prefix from where they lie,
# and folders that were given as absolute paths where those say.
set(_pkgconfig "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(_prefix "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH _up "/prefix/${_pkgconfig}" "/prefix")
  set(_prefix "\${pcfiledir}/${_up}")
endif()
foreach(_pair "relayout:compiles and runs kernels" "relayout-runtime:runs compiled kernels")
  string(REPLACE ":" ";" _pair "${_pair}")
  list(GET _pair 0 RELAYOUT_PC_NAME)
  list(GET _pair 1 RELAYOUT_PC_TEXT)
  set(RELAYOUT_PC_LIBRARIES "${_prefix}")
  cmake_path(APPEND RELAYOUT_PC_LIBRARIES "${CMAKE_INSTALL_LIBDIR}")
  set(RELAYOUT_PC_HEADERS "${_prefix}")
  cmake_path(APPEND RELAYOUT_PC_HEADERS "${CMAKE_INSTALL_INCLUDEDIR}")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/relayout.pc.in"
    "${PROJECT_BINARY_DIR}/cmake/${RELAYOUT_PC_NAME}.pc" @ONLY)
  # The same for the build tree.
  set(RELAYOUT_PC_LIBRARIES "${PROJECT_BINARY_DIR}/lib")
  set(RELAYOUT_PC_HEADERS "${PROJECT_SOURCE_DIR}/include")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/relayout.pc.in"
    "${PROJECT_BINARY_DIR}/pkgconfig/${RELAYOUT_PC_NAME}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/cmake/${RELAYOUT_PC_NAME}.pc" DESTINATION "${_pkgconfig}")
endforeach()

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
