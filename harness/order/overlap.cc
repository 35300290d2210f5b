#include "order/overlap.h"

#include <algorithm>
#include <boost/icl/interval_set.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace warpcheck::order {
namespace {

constexpr std::size_t kMostCompared = 1'024;  // calls
constexpr std::size_t kMostPlaces = 32;       // places of waits
// Ranges of bytes that the search for costly waits compares. A usual program needs some thousands.
constexpr std::uint64_t kMostRanges = 20'000'000;

bool IsTransfer(const HostCall& call) { return call.IsCopyToHost() || call.IsCopyToDevice(); }

// A device copies in each direction one copy at a time.
bool UseOneEngine(const HostCall& a, const HostCall& b) {
  return (a.IsCopyToHost() && b.IsCopyToHost()) || (a.IsCopyToDevice() && b.IsCopyToDevice());
}

using Pair = std::pair<std::size_t, std::size_t>;

// Returns the first two operations of different streams that `order` orders, that `free` does not,
// and that have no bytes in common. Nullopt too if there are too many ranges to compare; `compared`
// counts them.
std::optional<Pair> Freed(const HostCalls& record, const CallOrder& order, const CallOrder& free,
                          std::uint64_t& compared) {
  const auto& calls = record.calls;
  const std::size_t count = std::min(calls.size(), kMostCompared);
  for (std::size_t later = 1; later < count; ++later) {
    if (!IsWork(calls[later])) continue;
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      if (!IsWork(calls[earlier]) || calls[earlier].stream == calls[later].stream) continue;
      if (!order.IsBefore(earlier, later) || free.IsBefore(earlier, later)) continue;
      if (UseOneEngine(calls[earlier], calls[later])) continue;
      compared += calls[earlier].uses.size() * calls[later].uses.size();
      if (compared > kMostRanges) return std::nullopt;
      if (!ShareBytes(calls[earlier], calls[later])) return Pair{earlier, later};
    }
  }
  return std::nullopt;
}

// Adds up the bytes that kernels beside a copy work on. Bytes that several kernels use count once,
// and of bytes that kernels made of copies no more count than the copies brought.
class BesideACopy {
 public:
  BesideACopy(const HostCalls& record, const HostCall& copy)
      : record_(record), to_device_(copy.IsCopyToDevice()) {}

  void Add(const Part& part) {
    for (const Range& range : to_device_ ? part.used_of_copies : part.delivered) {
      bytes_.add(ByteSet::interval_type::right_open(range.begin, range.end));
    }
    copies_.insert(part.copies.begin(), part.copies.end());
  }
  std::uint64_t Bytes() const {
    const std::uint64_t bytes = boost::icl::length(bytes_);
    if (!to_device_) return bytes;
    std::uint64_t brought = 0;
    for (const std::size_t copy : copies_) brought += record_.calls[copy].bytes;
    return std::min(bytes, brought);
  }

 private:
  using ByteSet = boost::icl::interval_set<DeviceAddress>;

  const HostCalls& record_;
  bool to_device_;
  ByteSet bytes_;
  std::set<std::size_t> copies_;
};

}  // namespace

bool ShareBytes(const HostCall& a, const HostCall& b) {
  if (a.uses.empty() || b.uses.empty()) return true;
  const bool from_host = a.IsCopyToDevice() && b.IsCopyToDevice();
  return std::ranges::any_of(a.uses, [&](const MemoryUse& one) {
    return std::ranges::any_of(b.uses, [&](const MemoryUse& other) {
      const bool harmless = (one.kind == other.kind && one.kind != MemoryUse::Kind::kWrite) ||
                            (IsAtomic(one.kind) && IsAtomic(other.kind));
      return one.begin < other.end && other.begin < one.end && (from_host || !harmless);
    });
  });
}

CopyOverlap OverlapOf(const HostCalls& record, const CallOrder& order,
                      const std::vector<Part>* parts) {
  const auto& calls = record.calls;
  std::vector<std::size_t> kernels;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].kind == HostCall::Kind::kKernel) kernels.push_back(i);
  }
  CopyOverlap overlap;
  for (std::size_t copy = 0; copy < calls.size(); ++copy) {
    const HostCall& call = calls[copy];
    if (!IsTransfer(call)) continue;
    // GPUs finish an asynchronous copy of pageable memory before the call returns.
    const bool held = !call.asynchronous || call.from == HostCall::Memory::kPageable ||
                      call.to == HostCall::Memory::kPageable;
    const std::uint64_t most =
        parts == nullptr ? call.bytes : std::min(call.bytes, (*parts)[copy].delivers);
    BesideACopy kernels_beside(record, call);
    std::uint64_t worked_on = 0;  // by the kernels beside the copy, in bytes
    for (const std::size_t kernel : kernels) {
      if (worked_on >= most) break;
      const bool beside =
          kernel < copy ? !order.IsBefore(kernel, copy) : !held && !order.IsBefore(copy, kernel);
      if (!beside) continue;
      if (parts == nullptr) {
        worked_on = most;
      } else {
        kernels_beside.Add((*parts)[kernel]);
        worked_on = kernels_beside.Bytes();
      }
    }
    overlap.bytes += call.bytes * call.count;
    overlap.overlapping += std::min(most, worked_on) * call.count;
    if (most == 0 || worked_on == 0) overlap.alone.push_back(copy);
  }
  return overlap;
}

std::vector<CostlyWait> CostlyWaits(const HostCalls& record, const CallOrder& order) {
  std::map<std::tuple<std::string, SourceLocation>, std::vector<std::size_t>> places;
  const std::size_t count = std::min(record.calls.size(), kMostCompared);
  for (std::size_t i = 0; i < count; ++i) {
    const HostCall& call = record.calls[i];
    if (order.HostWaitsFor(i).empty()) continue;
    auto& waits = places[{call.function, call.where}];
    if (!waits.empty() || places.size() <= kMostPlaces) waits.push_back(i);
  }
  std::erase_if(places, [](const auto& place) { return place.second.empty(); });
  std::uint64_t compared = 0;
  const auto without = [&](const std::set<std::size_t>& waits) {
    return Freed(record, order,
                 CallOrder(record, [&](std::size_t call) { return waits.contains(call); }),
                 compared);
  };
  std::vector<CostlyWait> costly;
  std::set<std::size_t> all;
  for (const auto& [place, waits] : places) {
    all.insert(waits.begin(), waits.end());
    if (const auto pair = without({waits.begin(), waits.end()})) {
      costly.push_back({.calls = waits, .earlier = pair->first, .later = pair->second});
    }
  }
  if (costly.empty() && places.size() > 1) {
    if (const auto pair = without(all)) {
      for (const auto& [place, waits] : places) {
        // A wait after both operations has nothing to do with them.
        std::vector<std::size_t> between = waits;
        std::erase_if(between, [&](std::size_t wait) { return wait >= pair->second; });
        if (between.empty()) continue;
        costly.push_back({.calls = between, .earlier = pair->first, .later = pair->second});
      }
    }
  }
  std::ranges::sort(costly, {}, [](const CostlyWait& wait) { return wait.calls.front(); });
  return costly;
}

std::vector<std::size_t> WaitsInBetween(const HostCalls& record) {
  const auto& calls = record.calls;
  std::vector<std::size_t> waits;
  constexpr std::size_t kNone = SIZE_MAX;
  bool work = false;         // since the last wait
  std::size_t last = kNone;  // a wait that no work has followed yet
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const HostCall& call = calls[i];
    const bool of_all =
        call.waits_for == HostCall::WaitsFor::kDevice ||
        (record.streams[call.stream].is_default &&
         IsOneOf(call.waits_for, HostCall::WaitsFor::kStream, HostCall::WaitsFor::kEarlierWork));
    const bool before = call.waits_for == HostCall::WaitsFor::kEarlierWork;
    if (of_all && before && work) {
      waits.push_back(i);
      work = false;
    }
    if (IsWork(call)) {
      if (last != kNone) waits.push_back(last);
      last = kNone;
      work = true;
    }
    if (of_all && !before && work) {
      last = i;
      work = false;
    }
  }
  return waits;
}

std::uint64_t UsedStreams(const HostCalls& record, const std::vector<Part>* parts) {
  std::set<std::uint32_t> streams;
  std::set<std::uint32_t> branches;
  for (std::size_t i = 0; i < record.calls.size(); ++i) {
    const HostCall& call = record.calls[i];
    const HostStream& stream = record.streams[call.stream];
    if (!IsWork(call) || stream.is_default) continue;
    if (parts != nullptr && !(*parts)[i].needed) continue;
    (stream.is_graph ? branches : streams).insert(call.stream);
  }
  return std::max(streams.size(), branches.size());
}

}  // namespace warpcheck::order
