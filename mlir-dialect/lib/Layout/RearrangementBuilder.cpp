// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RearrangementBuilder.h"

#include "Text.h"

using namespace relayout;

using Group = Rearrangement::Group;

RearrangementBuilder::RearrangementBuilder(const std::vector<int64_t> &operandShape) {
  r.operandShape = operandShape;
  r.operandGroups.resize(operandShape.size());
  r.pad.resize(operandShape.size());
}

unsigned RearrangementBuilder::digit(std::string name, int64_t extent) {
  r.digits.push_back({std::move(name), extent});
  return r.digits.size() - 1;
}

void RearrangementBuilder::setResult(unsigned dim, Group group) {
  if (dim >= r.resultGroups.size()) {
    r.resultGroups.resize(dim + 1);
    r.crop.resize(dim + 1);
  }
  r.resultGroups[dim] = std::move(group);
}

std::optional<Group> RearrangementBuilder::splitTail(Group &digits, int64_t extent,
                                                     const char *name) {
  Group tail;
  while (extent != 1) {
    if (digits.empty())
      return std::nullopt;
    unsigned last = digits.back();
    int64_t lastExtent = r.digits[last].extent;
    if (lastExtent != 0 && extent % lastExtent == 0) {
      tail.insert(tail.begin(), last);
      digits.pop_back();
      extent /= lastExtent;
    } else if (lastExtent % extent == 0) {
      r.digits[last].extent = lastExtent / extent;
      unsigned low = digit(name, extent);
      for (Group &group : r.operandGroups)
        for (size_t i = 0; i < group.size(); ++i)
          if (group[i] == last) {
            group.insert(group.begin() + i + 1, low);
            break;
          }
      tail.insert(tail.begin(), low);
      extent = 1;
    } else {
      return std::nullopt;
    }
  }
  return tail;
}

std::string RearrangementBuilder::extentsOf(const Group &digits) const {
  std::vector<int64_t> extents;
  for (unsigned digit : digits)
    extents.push_back(r.digits[digit].extent);
  return join(extents, " * ");
}

Result<Rearrangement> RearrangementBuilder::finish() {
  if (Status status = r.verify(); !status)
    return status.error();
  return r;
}

std::vector<std::string> relayout::spatialNames(const char *prefix, size_t count) {
  std::vector<std::string> names;
  for (size_t axis = 0; axis < count; ++axis)
    names.push_back(count <= 3 ? cat(prefix, "dhw"[3 - count + axis]) : cat(prefix, "d", axis + 1));
  return names;
}

std::vector<std::string> relayout::numberedNames(const char *single, size_t count) {
  if (count == 1)
    return {single};
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i)
    names.push_back(cat(single, i));
  return names;
}
