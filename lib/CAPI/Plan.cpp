// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Handles.h"
#include "KernelHandle.h"

#include "relayout/Layout/KernelForm.h"
#include "relayout/Schedule/Schedule.h"

using namespace relayout;
using namespace relayout::capi;

static std::string textOf(const char *text) { return text ? text : ""; }

/// What the caller asks for, in the compiler's words.
static Result<CompilerOptions> optionsOf(const relayout_plan_options &given) {
  CompilerOptions options;
  options.cpu = textOf(given.cpu);
  options.features = textOf(given.features);
  options.schedule = textOf(given.schedule);
  if (given.result)
    options.result = given.result;
  if (given.threads < 0 || given.threads > kMaxThreads)
    return Error{ErrorCode::Usage, "expects threads from 0 to " + std::to_string(kMaxThreads) +
                                       ", but got " + std::to_string(given.threads)};
  if (given.threads != 0)
    options.threads = given.threads;
  if (Result<ResultHint> hint = parseResultHint(options.result); !hint)
    return hint.error();
  return options;
}

/// All that the code of `plan` depends on. Specs that mean the same share a kernel.
static CacheKey keyOf(const relayout_plan &plan, const std::string &machine) {
  const CompilerOptions &options = plan.options;
  const Spec &spec = plan.spec.spec;
  std::string text = machine + "result " + options.result + "\nthreads " +
                     std::to_string(options.threads) + "\nschedule " + options.schedule +
                     "\nproblem " + plan.problem.str() + "\nbytes " +
                     std::to_string(plan.spec.input.bytes) + " " +
                     std::to_string(plan.spec.output.bytes) + "\nfill";
  for (unsigned char byte : spec.padValue.value_or(ElementBits{}))
    text += " " + std::to_string(byte);
  // The numbers of a pair are aligned to half of it.
  text += spec.dtype->kind == ElementKind::Complex ? "\npairs\n" : "\n";
  return CacheKey(std::move(text));
}

/// All that can be wrong with a plan, found before anything is compiled.
static Status checkPlan(relayout_plan &plan) {
  const Spec &spec = plan.spec.spec;
  Result<Problem> problem = buildKernelProblem(plan.spec.meaning, spec.dtype->width, spec.fill(),
                                               plan.spec.input.strides, plan.spec.output.strides);
  if (!problem)
    return problem.error();
  plan.problem = problem.take();
  Result<Machine> machine = plan.service->machine(plan.options);
  if (!machine)
    return machine.error();
  plan.key = keyOf(plan, machine->key);
  if (plan.options.schedule.empty() || splitWithBorders(plan.problem).empty())
    return Status::success();
  ScheduleOptions options{*parseResultHint(plan.options.result), plan.options.threads};
  Result<Schedule> schedule =
      chooseSchedule(plan.problem, machine->target, options, plan.options.schedule);
  return schedule ? Status::success() : Status(schedule.error());
}

relayout_error *relayout_plan_create(relayout_compiler *compiler, const relayout_spec *spec,
                                     const relayout_plan_options *options, relayout_plan **plan) {
  if (relayout_error *error = require(compiler, "compiler"))
    return error;
  if (relayout_error *error = require(spec, "spec"))
    return error;
  if (relayout_error *error = require(plan, "plan"))
    return error;
  relayout_plan_options given = {};
  if (relayout_error *error = readStruct(given, options, "options"))
    return error;
  Result<CompilerOptions> read = optionsOf(given);
  if (!read)
    return fail(read.error());
  auto made = std::make_unique<relayout_plan>();
  made->service = compiler->service;
  made->spec = *spec;
  made->options = read.take();
  if (Status status = checkPlan(*made); !status)
    return fail(status);
  *plan = made.release();
  return nullptr;
}

void relayout_plan_free(relayout_plan *plan) { delete plan; }

const char *relayout_plan_explain(const relayout_plan *plan) {
  if (!plan)
    return nullptr;
  std::call_once(plan->describedOnce, [&] { describePlan(*plan); });
  return plan->explanation.c_str();
}

const char *relayout_plan_schedule(const relayout_plan *plan) {
  if (!plan)
    return nullptr;
  std::call_once(plan->describedOnce, [&] { describePlan(*plan); });
  return plan->schedule.c_str();
}

static Result<std::string> emitPlan(const relayout_plan &plan, const char *stage) {
  if (std::strcmp(stage, "image") == 0) {
    Result<Image> image = plan.service->image(plan.spec.spec, plan.options);
    if (!image)
      return image.error();
    image->spec = plan.spec.json;
    return encodeImage(*image);
  }
  Result<Stage> parsed = parseStage(stage, {"image"});
  if (!parsed)
    return parsed.error();
  return plan.service->emit(plan.spec.spec, plan.options, *parsed);
}

relayout_error *relayout_plan_emit(const relayout_plan *plan, const char *stage,
                                   relayout_data **data) {
  if (relayout_error *error = require(plan, "plan"))
    return error;
  if (relayout_error *error = require(stage, "stage"))
    return error;
  if (relayout_error *error = require(data, "data"))
    return error;
  Result<std::string> bytes = emitPlan(*plan, stage);
  if (!bytes)
    return fail(bytes.error());
  *data = new relayout_data{bytes.take()};
  return nullptr;
}

const void *relayout_data_bytes(const relayout_data *data) {
  return data ? data->bytes.data() : nullptr;
}

size_t relayout_data_size(const relayout_data *data) { return data ? data->bytes.size() : 0; }

void relayout_data_free(relayout_data *data) { delete data; }

relayout_error *relayout_kernel_create(const relayout_plan *plan, relayout_kernel **kernel) {
  if (relayout_error *error = require(plan, "plan"))
    return error;
  if (relayout_error *error = require(kernel, "kernel"))
    return error;
  Result<MemoryCache::Value> cached =
      plan->service->kernel(plan->key, plan->spec.spec, plan->options);
  if (!cached)
    return fail(cached.error());
  *kernel = new relayout_kernel{(*cached)->kernel, plan->spec.json, (*cached)->schedule};
  return nullptr;
}
