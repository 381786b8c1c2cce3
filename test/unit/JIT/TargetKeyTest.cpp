// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TargetKey.h"

#include "relayout/JIT/Compiler.h"
#include "relayout/Runtime/HostFeatures.h"

#include <gtest/gtest.h>
#include <set>

using namespace relayout;

namespace {

TEST(TargetKey, TellsMachinesOfOneProcessorApart) {
  std::set<std::string> keys{targetKey(TargetInfo())};
  size_t machines = 1;
  for (int64_t TargetInfo::*size :
       {&TargetInfo::pageBytes, &TargetInfo::l1Bytes, &TargetInfo::l1Ways, &TargetInfo::l2Bytes,
        &TargetInfo::l3Bytes, &TargetInfo::tlbPages}) {
    TargetInfo target;
    target.*size *= 2;
    keys.insert(targetKey(target));
    ++machines;
  }
  TargetInfo fetching, sharing;
  fetching.memory.fetches = true;
  sharing.memory.sharedPageCost = 0.25;
  keys.insert({targetKey(fetching), targetKey(sharing)});
  EXPECT_EQ(keys.size(), machines + 2);
}

TEST(TargetKey, IsTheSameTextEverywhere) {
  EXPECT_EQ(targetKey(TargetInfo()),
            " 0 8 16 4096 32768 8 1048576 8 33554432 64 1536 0 0 0"
            " 16 0.4 0.12 0.25 0 64 0 64 0 4 0 0 0 0 0 1 0.2 0.2 0 0.65 1");
}

TEST(TargetKey, IsPartOfWhatKernelsAreFoundBy) {
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create();
  ASSERT_TRUE(compiler) << compiler.error().message;
  std::string key = targetKey((*compiler)->target());
  EXPECT_NE((*compiler)->machineKey().find("\nmachine" + key + "\n"), std::string::npos);
}

TEST(TargetKey, TellsTriplesAndFeaturesThatSchedulesDoNotSee) {
  std::set<std::string> keys;
  CompilerOptions options;
  auto add = [&] {
    Result<std::unique_ptr<Compiler>> compiler = Compiler::create(options);
    ASSERT_TRUE(compiler) << compiler.error().message;
    keys.insert((*compiler)->machineKey());
  };
  std::string arch = hostArch();
  options.triple = arch + "-unknown-linux-gnu";
  add();
  options.features = arch == "x86_64" ? "+bmi2" : "+crc";
  add();
  options.triple = arch + "-unknown-freebsd";
  add();
  EXPECT_EQ(keys.size(), 3u);
}

} // namespace
