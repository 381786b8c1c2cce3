// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses every part of the C++ headers; fails with the line that is not so.

#include <relayout-c/relayout.hpp>

#include <complex>
#include <cstdio>
#include <cstring>
#include <numeric>

using namespace relayout::api;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                          \
      return false;                                                                                \
    }                                                                                              \
  } while (0)

/// The result shape of a spec, and that its JSON gives it again.
static bool makes(const Expected<Spec> &spec, const Shape &shape) {
  if (!spec)
    std::printf("%s\n", spec.error().message().c_str());
  CHECK(spec && spec->outputShape() == shape);
  Expected<Spec> again = Spec::json(spec->json());
  CHECK(again && again->json() == spec->json());
  return true;
}

static bool testSpecs() {
  Tensor images = Tensor::of<float>({2, 12, 3, 5});
  CHECK(makes(Spec::depthToSpace(images, "NCHW", "DCR", {2}), {2, 3, 6, 10}));
  CHECK(makes(Spec::spaceToDepth(images, "NCHW", "CRD", {3, 5}), {2, 180, 1, 1}));
  CHECK(makes(Spec::spaceToBatch(images, {4, 1}, {{0, 0}, {1, 2}}, "0.5"), {8, 3, 6, 5}));
  CHECK(makes(Spec::batchToSpace(images, {2, 1}, {{1, 0}, {0, 2}}), {1, 23, 1, 5}));
  CHECK(makes(Spec::pixelShuffle(images, 2), {2, 3, 6, 10}));
  CHECK(makes(Spec::pixelUnshuffle(Tensor{"bf16", {4, 6, 2}}, 2), {16, 3, 1}));
  CHECK(makes(Spec::channelShuffle(images, 4), {2, 12, 3, 5}));
  CHECK(makes(Spec::transpose(Tensor{"", {2, 3}, 16}, {1, 0}), {3, 2}));
  CHECK(makes(Spec::pattern("n (g c) h w -> g n (h w) c", images, {{"g", 4}}), {4, 2, 15, 3}));
  const Spec::Sizes sizes = {{"g", 4}};
  CHECK(makes(Spec::pattern("n (g c) h w -> g n (h w) c", images, sizes), {4, 2, 15, 3}));
  CHECK(makes(Spec::pattern("n c h w -> w h c n", images), {5, 3, 12, 2}));
  CHECK(makes(Spec::pattern("n c h w -> w h c n", images, {}), {5, 3, 12, 2}));
#if __cplusplus >= 202002
  CHECK(makes(Spec::pattern("n c h w -> w h c n", images, {.crop = {{1, 0}, {}, {}, {}}}),
              {4, 3, 12, 2}));
#endif
  Spec::PatternOptions windows;
  windows.pad = {{1, 0}, {0, 0}, {0, 0}, {0, 2}};
  windows.crop = {{0, 1}, {2, 0}};
  windows.padValue = "nan";
  CHECK(makes(Spec::pattern("n c h w -> (n c) (w h)", images, windows), {35, 19}));

  windows.crop = {{0, 1}};
  CHECK(Spec::pattern("n c h w -> (n c) (w h)", images, windows).error().code() ==
        RELAYOUT_ERROR_CROP);
  windows.pad = {{0, 1}};
  CHECK(Spec::pattern("n c h w -> (n c) (w h)", images, windows).error().code() ==
        RELAYOUT_ERROR_PAD);
  CHECK(Spec::spaceToBatch(images, {4, 1}, {{0, 0}}).error().code() == RELAYOUT_ERROR_PAD);
  CHECK(Spec::batchToSpace(images, {4, 1}, {{0, 0}}).error().code() == RELAYOUT_ERROR_CROP);
  CHECK(Spec::transpose(images, {0}).error().code() == RELAYOUT_ERROR_PERMUTATION);
  Expected<Spec> bad = Spec::pixelShuffle(images, 0);
  CHECK(!bad && !bad.has_value() && bad.error().code() == RELAYOUT_ERROR_BLOCK);
  CHECK(bad.error().message().find("but got 0") != std::string::npos);
  return true;
}

template <typename T> static std::string dtypeOfSpec() {
  Expected<Spec> spec = Spec::transpose(Tensor::of<T>({2, 3}), {1, 0});
  return spec && spec->width() == int64_t{sizeof(T)} ? std::string(spec->dtype()) : "none";
}

/// An integral type only where the compiler has its extensions.
__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

static bool testTypes() {
  struct Opaque {
    double parts[2];
  };
  CHECK(dtypeOfSpec<bool>() == "bool" && dtypeOfSpec<const float>() == "f32");
  CHECK(dtypeOfSpec<int8_t>() == "i8" && dtypeOfSpec<uint64_t>() == "u64");
  CHECK(dtypeOfSpec<Wide>() == "b128" && dtypeOfSpec<UnsignedWide>() == "b128");
  CHECK(dtypeOfSpec<Opaque>() == "b128");
  CHECK(dtypeOfSpec<std::complex<float>>() == "c64");
  CHECK(dtypeOfSpec<const std::complex<double>>() == "c128");
  return true;
}

/// Complex numbers need the alignment of a part, and pads hold them.
static bool testComplex(const Compiler &compiler) {
  using Complex = std::complex<float>;
  Spec::PatternOptions options;
  options.pad = {{1, 0}, {0, 0}};
  options.padValue = "1.5,0";
  Expected<Spec> spec = Spec::pattern("a b -> b a", Tensor::of<Complex>({1, 2}), options);
  CHECK(spec);
  Expected<Kernel> kernel = compiler.compile(*spec);
  CHECK(kernel && kernel->info().alignment == alignof(Complex));
  const Complex in[2] = {{1, 2}, {3, 4}};
  alignas(8) float memory[9];
  Complex *out = reinterpret_cast<Complex *>(memory + 1);
  CHECK(kernel->run(spec->input(in), spec->output(out)));
  CHECK(out[0] == Complex(1.5, 0) && out[1] == in[0] && out[2] == out[0] && out[3] == in[1]);
  return true;
}

static bool testKernels(const Compiler &compiler) {
  Expected<Spec> spec = Spec::transpose(Tensor::of<int32_t>({3, 5}), {1, 0});
  CHECK(spec && spec->dtype() == "i32" && spec->width() == 4);
  CHECK(spec->setStrides({1}, {}).error().code() == RELAYOUT_ERROR_LAYOUT);
  CHECK(spec->setStrides({1, 4}, {}));
  CHECK(spec->inputSize() == 19 * 4 && spec->outputSize() == 15 * 4);
  CHECK(spec->inputStrides() == (Shape{1, 4}) && spec->inverse()->outputStrides() == (Shape{1, 4}));
  Expected<Plan> plan = compiler.plan(*spec);
  CHECK(plan && std::strstr(plan->explain(), plan->schedule()));
  CHECK(plan->emit("asm")->find("kernel:") != std::string::npos && !plan->emit("cheese"));
  Expected<Kernel> kernel = plan->kernel();
  CHECK(kernel && verify(*kernel) && kernel->info().output_size == 60);

  std::vector<int32_t> in(20), out(15);
  std::iota(in.begin(), in.end(), 100);
  View<const int32_t> from = spec->input(in.data());
  View<int32_t> to = spec->output(out.data());
  CHECK(from.required_span_size() == 19 && from.rank() == 2 && to.extent(0) == 5);
  Expected<Pool> pool = Pool::create(3);
  CHECK(pool && !Pool::create(0));
  for (const relayout_executor *executor :
       {static_cast<const relayout_executor *>(nullptr), pool->executor()}) {
    out.assign(15, 0);
    CHECK(kernel->run(from, to, executor));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 5; ++j)
        CHECK(to(j, i) == from(i, j) && from(i, j) == 100 + i + 4 * j);
  }
  out.assign(15, 7);
  CHECK(kernel->run(View<const int32_t>(in.data(), {3, 5}), to).error().code() ==
        RELAYOUT_ERROR_BUFFER);
  CHECK(kernel->runUnits({in.data(), 80}, {out.data(), 60}, nullptr, 0, 0));
  CHECK(out == std::vector<int32_t>(15, 7));
  CHECK(std::strstr(kernel->spec(), "input_strides") && kernel->schedule()[0]);
  CHECK(bench(*kernel, true)->gbps > 0);
  PlanOptions options;
  options.cpu = "none-such";
  CHECK(compiler.compile(*spec, options).error().code() == RELAYOUT_ERROR_USAGE);
  CHECK(!Kernel::load("x", 1) && !Kernel::loadFile("/nonexistent"));
  return true;
}

int main() {
  Expected<Compiler> compiler = Compiler::create();
  if (!compiler || !testSpecs() || !testTypes() || !testKernels(*compiler) ||
      !testComplex(*compiler))
    return 1;
  std::printf("%s, %d kernels\n", relayout_version(),
              static_cast<int>(compiler->statistics().compiles));
  return 0;
}
