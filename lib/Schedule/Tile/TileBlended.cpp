// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileNetwork.h"

#include <algorithm>

namespace relayout {

namespace {

/// A permuted form of an input register under construction.
struct Permuted {
  int source;
  Network::Units units;
  int node = -1;
};

} // namespace

/// The first form of `source` in `forms` that holds `wanted` in place or has these
/// lanes free; a new one otherwise. Its index.
static int findForm(std::vector<Permuted> &forms, int source, const Network::Units &wanted) {
  auto fits = [&](const Permuted &form) {
    if (form.source != source)
      return false;
    for (size_t lane = 0; lane < wanted.size(); ++lane)
      if (wanted[lane] >= 0 && form.units[lane] >= 0 && form.units[lane] != wanted[lane])
        return false;
    return true;
  };
  auto form = std::find_if(forms.begin(), forms.end(), fits);
  if (form == forms.end())
    form = forms.insert(form, {source, Network::Units(wanted.size(), -1)});
  for (size_t lane = 0; lane < wanted.size(); ++lane)
    if (wanted[lane] >= 0)
      form->units[lane] = wanted[lane];
  return static_cast<int>(form - forms.begin());
}

/// The forms that output `wanted` is blended from, one a register that it draws from.
static std::vector<int> findForms(std::vector<Permuted> &forms, const std::vector<int> &holder,
                                  const Network::Units &wanted) {
  std::vector<int> found;
  Network::Units rest = wanted;
  for (size_t lane = 0; lane < wanted.size(); ++lane) {
    if (rest[lane] < 0)
      continue;
    int source = holder[rest[lane]];
    Network::Units part(wanted.size(), -1);
    for (size_t other = lane; other < wanted.size(); ++other)
      if (rest[other] >= 0 && holder[rest[other]] == source)
        std::swap(part[other], rest[other]);
    found.push_back(findForm(forms, source, part));
  }
  return found;
}

std::optional<Network> blendedNetwork(const NetworkShape &shape,
                                      const std::vector<OutVector> &outputs, double limit) {
  Network network(shape);
  std::vector<int> holder(shape.map->in.size(), -1);
  for (int node : loadInput(network))
    for (int unit : network.units(node))
      if (unit >= 0)
        holder[unit] = node;
  std::vector<Permuted> forms;
  std::vector<std::vector<int>> formsOf;
  for (const OutVector &output : outputs) {
    formsOf.push_back(findForms(forms, holder, output.wanted));
    if (static_cast<double>(forms.size()) >= limit)
      return std::nullopt;
  }
  for (Permuted &form : forms)
    form.node = network.select(form.source, -1, form.units);
  for (size_t i = 0; i < outputs.size(); ++i) {
    std::vector<int> nodes;
    for (int form : formsOf[i])
      nodes.push_back(forms[form].node);
    network.store(network.merge(nodes, outputs[i].wanted), outputs[i]);
    if (network.cost() >= limit)
      return std::nullopt;
  }
  return network;
}

} // namespace relayout
