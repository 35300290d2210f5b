// Decides by the traffic of a call whether kernels have made its result. These are all rules about
// what the host and its copies may do; WatchedDevice and CopiedBytes measure the traffic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "provenance/watched_device.h"
#include "results/complaint_kind.h"

namespace warpcheck {

// The sizes of all arrays of a call, in bytes.
struct ArraySizes {
  std::uint64_t inputs = 0;
  std::uint64_t outputs = 0;
};

// A reason why a result does not count as made by kernels.
struct Objection {
  ComplaintKind kind = ComplaintKind::kHostComputes;
  bool sure = true;  // false if this device cannot tell whether kernels made the bytes in question
  std::string message;
  std::string hint;
};

// Returns the first objection, or nothing if kernels have made the result. `sizes` are the sizes of
// the call's arrays: small inputs and outputs are given more room.
std::optional<Objection> ObjectionTo(const HostTraffic& traffic, const ArraySizes& sizes);

}  // namespace warpcheck
