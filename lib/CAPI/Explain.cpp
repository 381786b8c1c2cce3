// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Handles.h"

#include "relayout/Schedule/Explain.h"
#include "relayout/Spec/Explain.h"

using namespace relayout;
using namespace relayout::capi;

void capi::describePlan(const relayout_plan &plan) {
  llvm::raw_string_ostream out(plan.explanation);
  const relayout_spec &own = plan.spec;
  SpecReport{own.json, own.spec, own.meaning, own.input, own.output, plan.problem}.writeText(out);
  Result<Machine> machine = plan.service->machine(plan.options);
  Result<MovementReport> report =
      machine ? explainMovement(plan.problem, machine->target, plan.options.result,
                                plan.options.threads, plan.options.schedule)
              : machine.error();
  if (!report) {
    out << "schedule  none: " << report.error().message << '\n';
    return;
  }
  report->writeText(out);
  if (report->schedule)
    plan.schedule = report->schedule->str();
}
