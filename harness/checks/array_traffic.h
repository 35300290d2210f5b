// Selects the accesses to single arrays of a call from the records of its launches.
#pragma once

#include <string>
#include <vector>

#include "device/counters.h"
#include "device/launch_record.h"
#include "trial/trial.h"

namespace warpcheck {

// The names of parameters that are device arrays, as the assignment's header declares them.
using ArrayNames = std::vector<std::string>;

// Returns whether a counter is counted for each array apart: those of global memory are. Arrays of
// threads in local memory count for each array, because they may hold copies of it.
bool IsByArray(Counter counter);

// Returns why the arrays cannot be selected, for the author of the checks; empty if they can.
std::string WhyNoArrays(const Trial& trial, const ArrayNames& arrays);

// Returns the arrays as text: "array text", "arrays text and table".
std::string TextOf(const ArrayNames& arrays);

struct ArrayTraffic {
  // The launches that ran to their end, with counters of global memory, and of arrays in local
  // memory. Accesses count to the arrays, and loads from other memory that may hold bytes of them
  // (provenance/byte_moves.h). A launch of a device that does not count arrays apart
  // has no counters, and LaunchRecord::not_measured says so.
  std::vector<LaunchRecord> launches;
  // True if a part of them are accesses to such other memory.
  bool other_memory = false;
};

// WhyNoArrays() must be empty.
ArrayTraffic TrafficOf(const Trial& trial, const ArrayNames& arrays);

}  // namespace warpcheck
