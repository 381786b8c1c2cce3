# Finds LLVM and MLIR and sets the flags that every target shares.
# The hint is where Debian's packages put it; MLIR_DIR and CMAKE_PREFIX_PATH win.
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22)
message(STATUS "Using MLIR ${MLIR_DIR} (LLVM ${LLVM_PACKAGE_VERSION})")

# MLIRConfig.cmake does not export how MLIR was linked. Debian's is one shared
# library; mixing it with the static archives would put two copies of MLIR in
# one process.
set(MLIR_LINK_MLIR_DYLIB ON)

list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

find_program(RELAYOUT_CCACHE ccache)
if(RELAYOUT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${RELAYOUT_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${RELAYOUT_CCACHE}")
endif()
find_program(RELAYOUT_LLD ld.lld HINTS "${LLVM_TOOLS_BINARY_DIR}")
if(RELAYOUT_LLD)
  # GCC takes the name of a linker, not its path, and looks for it in -B.
  get_filename_component(_lld_folder "${RELAYOUT_LLD}" DIRECTORY)
  add_link_options("-B${_lld_folder}" -fuse-ld=lld)
endif()
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

add_compile_options(-Wall -Wextra -Wno-unused-parameter -ffunction-sections
  "$<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions;-Wno-comment>")
if(NOT LLVM_ENABLE_RTTI)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>")
endif()
separate_arguments(RELAYOUT_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${RELAYOUT_LLVM_DEFINITIONS})

set(RELAYOUT_INCLUDE_DIRS
  "${PROJECT_SOURCE_DIR}/mlir-dialect/include"
  "${PROJECT_BINARY_DIR}/mlir-dialect/include"
  "${PROJECT_SOURCE_DIR}/include"
  "${PROJECT_BINARY_DIR}/include")
include_directories(${RELAYOUT_INCLUDE_DIRS})
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})

option(RELAYOUT_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
if(RELAYOUT_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
endif()
