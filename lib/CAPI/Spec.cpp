// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Handles.h"

#include "relayout/Spec/GuardedJson.h"

using namespace relayout;
using namespace relayout::capi;

Result<relayout_spec> capi::makeSpecHandle(Spec spec) {
  Result<Rearrangement> meaning = toRearrangement(spec);
  if (!meaning)
    return meaning.error();
  if (Status status = checkShape(meaning->resultShape(), spec.dtype->width); !status)
    return status.error();
  Result<std::pair<SpecSide, SpecSide>> sides = specSides(spec, *meaning);
  if (!sides)
    return sides.error();
  std::string json = printSpecJson(spec);
  return relayout_spec{std::move(spec), meaning.take(), std::move(sides->first),
                       std::move(sides->second), std::move(json)};
}

Result<Spec> capi::parseSpecText(llvm::StringRef text) {
  Result<llvm::json::Value> value = parseGuardedJson(text);
  if (!value)
    return value.error();
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return Error{ErrorCode::Syntax, "expects a spec to be a JSON object"};
  return parseSpecJson(*object);
}

relayout_error *capi::finishSpec(Result<Spec> spec, relayout_spec **handle) {
  if (!spec)
    return fail(spec.error());
  Result<relayout_spec> made = makeSpecHandle(spec.take());
  if (!made)
    return fail(made.error());
  *handle = new relayout_spec(made.take());
  return nullptr;
}

relayout_error *relayout_spec_create_json(const char *text, size_t length, relayout_spec **spec) {
  if (relayout_error *error = require(spec, "spec"))
    return error;
  if (relayout_error *error = require(text, "text"))
    return error;
  return finishSpec(parseSpecText(llvm::StringRef(text, length)), spec);
}

relayout_error *relayout_spec_set_strides(relayout_spec *spec, const int64_t *input,
                                          const int64_t *output) {
  if (relayout_error *error = require(spec, "spec"))
    return error;
  auto list = [](const int64_t *strides, const SpecSide &side) {
    return strides ? std::vector<int64_t>(strides, strides + side.shape.size())
                   : std::vector<int64_t>();
  };
  Spec strided = spec->spec;
  strided.inputStrides = list(input, spec->input);
  strided.outputStrides = list(output, spec->output);
  Result<relayout_spec> made = makeSpecHandle(std::move(strided));
  if (!made)
    return fail(made.error());
  relayout_spec next = made.take();
  // They are what they were, and callers may hold them.
  next.input.shape = std::move(spec->input.shape);
  next.output.shape = std::move(spec->output.shape);
  *spec = std::move(next);
  return nullptr;
}

relayout_error *relayout_spec_invert(const relayout_spec *spec, relayout_spec **inverse) {
  if (relayout_error *error = require(spec, "spec"))
    return error;
  if (relayout_error *error = require(inverse, "inverse"))
    return error;
  return finishSpec(invertSpec(spec->spec, spec->meaning), inverse);
}

static const SpecSide &sideOf(const relayout_spec &spec, int output) {
  return output ? spec.output : spec.input;
}

int64_t relayout_spec_rank(const relayout_spec *spec, int output) {
  return spec ? static_cast<int64_t>(sideOf(*spec, output).shape.size()) : 0;
}

const int64_t *relayout_spec_shape(const relayout_spec *spec, int output) {
  return spec ? sideOf(*spec, output).shape.data() : nullptr;
}

const int64_t *relayout_spec_strides(const relayout_spec *spec, int output) {
  return spec ? sideOf(*spec, output).strides.data() : nullptr;
}

int64_t relayout_spec_size(const relayout_spec *spec, int output) {
  return spec ? sideOf(*spec, output).bytes : 0;
}

const char *relayout_spec_dtype(const relayout_spec *spec) {
  return spec ? spec->spec.dtype->name : nullptr;
}

int64_t relayout_spec_width(const relayout_spec *spec) {
  return spec ? spec->spec.dtype->width : 0;
}

const char *relayout_spec_json(const relayout_spec *spec) {
  return spec ? spec->json.c_str() : nullptr;
}

void relayout_spec_free(relayout_spec *spec) { delete spec; }
