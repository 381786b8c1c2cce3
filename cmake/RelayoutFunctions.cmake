# relayout_add_library(NAME [MLIR] SOURCES ... [LINK ...] [DEPENDS ...])
#
# Adds the static library NAME and registers it for installation. LINK names
# the libraries that it may use: the arrows between the folders of the project.
# With MLIR it links MLIR's and LLVM's shared libraries too.
function(relayout_add_library name)
  cmake_parse_arguments(ARG "MLIR;LLVM" "" "SOURCES;LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  relayout_refuse_exit_destructors(${name})
  add_library(Relayout::${name} ALIAS ${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_MLIR)
    target_link_libraries(${name} PUBLIC MLIR LLVM)
    relayout_precompile(${name})
  elseif(ARG_LLVM)
    target_link_libraries(${name} PUBLIC LLVM)
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  # For projects that add this one as a subdirectory.
  target_include_directories(${name} INTERFACE "$<BUILD_INTERFACE:${RELAYOUT_INCLUDE_DIRS}>")
  target_include_directories(${name} SYSTEM INTERFACE
    "$<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS};${MLIR_INCLUDE_DIRS}>")
  set_property(GLOBAL APPEND PROPERTY RELAYOUT_LIBRARIES ${name})
endfunction()

# relayout_refuse_exit_destructors(NAME): no static of the target NAME is destroyed while
# the process ends, since programs call the library even then. GCC does not tell.
function(relayout_refuse_exit_destructors name)
  target_compile_options(${name} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Werror=exit-time-destructors>")
endfunction()

# relayout_add_tool(NAME SOURCES ... LINK ...): an executable in build/bin.
function(relayout_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  relayout_precompile(${name})
  set_property(GLOBAL APPEND PROPERTY RELAYOUT_TOOLS ${name})
endfunction()

# relayout_precompile(NAME): the target NAME uses MLIR's precompiled headers, where
# RELAYOUT_PRECOMPILE is on. They are compiled with -fPIC, so executables are too.
function(relayout_precompile name)
  if(TARGET RelayoutPrecompiled)
    get_target_property(_type ${name} TYPE)
    if(_type STREQUAL "EXECUTABLE")
      set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${name} PRIVATE -fPIC)
    endif()
    target_precompile_headers(${name} REUSE_FROM RelayoutPrecompiled)
  endif()
endfunction()

# relayout_tablegen(TD TARGET [OUTPUT FLAG]...): runs mlir-tblgen once for each
# output and collects them in the custom target TARGET.
macro(relayout_tablegen td target)
  set(LLVM_TARGET_DEFINITIONS ${td})
  set(_pairs ${ARGN})
  while(_pairs)
    list(POP_FRONT _pairs _output _flag)
    separate_arguments(_flags NATIVE_COMMAND "${_flag}")
    mlir_tablegen(${_output} ${_flags})
  endwhile()
  add_public_tablegen_target(${target})
  set_property(GLOBAL APPEND PROPERTY RELAYOUT_TABLEGEN_TARGETS ${target})
endmacro()
