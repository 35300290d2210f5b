// Finds what a program's order lets overlap, and the waits that prevent more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "order/call_order.h"
#include "order/data_flow.h"
#include "order/host_call.h"

namespace warpcheck::order {

// Returns true if an operation works with bytes of the other, or if this is not known. Two copies
// from the same bytes of the host count: the host may fill them in between.
bool ShareBytes(const HostCall& a, const HostCall& b);

// Copies between the host and the device, and how many of their bytes may be on their way while
// kernels work for the result. A synchronous copy, and one of pageable memory, never overlaps with
// a later kernel.
struct CopyOverlap {
  std::uint64_t bytes = 0;         // of all copies between the host and the device
  std::uint64_t overlapping = 0;   // bytes of those that may overlap with kernels
  std::vector<std::size_t> alone;  // the copies of which no byte may
};
// `parts` are those of the calls, or null if the device does not tell them. Bytes of a copy count
// if the result needs them, and only as many as all kernels beside the copy work on: bytes that
// copies brought, for a copy to the device, and bytes of the result, for a copy to the host. Bytes
// that several kernels work on count once.
CopyOverlap OverlapOf(const HostCalls& calls, const CallOrder& order,
                      const std::vector<Part>* parts);

// A wait, or several alike at one line, without which two operations could overlap.
struct CostlyWait {
  std::vector<std::size_t> calls;  // the waits
  std::size_t earlier = 0;         // two operations that it orders, as an example
  std::size_t later = 0;
};
// If only several waits together cost something, each of them is named. Looks at the first 1,024
// calls, and finds no more waits once it has compared 20,000,000 ranges of bytes.
std::vector<CostlyWait> CostlyWaits(const HostCalls& calls, const CallOrder& order);

// Returns the calls in which the host waits for all work of the device (or of the legacy default
// stream, which comes after all other work), although work follows, and work came since the last
// such wait.
std::vector<std::size_t> WaitsInBetween(const HostCalls& calls);

// Returns how many streams, without the default stream, have a copy, a fill or a kernel that the
// result needs (any, if `parts` is null). The branches of a graph count like streams. They run
// instead of the streams of launches, so that the larger of the two numbers counts.
std::uint64_t UsedStreams(const HostCalls& calls, const std::vector<Part>* parts);

}  // namespace warpcheck::order
