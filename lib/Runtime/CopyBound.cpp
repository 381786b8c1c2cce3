// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "relayout/Runtime/CopyBound.h"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace relayout;

namespace {
constexpr int64_t kLine = 64;

/// Copies `lines` lines in each of `streams` streams that lie `distance` bytes apart,
/// one line of each in turn.
using StreamCopy = void (*)(const char *in, char *out, int64_t lines, int64_t streams,
                            int64_t distance);

#if defined(__x86_64__)
__attribute__((target("avx512f"))) void streamAVX512(const char *in, char *out, int64_t lines,
                                                     int64_t streams, int64_t distance) {
  for (int64_t i = 0; i < lines * kLine; i += kLine)
    for (int64_t s = 0; s < streams; ++s)
      _mm512_stream_si512(reinterpret_cast<__m512i *>(out + s * distance + i),
                          _mm512_loadu_si512(in + s * distance + i));
  _mm_sfence();
}

__attribute__((target("avx512f"))) void vectorAVX512(const char *in, char *out, int64_t lines,
                                                     int64_t, int64_t) {
  for (int64_t i = 0; i < lines * kLine; i += kLine)
    _mm512_storeu_si512(out + i, _mm512_loadu_si512(in + i));
}

__attribute__((target("avx"))) void streamAVX(const char *in, char *out, int64_t lines,
                                              int64_t streams, int64_t distance) {
  for (int64_t i = 0; i < lines * kLine; i += kLine)
    for (int64_t s = 0; s < streams; ++s)
      for (int64_t half = 0; half < kLine; half += 32) {
        int64_t at = s * distance + i + half;
        _mm256_stream_si256(reinterpret_cast<__m256i *>(out + at),
                            _mm256_loadu_si256(reinterpret_cast<const __m256i *>(in + at)));
      }
  _mm_sfence();
}

__attribute__((target("avx"))) void vectorAVX(const char *in, char *out, int64_t lines, int64_t,
                                              int64_t) {
  for (int64_t i = 0; i < lines * kLine; i += 32)
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(out + i),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i *>(in + i)));
}

void streamSSE2(const char *in, char *out, int64_t lines, int64_t streams, int64_t distance) {
  for (int64_t i = 0; i < lines * kLine; i += kLine)
    for (int64_t s = 0; s < streams; ++s)
      for (int64_t part = 0; part < kLine; part += 16) {
        int64_t at = s * distance + i + part;
        _mm_stream_si128(reinterpret_cast<__m128i *>(out + at),
                         _mm_loadu_si128(reinterpret_cast<const __m128i *>(in + at)));
      }
  _mm_sfence();
}

void vectorSSE2(const char *in, char *out, int64_t lines, int64_t, int64_t) {
  for (int64_t i = 0; i < lines * kLine; i += 16)
    _mm_storeu_si128(reinterpret_cast<__m128i *>(out + i),
                     _mm_loadu_si128(reinterpret_cast<const __m128i *>(in + i)));
}

StreamCopy bestStreamCopy(CopyMethod::Kind kind) {
  bool streams = kind == CopyMethod::Kind::NonTemporal;
  if (__builtin_cpu_supports("avx512f"))
    return streams ? streamAVX512 : vectorAVX512;
  if (__builtin_cpu_supports("avx"))
    return streams ? streamAVX : vectorAVX;
  return streams ? streamSSE2 : vectorSSE2;
}
#else
void portableCopy(const char *in, char *out, int64_t lines, int64_t streams, int64_t distance) {
  for (int64_t i = 0; i < lines * kLine; i += kLine)
    for (int64_t s = 0; s < streams; ++s)
      std::memcpy(out + s * distance + i, in + s * distance + i, kLine);
}

StreamCopy bestStreamCopy(CopyMethod::Kind) { return portableCopy; }
#endif

void copyShare(const CopyMethod &method, const char *in, char *out, int64_t bytes) {
  int64_t linesEach = bytes / kLine / method.streams;
  if (method.kind == CopyMethod::Kind::Memcpy || linesEach == 0) {
    std::memcpy(out, in, bytes);
    return;
  }
  int64_t distance = linesEach * kLine, covered = distance * method.streams;
  bestStreamCopy(method.kind)(in, out, linesEach, method.streams, distance);
  std::memcpy(out + covered, in + covered, bytes - covered);
}

struct SharedCopy {
  const CopyMethod &method;
  const char *in;
  char *out;
  int64_t bytes;
  int64_t tasks;

  static void task(void *self, int64_t index) {
    const auto &copy = *static_cast<SharedCopy *>(self);
    UnitRange lines = unitShare((copy.bytes + kLine - 1) / kLine, copy.tasks, index);
    int64_t begin = lines.begin * kLine, end = lines.end * kLine;
    if (end > copy.bytes)
      end = copy.bytes;
    if (begin < end)
      copyShare(copy.method, copy.in + begin, copy.out + begin, end - begin);
  }
};
} // namespace

void relayout::copyByMethod(const CopyMethod &method, const void *in, void *out, int64_t bytes,
                            const Executor *executor) {
  SharedCopy copy{method, static_cast<const char *>(in), static_cast<char *>(out), bytes,
                  executor ? executor->width : 1};
  if (copy.tasks > 1)
    executor->run(executor->context, copy.tasks, &SharedCopy::task, &copy);
  else
    copyShare(method, copy.in, copy.out, bytes);
}
