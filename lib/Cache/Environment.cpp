// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Cache/DiskCache.h"

#include <cstdlib>
#include <sys/auxv.h>

namespace relayout {

/// Empty where it is not set.
static std::string variable(const char *name) {
  const char *value = secure_getenv(name);
  return value ? value : "";
}

static std::string folderFromEnvironment(std::string &problem) {
  if (std::string folder = variable("RELAYOUT_CACHE_DIR"); !folder.empty())
    return folder;
  // The standard says that a path that is not absolute is as good as none.
  if (std::string caches = variable("XDG_CACHE_HOME"); !caches.empty() && caches[0] == '/')
    return caches + "/relayout";
  if (std::string home = variable("HOME"); !home.empty() && home[0] == '/')
    return home + "/.cache/relayout";
  problem = getauxval(AT_SECURE) != 0
                ? "no folder: the program has more rights than its caller, whose environment would "
                  "name it"
                : "no folder: none of RELAYOUT_CACHE_DIR, XDG_CACHE_HOME and HOME names one";
  return "";
}

static CacheMode modeFromEnvironment(std::string &problem) {
  std::string mode = variable("RELAYOUT_CACHE");
  if (mode.empty() || mode == "rw")
    return CacheMode::ReadWrite;
  if (mode == "ro")
    return CacheMode::Read;
  if (mode != "off")
    problem = "expects RELAYOUT_CACHE to be off, ro or rw, but got '" + mode + "'";
  return CacheMode::Off;
}

DiskCacheOptions chooseDiskCache(std::optional<CacheMode> mode, const std::string &directory) {
  DiskCacheOptions options;
  options.mode = mode ? *mode : modeFromEnvironment(options.problem);
  if (options.mode != CacheMode::Off)
    options.directory = directory.empty() ? folderFromEnvironment(options.problem) : directory;
  if (!options.problem.empty())
    options.mode = CacheMode::Off;
  return options;
}

} // namespace relayout
