// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Cache/DiskCache.h"

#include "CacheFolder.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

namespace relayout {

static Error diskError(const std::string &text) { return {ErrorCode::Environment, text}; }

/// Whether only the user who runs this can have written what `facts` are of.
static Status checkOwner(const struct stat &facts) {
  if (facts.st_uid != geteuid())
    return diskError("expects it to belong to user " + std::to_string(geteuid()) +
                     ", but it belongs to " + std::to_string(facts.st_uid));
  if ((facts.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return diskError("expects that no other user may write it");
  return Status::success();
}

/// The folder and those that it lies in, for their owner alone.
static void makeFolders(const std::string &path) {
  for (size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1))
    mkdir(path.substr(0, end).c_str(), 0700);
  mkdir(path.c_str(), 0700);
}

DiskCache::DiskCache(DiskCacheOptions given) : options(std::move(given)) {
  if (!options.problem.empty())
    noteProblem(options.problem);
  else if (options.mode == CacheMode::Off)
    return;
  else if (Status status = openFolder(); !status)
    noteProblem("'" + options.directory + "': " + status.error().message);
}

Status DiskCache::openFolder() {
  if (options.directory.empty() || options.directory[0] != '/')
    return diskError("expects an absolute path");
  if (options.mode == CacheMode::ReadWrite)
    makeFolders(options.directory);
  FileHandle opened(
      open(options.directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat facts;
  if (!opened || fstat(opened.get(), &facts) != 0)
    return diskError(systemError("open"));
  if (Status status = checkOwner(facts); !status)
    return status;
  folder = std::move(opened);
  return Status::success();
}

void DiskCache::noteProblem(const std::string &text) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!firstProblem)
    firstProblem = text;
}

const char *DiskCache::problem() const {
  std::lock_guard<std::mutex> lock(mutex);
  return firstProblem ? firstProblem->c_str() : nullptr;
}

std::string DiskCache::fileName(const CacheKey &key) {
  std::string name;
  for (unsigned char byte : key.digest())
    for (int digit : {byte >> 4, byte & 15})
      name += "0123456789abcdef"[digit];
  return name + kEntrySuffix;
}

Result<Image> DiskCache::readEntry(const FileHandle &file, const CacheKey &key) const {
  struct stat facts;
  if (fstat(file.get(), &facts) != 0)
    return diskError(systemError("fstat"));
  if (Status status = checkOwner(facts); !status)
    return status.error();
  Result<std::string> bytes = readFile(file);
  if (!bytes)
    return bytes.error();
  Result<Image> image = decodeImage(*bytes);
  if (image && image->key != key.text())
    return diskError("expects the entry of another key");
  return image;
}

std::optional<Image> DiskCache::load(const CacheKey &key) {
  if (!folder)
    return std::nullopt;
  // A link is not followed, a FIFO not waited for.
  FileHandle file(openat(folder.get(), fileName(key).c_str(),
                         O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file && errno == ENOENT)
    return std::nullopt;
  Result<Image> image = file ? readEntry(file, key) : diskError(systemError("open"));
  if (!image) {
    ++refused;
    return std::nullopt;
  }
  if (options.mode == CacheMode::ReadWrite) {
    const timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
    (void)futimens(file.get(), times);
  }
  return image.take();
}

Status DiskCache::write(const std::string &name, std::string_view bytes) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  std::string temporary = kTemporaryPrefix + name + "." + std::to_string(getpid()) + "." +
                          std::to_string(now.tv_nsec) + "." + std::to_string(count++);
  FileHandle file(openat(folder.get(), temporary.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file)
    return diskError(systemError("create"));
  // What a crash of the system leaves has the name of an entry only if it is whole.
  if (writeAll(file, bytes) && fdatasync(file.get()) == 0 &&
      renameat(folder.get(), temporary.c_str(), folder.get(), name.c_str()) == 0)
    return Status::success();
  Status failure = diskError(systemError("write"));
  unlinkat(folder.get(), temporary.c_str(), 0);
  return failure;
}

void DiskCache::store(const CacheKey &key, Image image) {
  if (!folder || options.mode != CacheMode::ReadWrite)
    return;
  image.key = key.text();
  Result<std::string> bytes = encodeImage(image);
  if (!bytes)
    return;
  int64_t size = static_cast<int64_t>(bytes->size());
  if (size > options.size)
    return;
  if (Status status = write(fileName(key), *bytes); !status) {
    ++failed;
    return noteProblem("'" + options.directory + "': " + status.error().message);
  }
  makeRoom(size);
}

void DiskCache::makeRoom(int64_t written) {
  std::lock_guard<std::mutex> lock(mutex);
  writtenSince += written;
  // Others write too: look again at every eighth of what there may be.
  bool isKnown = sizeAtScan >= 0 && writtenSince <= options.size / 8;
  if (isKnown && sizeAtScan + writtenSince <= options.size)
    return;
  sizeAtScan = trimFolder(folder, options.size, options.staleSeconds);
  writtenSince = 0;
}

} // namespace relayout
