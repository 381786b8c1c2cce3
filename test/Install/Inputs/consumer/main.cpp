// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program does that embeds the compiler: a spec, a kernel, a call.

#include "relayout/IR/Relayout.h"
#include "relayout/JIT/Compiler.h"
#include "relayout/Spec/Module.h"
#include "relayout/Spec/Spec.h"

#include <cstdio>

using namespace relayout;

static int fail(const Error &error) {
  std::fprintf(stderr, "%s: %s\n", codeWord(error.code), error.message.c_str());
  return 1;
}

int main() {
  Result<Spec> spec = parseSpecFlags("pixel_shuffle", {{"shape", "4x1x3xu8"}, {"block_size", "2"}});
  if (!spec)
    return fail(spec.error());
  Result<std::unique_ptr<Compiler>> compiler = Compiler::create();
  if (!compiler)
    return fail(compiler.error());
  Result<Kernel> kernel =
      (*compiler)->compile([&](mlir::MLIRContext &context) { return buildModule(*spec, context); });
  if (!kernel)
    return fail(kernel.error());

  unsigned char in[12], out[12];
  for (unsigned char i = 0; i < 12; ++i)
    in[i] = i;
  Status status = kernel->run({in, sizeof in}, {out, sizeof out});
  if (!status)
    return fail(status.error());
  for (unsigned char value : out)
    std::printf("%d ", value);
  std::printf("\n");
  return 0;
}
