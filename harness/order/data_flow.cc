#include "order/data_flow.h"

#include <boost/icl/interval_map.hpp>
#include <boost/icl/interval_set.hpp>
#include <set>
#include <utility>

#include "order/call_order.h"

namespace warpcheck::order {
namespace {

using ByteSet = boost::icl::interval_set<DeviceAddress>;

ByteSet::interval_type Interval(DeviceAddress begin, DeviceAddress end) {
  return ByteSet::interval_type::right_open(begin, end);
}

ByteSet Common(const ByteSet& a, const ByteSet& b) { return a & b; }

// The bytes that an operation reads, changes, and writes without reading them.
struct Bytes {
  ByteSet reads, changes, replaces;

  explicit Bytes(const HostCall& call) {
    for (const MemoryUse& use : call.uses) {
      if (use.begin == use.end) continue;
      const ByteSet::interval_type bytes = Interval(use.begin, use.end);
      if (use.kind == MemoryUse::Kind::kRead || IsAtomic(use.kind)) reads.add(bytes);
      if (use.kind == MemoryUse::Kind::kRead) continue;
      changes.add(bytes);
      if (!IsAtomic(use.kind)) replaces.add(bytes);
    }
  }
};

std::vector<Range> RangesOf(const ByteSet& bytes) {
  std::vector<Range> ranges;
  for (const auto& one : bytes) ranges.push_back({one.lower(), one.upper()});
  return ranges;
}

// Finds, from the first operation to the last, which bytes come from copies of the host.
void FollowCopies(const HostCalls& calls, std::vector<Part>& parts) {
  boost::icl::interval_map<DeviceAddress, std::set<std::size_t>> brought;  // with the copies
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const HostCall& call = calls.calls[i];
    if (!IsWork(call)) continue;
    const Bytes bytes(call);
    ByteSet used;
    std::set<std::size_t> copies;
    for (const auto& [range, of_range] : brought& bytes.reads) {
      used += range;
      copies.insert(of_range.begin(), of_range.end());
    }
    if (call.kind == HostCall::Kind::kKernel) {
      parts[i].uses_of_copies = boost::icl::length(used);
      parts[i].used_of_copies = RangesOf(used);
      parts[i].copies = copies;
    }
    brought -= bytes.replaces;
    if (call.IsCopyToDevice()) copies.insert(i);
    if (copies.empty()) continue;
    for (const auto& range : bytes.changes) brought += std::pair(range, copies);
  }
}

// Finds, from the last operation to the first, which bytes get into the result.
void FollowResults(const HostCalls& calls, const Results& results, std::vector<Part>& parts) {
  ByteSet wanted;
  for (const Range& array : results.arrays) wanted.add(Interval(array.begin, array.end));
  for (std::size_t i = parts.size(); i-- > 0;) {
    const HostCall& call = calls.calls[i];
    if (!IsWork(call)) continue;
    const Bytes bytes(call);
    const ByteSet delivered = Common(bytes.changes, wanted);
    parts[i].delivers = boost::icl::length(delivered);
    parts[i].delivered = RangesOf(delivered);
    if (call.IsCopyToHost() && results.on_host) parts[i].delivers = call.bytes;
    parts[i].needed = parts[i].delivers != 0;
    wanted -= bytes.replaces;
    if (parts[i].needed) wanted += bytes.reads;
  }
}

}  // namespace

std::vector<Part> PartsOf(const HostCalls& calls, const Results& results) {
  std::vector<Part> parts(calls.calls.size());
  FollowCopies(calls, parts);
  FollowResults(calls, results, parts);
  for (Part& part : parts) {
    if (part.needed) continue;
    part.uses_of_copies = 0;
    part.used_of_copies.clear();
    part.copies.clear();
  }
  return parts;
}

}  // namespace warpcheck::order
