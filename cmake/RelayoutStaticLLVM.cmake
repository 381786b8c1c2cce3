# RELAYOUT_STATIC_LLVM: librelayout holds LLVM and MLIR itself, hidden, and needs nothing
# of them at run time. Only the parts that it calls are linked, and of the back ends only
# the host's. All else (tools, tests, C++ libraries) uses the shared libraries as ever.
option(RELAYOUT_STATIC_LLVM "Link LLVM and MLIR into librelayout, hidden" OFF)
file(GLOB RELAYOUT_LLVM_ARCHIVES "${LLVM_LIBRARY_DIR}/libMLIR*.a" "${LLVM_LIBRARY_DIR}/libLLVM*.a")
if(RELAYOUT_STATIC_LLVM AND NOT RELAYOUT_LLVM_ARCHIVES)
  message(FATAL_ERROR "RELAYOUT_STATIC_LLVM expects the archives of LLVM and MLIR in "
    "${LLVM_LIBRARY_DIR}, but there are none")
endif()

# relayout_link_static_llvm(TARGET LIBRARY...): links the project's LIBRARYs, what they use
# of the project, and LLVM into TARGET, as archives by path. Their targets would bring the
# shared libraries of LLVM in too, and two copies of LLVM in one library register their
# options twice.
function(relayout_link_static_llvm target)
  set(_found)
  set(_todo ${ARGN})
  while(_todo)
    list(POP_FRONT _todo _library)
    if(TARGET ${_library} AND _library MATCHES "^Relayout" AND NOT _library IN_LIST _found)
      list(APPEND _found ${_library})
      get_target_property(_more ${_library} INTERFACE_LINK_LIBRARIES)
      if(_more)
        list(APPEND _todo ${_more})
      endif()
    endif()
  endwhile()
  list(TRANSFORM _found REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE _files)
  find_package(ZLIB REQUIRED)
  find_library(RELAYOUT_ZSTD zstd REQUIRED)
  add_dependencies(${target} ${_found})
  target_link_libraries(${target} PRIVATE -Wl,--start-group ${_files} ${RELAYOUT_LLVM_ARCHIVES}
    -Wl,--end-group ZLIB::ZLIB ${RELAYOUT_ZSTD} ${CMAKE_DL_LIBS})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${_files})
endfunction()
