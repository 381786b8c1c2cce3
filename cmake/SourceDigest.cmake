# cmake -DROOT=... -DOUTPUT=... -P SourceDigest.cmake
#
# Writes a header with a digest of all sources that decide what code a kernel gets.
file(GLOB_RECURSE _files LIST_DIRECTORIES false RELATIVE "${ROOT}"
  "${ROOT}/lib/*" "${ROOT}/include/*" "${ROOT}/mlir-dialect/*")
list(SORT _files)
set(_text "")
foreach(_file ${_files})
  file(SHA256 "${ROOT}/${_file}" _digest)
  string(APPEND _text "${_file} ${_digest}\n")
endforeach()
string(SHA256 _digest "${_text}")
string(SUBSTRING "${_digest}" 0 32 _digest)
file(WRITE "${OUTPUT}" "#define RELAYOUT_SOURCE_DIGEST \"${_digest}\"\n")
