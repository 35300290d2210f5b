// A Schedule says in which order the device runs the nodes of a graph, and which of them a
// GPU could run at the same time.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cudart/graphs/graph.h"

namespace warpcheck::cudart {

// A Step runs one node. A child graph has a step before and a step after the steps of its own
// nodes. These two steps run nothing.
struct Step {
  const Node* node = nullptr;  // null for a step that runs nothing
  // Steps of a chain follow each other by edges; steps of different chains are ordered by `after`
  // alone.
  std::size_t chain = 0;
  std::vector<std::size_t> after{};  // earlier steps of other chains, by their index
  bool starts = false;               // it depends on no other step
  bool awaited = false;              // a step of another chain depends on it, or none does
  bool ends = false;                 // no step depends on it
};

struct Schedule {
  std::vector<Step> steps;  // each after those that it depends on
  std::size_t chains = 0;
};

// Returns the schedule of a graph, which must live as long as it; nothing if its edges make a
// cycle.
std::optional<Schedule> ScheduleOf(const Graph& graph);

}  // namespace warpcheck::cudart
