// DataFlow follows the bytes of a call from the copies that bring them to its result, and tells
// which operations the result needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "device/types.h"
#include "order/host_call.h"

namespace warpcheck::order {

struct Range {
  DeviceAddress begin = 0;
  DeviceAddress end = 0;  // one past the last byte
};

// The caller looks at these bytes after the call.
struct Results {
  std::vector<Range> arrays{};  // in memory of the device
  bool on_host = false;         // if true, every copy to the host may bring a part of the result
};

// The part of one operation in the result. Each of equal calls in a row has this part.
struct Part {
  // True if bytes that it writes get into the result: directly, or by a later needed operation that
  // reads them. Bytes that a later operation writes again do not count.
  bool needed = false;
  std::uint64_t delivers = 0;  // such bytes, of an operation that is needed
  std::vector<Range> delivered{};
  // For a kernel that is needed: the bytes that it reads and that copies from the host brought to
  // memory of the device, or that operations made of such bytes; and these copies.
  std::uint64_t uses_of_copies = 0;
  std::vector<Range> used_of_copies{};
  std::set<std::size_t> copies{};
};

// Returns the part of each call. The device must have told the uses of all operations.
std::vector<Part> PartsOf(const HostCalls& calls, const Results& results);

}  // namespace warpcheck::order
