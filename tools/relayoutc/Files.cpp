// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Files.h"

#include "relayout/Runtime/Memory.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <unistd.h>

using namespace relayout;
using namespace relayout::driver;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

static Error fileError(StringRef path, const std::string &what) {
  return Error{ErrorCode::Environment,
               (path == "-" ? std::string("standard stream") : "'" + path.str() + "'") + ": " +
                   what};
}

namespace {
/// A file or standard input, read in steps.
class InputStream {
public:
  static Result<std::unique_ptr<InputStream>> open(StringRef path) {
    if (path == "-")
      return std::unique_ptr<InputStream>(new InputStream(path, fs::getStdinHandle(), false));
    llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
    if (!file)
      return fileError(path, llvm::toString(file.takeError()));
    return std::unique_ptr<InputStream>(new InputStream(path, *file, true));
  }
  ~InputStream() {
    if (owned)
      fs::closeFile(file);
  }

  /// Appends to `bytes` until it has `size` bytes or the stream ends.
  Status readUpTo(llvm::SmallVectorImpl<char> &bytes, size_t size) {
    constexpr size_t step = size_t(1) << 20;
    while (bytes.size() < size) {
      size_t before = bytes.size();
      bytes.resize_for_overwrite(std::min(size, before + step));
      llvm::Expected<size_t> count =
          fs::readNativeFile(file, {bytes.data() + before, bytes.size() - before});
      bytes.truncate(before + (count ? *count : 0));
      if (!count)
        return fileError(path, llvm::toString(count.takeError()));
      if (*count == 0)
        break;
    }
    return Status::success();
  }

private:
  InputStream(StringRef path, fs::file_t file, bool owned) : path(path), file(file), owned(owned) {}
  StringRef path;
  fs::file_t file;
  bool owned;
};
} // namespace

Result<std::string> driver::readTextFile(StringRef path, size_t maxBytes) {
  Result<std::unique_ptr<InputStream>> stream = InputStream::open(path);
  if (!stream)
    return stream.error();
  llvm::SmallString<0> bytes;
  if (Status status = (*stream)->readUpTo(bytes, maxBytes + 1); !status)
    return status.error();
  if (bytes.size() > maxBytes)
    return Error{ErrorCode::Limit, "expects '" + path.str() + "' to have at most " +
                                       llvm::utostr(maxBytes) + " bytes"};
  return bytes.str().str();
}

/// Reads a .npy stream: the header first, which says how much more there may be.
static Result<std::unique_ptr<llvm::MemoryBuffer>> readNpyStream(StringRef path) {
  constexpr size_t headerBytes = 65536 + 64;
  Result<std::unique_ptr<InputStream>> stream = InputStream::open(path);
  if (!stream)
    return stream.error();
  llvm::SmallString<0> bytes;
  if (Status status = (*stream)->readUpTo(bytes, headerBytes); !status)
    return status.error();
  Result<NpyHeader> header = parseNpyHeader(bytes);
  if (!header)
    return header.error();
  ElementType type{"", ElementKind::Unsigned, header->width};
  Result<int64_t> size = denseBytes(type, header->shape);
  if (!size)
    return size.error();
  if (Status status = checkMemory({*size}); !status)
    return status.error();
  // One byte more shows that the stream goes on.
  if (Status status = (*stream)->readUpTo(bytes, header->dataOffset + *size + 1); !status)
    return status.error();
  return llvm::MemoryBuffer::getMemBufferCopy(bytes, path);
}

Result<std::unique_ptr<llvm::MemoryBuffer>> driver::readNpyFile(StringRef path) {
  if (path == "-" || !fs::is_regular_file(path))
    return readNpyStream(path);
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return fileError(path, file.getError().message());
  return std::move(*file);
}

/// Writes through `out` and reports what the system said of it.
static Status writeStream(StringRef path, llvm::raw_fd_ostream &out,
                          llvm::function_ref<void(llvm::raw_ostream &)> write) {
  write(out);
  out.flush();
  if (!out.has_error())
    return Status::success();
  std::string what = out.error().message();
  out.clear_error();
  return fileError(path, what);
}

/// The folder that `path` lies in, without links; empty if there is none.
static std::filesystem::path folderOf(const std::filesystem::path &path) {
  std::error_code code;
  return std::filesystem::canonical(std::filesystem::absolute(path, code).parent_path(), code);
}

/// True for what stands for a file that a process has open, as /dev/stdout leads to.
static bool isOpenFile(const std::filesystem::path &path) {
  std::error_code code;
  return std::filesystem::is_symlink(path, code) &&
         StringRef(folderOf(path).native()).starts_with("/proc/");
}

/// What `path` names behind its links, which need not exist; those of open files are not followed.
static std::filesystem::path behindLinks(StringRef path) {
  constexpr int most = 40; // as Linux follows
  std::filesystem::path target(path.str());
  std::error_code code;
  for (int i = 0; i < most && std::filesystem::is_symlink(target, code) && !isOpenFile(target); ++i)
    target = target.parent_path() / std::filesystem::read_symlink(target, code);
  return target;
}

/// Writes to what is there, which must not be replaced: a device, a pipe, an open file.
static Status writeInPlace(StringRef path, const std::filesystem::path &target,
                           llvm::function_ref<void(llvm::raw_ostream &)> write) {
  // An open file of this process is written where it stands: who shares it goes on behind.
  std::string own = "/proc/" + std::to_string(::getpid()) + "/fd";
  int descriptor;
  if (folderOf(target) == own &&
      !StringRef(target.filename().native()).getAsInteger(10, descriptor)) {
    llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/false);
    return writeStream(path, out, write);
  }
  std::error_code code;
  llvm::raw_fd_ostream out(target.native(), code, isOpenFile(target) ? fs::OF_Append : fs::OF_None);
  return code ? Status(fileError(path, code.message())) : writeStream(path, out, write);
}

Status driver::writeFile(StringRef path, llvm::function_ref<void(llvm::raw_ostream &)> write) {
  if (path == "-")
    return writeStream(path, llvm::outs(), write);
  fs::file_status existing;
  std::error_code found = fs::status(path, existing);
  if (found == std::errc::too_many_symbolic_link_levels)
    return fileError(path, found.message());
  const std::filesystem::path target = behindLinks(path);
  if (isOpenFile(target) || (!found && existing.type() != fs::file_type::regular_file))
    return writeInPlace(path, target, write);
  llvm::Expected<fs::TempFile> file =
      fs::TempFile::create(target.native() + ".part-%%%%%%", fs::all_read | fs::all_write);
  if (!file)
    return fileError(path, llvm::toString(file.takeError()));
  llvm::raw_fd_ostream out(file->FD, /*shouldClose=*/false);
  Status status = writeStream(path, out, write);
  if (!status) {
    llvm::consumeError(file->discard());
    return status;
  }
  if (llvm::Error error = file->keep(target.native()))
    return fileError(path, llvm::toString(std::move(error)));
  return status;
}
