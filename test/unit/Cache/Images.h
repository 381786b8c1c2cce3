// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
/// \file
/// Images and folders for the tests of the caches.

#ifndef RELAYOUT_TEST_UNIT_CACHE_IMAGES_H
#define RELAYOUT_TEST_UNIT_CACHE_IMAGES_H

#include "relayout/Cache/DiskCache.h"
#include "relayout/Runtime/HostFeatures.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace relayout::test {

/// A plain copy of `bytes` bytes, whose schedule is `mark`.
inline Image copyImage(const std::string &mark, int64_t bytes = 7) {
  Image image;
  image.arch = hostArch();
  image.build = "a test";
  ImageVariant variant;
  variant.kernel.info.inputBytes = variant.kernel.info.outputBytes = bytes;
  variant.kernel.copy = {0, 0, bytes};
  variant.kernel.schedule = mark;
  image.variants.push_back(std::move(variant));
  return image;
}

inline std::string markOf(const Image &image) { return image.variants[0].kernel.schedule; }

/// An empty folder that goes with what is in it.
class Folder {
public:
  Folder() {
    std::string pattern = std::string(P_tmpdir) + "/relayout-cache-" + std::string(6, 'X');
    path = mkdtemp(pattern.data());
  }
  ~Folder() { (void)!std::system(("rm -rf '" + path + "'").c_str()); }
  std::string operator/(const std::string &name) const { return path + "/" + name; }
  std::string path;
};

inline DiskCacheOptions in(const std::string &directory) {
  DiskCacheOptions options;
  options.directory = directory;
  return options;
}

inline std::string readAll(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void writeAll(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  chmod(path.c_str(), 0600);
}

} // namespace relayout::test

#endif // RELAYOUT_TEST_UNIT_CACHE_IMAGES_H
