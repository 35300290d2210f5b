#include "checks/host_call_matchers.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/icl/interval_set.hpp>
#include <optional>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "checks/trial_matchers.h"
#include "order/call_order.h"
#include "order/data_flow.h"
#include "order/overlap.h"
#include "order/timeline.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMostNamed = 5;  // lines in one message

template <class Matcher>
std::string Wanted(const Matcher& matcher) {
  std::ostringstream text;
  matcher.DescribeTo(&text);
  return text.str();
}

// Returns what a message says of a target: "<= 16".
std::string TargetText(const NumberMatcher& number) {
  const std::string wanted = Wanted(number);
  return wanted.starts_with("is ") ? wanted.substr(3) : wanted;
}

// Returns whether a call copies between arrays of the device.
bool StaysOnTheDevice(const HostCall& call) {
  const auto is_of_device = [](HostCall::Memory memory) {
    return IsOneOf(memory, HostCall::Memory::kDevice, HostCall::Memory::kManaged);
  };
  return call.kind == HostCall::Kind::kCopy && is_of_device(call.from) && is_of_device(call.to);
}

// Returns whether a copy writes memory of the host, which kernels read over the bus.
bool StaysOnTheHost(const HostCall& call) {
  return call.kind == HostCall::Kind::kCopy &&
         IsOneOf(call.to, HostCall::Memory::kPinned, HostCall::Memory::kPageable);
}

// Returns the part of each call in the result, or nothing if the device does not tell what kernels
// use. The emulator, which alone knows the busiest block, tells it.
std::optional<std::vector<order::Part>> PartsOf(const HostCalls& record, const Trial& trial) {
  const bool told = std::ranges::any_of(trial.launches, [](const LaunchRecord& launch) {
    return launch.counters[Counter::kBusiestBlockBytes].has_value();
  });
  if (!told) return std::nullopt;
  order::Results results{.on_host = trial.ChangedInHostMemory().bytes != 0};
  for (const ArrayEnd& array : trial.arrays) {
    if (array.start->is_input) continue;
    results.arrays.push_back({array.address, array.address + array.start->bytes.size()});
  }
  return order::PartsOf(record, results);
}
const std::vector<order::Part>* PointerTo(const std::optional<std::vector<order::Part>>& parts) {
  return parts ? &*parts : nullptr;
}

// Returns how many bytes copies bring to memory of the device alone, for kernels that the result
// needs.
std::uint64_t NeededBytesToDevice(const HostCalls& record, const std::vector<order::Part>& parts) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const HostCall& call = record.calls[i];
    if (!call.IsCopyToDevice() || call.to != HostCall::Memory::kDevice) continue;
    bytes += std::min(call.bytes, parts[i].delivers) * call.count;
  }
  return bytes;
}

bool IsKernel(const HostCall& call) { return call.kind == HostCall::Kind::kKernel; }

using Indices = std::vector<std::size_t>;

Indices AllOf(const HostCalls& record, const std::function<bool(const HostCall&)>& wanted) {
  Indices found;
  for (std::size_t i = 0; i < record.calls.size(); ++i) {
    if (wanted(record.calls[i])) found.push_back(i);
  }
  return found;
}

// Makes a failure that names each place of these calls, with the number of calls there. The first
// place is that of the complaint.
std::vector<CaseFailure> Failure(ComplaintId id, const HostCalls& record, const Indices& calls,
                                 std::string message, std::string hint) {
  struct Group {
    const HostCall* first = nullptr;
    std::uint64_t count = 0;
  };
  std::vector<Group> groups;
  for (const std::size_t i : calls) {
    const HostCall& call = record.calls[i];
    const auto same = std::ranges::find_if(groups, [&](const Group& group) {
      return std::tie(group.first->where, group.first->function, group.first->stream) ==
             std::tie(call.where, call.function, call.stream);
    });
    if (same == groups.end()) {
      groups.push_back({&call, call.count});
    } else {
      same->count += call.count;
    }
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i == kMostNamed) {
      message += fmt::format("\n  and at {} more", Counted(groups.size() - i, "place"));
      break;
    }
    const auto& [call, count] = groups[i];
    message += fmt::format("\n  {}{}", call->where.known() ? call->where.Text() + ": " : "",
                           call->function);
    if (call->IsOperation()) {
      message += fmt::format(" in {}, {}", record.streams[call->stream].name, order::TextOf(*call));
    }
    if (count > 1) message += fmt::format(", {} times", Grouped(count));
  }
  if (record.left_out != 0 && !calls.empty()) {
    message += fmt::format("\n  not listed: {}", Counted(record.left_out, "further call"));
  }
  return {MakeFailure(std::move(id), Verdict::kFailed, std::move(message), std::move(hint),
                      groups.empty() ? SourceLocation() : groups.front().first->where)};
}

// Judges the record of a call, if there is one to judge: judge(record, trial).
HostCallMatcher MatcherOf(
    std::string claim,
    std::function<std::vector<CaseFailure>(const HostCalls&, const Trial&)> judge) {
  return {std::move(claim), [judge = std::move(judge)](const Trial& trial) {
            if (!trial.host_calls || !trial.returned()) {
              return std::vector{MakeFailure(ComplaintKind::kNotReturned, Verdict::kSkipped,
                                             "not judged: " + trial.function + " did not return")};
            }
            if (!trial.host_calls_doubt.empty()) {
              return std::vector{MakeFailure(
                  ComplaintKind::kHostCallsDoubt, Verdict::kFailed,
                  fmt::format("the calls of the CUDA runtime cannot be judged: {}",
                              trial.host_calls_doubt),
                  "call the CUDA runtime as its manual says, and nothing of warpcheck")};
            }
            return judge(*trial.host_calls, trial);
          }};
}
HostCallMatcher MatcherOf(std::string claim,
                          std::function<std::vector<CaseFailure>(const HostCalls&)> judge) {
  return MatcherOf(
      std::move(claim),
      [judge = std::move(judge)](const HostCalls& record, const Trial&) { return judge(record); });
}

// Judges each call of the record. A full record fails, because it hides what came after that.
HostCallMatcher MatcherOfCalls(
    std::string claim,
    std::function<std::vector<CaseFailure>(const HostCalls&, const Trial&)> judge) {
  return MatcherOf(std::move(claim), [judge = std::move(judge)](const HostCalls& record,
                                                                const Trial& trial) {
    if (record.left_out == 0) return judge(record, trial);
    return Failure(ComplaintKind::kHostCallsLost, record, {},
                   fmt::format("the calls of the CUDA runtime cannot all be judged. Recorded: {}; "
                               "not recorded: {}",
                               Counted(record.calls.size(), "different call"),
                               Counted(record.left_out, "call")),
                   "make fewer calls, and no call that does nothing for the result");
  });
}
HostCallMatcher MatcherOfCalls(std::string claim,
                               std::function<std::vector<CaseFailure>(const HostCalls&)> judge) {
  return MatcherOfCalls(
      std::move(claim),
      [judge = std::move(judge)](const HostCalls& record, const Trial&) { return judge(record); });
}

using ByteSet = boost::icl::interval_set<DeviceAddress>;

boost::icl::discrete_interval<DeviceAddress> BytesOf(const MemoryUse& use) {
  return boost::icl::discrete_interval<DeviceAddress>::right_open(use.begin, use.end);
}

// Returns how many bytes of a use are not in the set.
std::uint64_t MissingOf(const MemoryUse& use, const ByteSet& bytes) {
  ByteSet present;
  boost::icl::add_intersection(present, bytes, BytesOf(use));
  return use.end - use.begin - boost::icl::length(present);
}

// Returns the kernels that read bytes which nothing has written before, and how many these are.
std::pair<Indices, std::uint64_t> ReadsOfUnwritten(const HostCalls& record) {
  ByteSet written;
  Indices kernels;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < record.calls.size(); ++i) {
    const HostCall& call = record.calls[i];
    std::uint64_t missing = 0;
    for (const MemoryUse& use : call.uses) {
      if (use.kind == MemoryUse::Kind::kRead) missing += MissingOf(use, written);
    }
    if (IsKernel(call) && missing > 0) {
      kernels.push_back(i);
      bytes += missing * call.count;
    }
    for (const MemoryUse& use : call.uses) {
      if (use.kind != MemoryUse::Kind::kRead && !StaysOnTheHost(call)) written.add(BytesOf(use));
    }
  }
  return {kernels, bytes};
}

std::string Bytes(std::uint64_t bytes) { return Counted(bytes, "byte"); }

HostCallMatcher CopiesTo(std::string_view side, bool (HostCall::*is_such)() const,
                         std::uint64_t HostCallTotals::*total, const NumberMatcher& number) {
  const std::string claim =
      fmt::format("makes a number of copies to the {} that {}", side, Wanted(number));
  return MatcherOf(claim, [=, side = std::string(side)](const HostCalls& record) {
    const std::uint64_t copies = record.totals.*total;
    if (number.Matches(copies)) return std::vector<CaseFailure>();
    return Failure({ComplaintKind::kCopyCount, side}, record,
                   AllOf(record, [&](const HostCall& call) { return (call.*is_such)(); }),
                   fmt::format("{} {} to the {}; target: {}", Grouped(copies),
                               copies == 1 ? "copy" : "copies", side, TargetText(number)),
                   "copy data that lies together in one call, and leave on the device what later "
                   "kernels need");
  });
}

// Returns what to do so that a copy does not make the host wait.
std::string AdviceForCopy(bool pageable) {
  return pageable ? "give the copy pinned memory of the host: allocate it with cudaMallocHost, or "
                    "pass it to cudaHostRegister once"
                  : "copy with cudaMemcpyAsync in a stream that you made, and wait for the stream "
                    "where the result is needed";
}

double ShareOf(const order::CopyOverlap& overlap) {
  if (overlap.bytes == 0) return 0;
  return static_cast<double>(overlap.overlapping) / static_cast<double>(overlap.bytes);
}

HostCallMatcher Overlaps(std::string claim, ShareMatcher share) {
  return MatcherOfCalls(std::move(claim), [share = std::move(share)](const HostCalls& record,
                                                                     const Trial& trial) {
    const order::CallOrder order = order::CallOrder::WithTold(record);
    const auto parts = PartsOf(record, trial);
    const order::CopyOverlap overlap = order::OverlapOf(record, order, PointerTo(parts));
    if (share.Matches(ShareOf(overlap))) return std::vector<CaseFailure>();
    if (overlap.bytes == 0) {
      return Failure(ComplaintKind::kNothingCopied, record, {},
                     "no bytes are copied between the host and the device, so no copy "
                     "overlaps with a kernel",
                     "copy the data in pieces, each in a stream of its own");
    }
    const order::CallOrder without_told(record);
    if (share.Matches(ShareOf(order::OverlapOf(record, without_told, PointerTo(parts))))) {
      return Failure(
          ComplaintKind::kOverlapByTold, record, overlap.alone,
          "copies would overlap with kernels, but the host waits for a flag that a host function "
          "or a kernel sets, and that counts as a wait for its stream",
          "start the copies and kernels of all pieces before the host waits for such a flag");
    }
    const std::vector<order::CostlyWait> costly = order::CostlyWaits(record, without_told);
    std::string hint =
        "cut the work into pieces, and hand the copies and the kernel of each piece to a stream of "
        "its own, with cudaMemcpyAsync and pinned memory (cudaMallocHost)";
    if (!costly.empty()) {
      const HostCall& wait = record.calls[costly.front().calls.front()];
      hint = fmt::format(
          "remove {}{}, or move it behind the last piece: without it, pieces could "
          "overlap",
          wait.function, InBrackets(wait.where));
    }
    const std::string message =
        overlap.overlapping == 0
            ? fmt::format(
                  "no copy can overlap with a kernel{}: streams, events or waits put each copy "
                  "before or after every {}kernel",
                  parts ? " that works for the result on other bytes" : "", parts ? "such " : "")
            : fmt::format("only {} of {} copied bytes can overlap with a kernel{}",
                          Grouped(overlap.overlapping), Grouped(overlap.bytes),
                          parts ? " that works for the result on as many other bytes" : "");
    return Failure(ComplaintKind::kLittleOverlap, record, overlap.alone, message, hint);
  });
}

}  // namespace

bool HostCallMatcher::MatchAndExplain(const Trial& trial,
                                      testing::MatchResultListener* listener) const {
  return Explain(judge_(trial), listener);
}

namespace host_call_internal {

HostCallMatcher UsesStreams(const NumberMatcher& number) {
  return MatcherOfCalls(
      "uses a number of streams that " + Wanted(number),
      [=](const HostCalls& record, const Trial& trial) {
        const auto parts = PartsOf(record, trial);
        const std::uint64_t used = order::UsedStreams(record, PointerTo(parts));
        if (number.Matches(used)) return std::vector<CaseFailure>();
        const auto is_work = [](const HostCall& call) {
          return IsOneOf(call.kind, HostCall::Kind::kCopy, HostCall::Kind::kKernel);
        };
        return Failure(
            ComplaintKind::kStreamCount, record, AllOf(record, is_work),
            fmt::format("copies and kernels {}use {} besides the default stream; target: {}",
                        parts ? "that the result needs " : "", Counted(used, "stream"),
                        TargetText(number)),
            used < 2 ? "make streams with cudaStreamCreate, and name one in each copy "
                       "(cudaMemcpyAsync) and each launch (<<<grid, block, 0, stream>>>)"
                     : "");
      });
}

HostCallMatcher CopiesToHost(const NumberMatcher& number) {
  return CopiesTo("host", &HostCall::IsCopyToHost, &HostCallTotals::copies_to_host, number);
}

HostCallMatcher CopiesToDevice(const NumberMatcher& number) {
  return CopiesTo("device", &HostCall::IsCopyToDevice, &HostCallTotals::copies_to_device, number);
}

HostCallMatcher BytesToHost(const NumberMatcher& number) {
  return MatcherOf(
      "copies a number of bytes to the host that " + Wanted(number),
      [=](const HostCalls& record, const Trial& trial) {
        const std::uint64_t bytes = std::max(record.totals.bytes_to_host, trial.traffic.read_back);
        if (number.Matches(bytes)) return std::vector<CaseFailure>();
        return Failure(ComplaintKind::kBytesToHost, record, AllOf(record, &HostCall::IsCopyToHost),
                       fmt::format("{} are copied from the device to the host; target: {}",
                                   Bytes(bytes), TargetText(number)),
                       "let kernels reduce the data to the few numbers that the host needs, and "
                       "copy only these");
      });
}

HostCallMatcher BytesReadBeforeLaunches(const NumberMatcher& number) {
  return MatcherOf(
      "reads back a number of bytes before the last launch that " + Wanted(number),
      [=](const HostCalls& record, const Trial& trial) {
        const std::uint64_t bytes = trial.traffic.read_before_launch;
        if (number.Matches(bytes)) return std::vector<CaseFailure>();
        return Failure(ComplaintKind::kEarlyReadBack, record,
                       AllOf(record, &HostCall::IsCopyToHost),
                       fmt::format("the host reads back {} before its last launch; target: {}",
                                   Bytes(bytes), TargetText(number)),
                       "leave the data on the device: copy it from device memory to device memory "
                       "(cudaMemcpyDeviceToDevice), and let kernels read it there");
      });
}

HostCallMatcher BytesToDevice(const NumberMatcher& number) {
  return MatcherOfCalls(
      "copies a number of bytes to the device that " + Wanted(number),
      [=](const HostCalls& record, const Trial& trial) {
        const auto parts = PartsOf(record, trial);
        const std::uint64_t bytes =
            parts ? NeededBytesToDevice(record, *parts) : record.totals.bytes_to_device;
        if (number.Matches(bytes)) return std::vector<CaseFailure>();
        return Failure(ComplaintKind::kBytesToDevice, record,
                       AllOf(record, &HostCall::IsCopyToDevice),
                       fmt::format("{}{} {} copied from the host to device memory; target: {}",
                                   Bytes(bytes), parts ? " that the result needs" : "",
                                   bytes == 1 ? "is" : "are", TargetText(number)),
                       "copy the data to memory that cudaMalloc gives, each part once: a kernel "
                       "that reads memory of the host waits for the bus at each access");
      });
}

HostCallMatcher BytesReadUncopied(const NumberMatcher& number) {
  return MatcherOfCalls("reads a number of uncopied bytes that " + Wanted(number),
                        [=](const HostCalls& record) {
                          const auto [kernels, bytes] = ReadsOfUnwritten(record);
                          if (number.Matches(bytes)) return std::vector<CaseFailure>();
                          return Failure(ComplaintKind::kUncopiedReads, record, kernels,
                                         fmt::format("kernels read {} that no copy, fill or kernel "
                                                     "of this call wrote before; target: {}",
                                                     Bytes(bytes), TargetText(number)),
                                         "let kernels read the copy of the data in memory of the "
                                         "device, not the memory of the host");
                        });
}

HostCallMatcher BytesOnTheDevice(const NumberMatcher& number) {
  return MatcherOfCalls("copies a number of bytes on the device that " + Wanted(number),
                        [=](const HostCalls& record) {
                          const Indices copies = AllOf(record, StaysOnTheDevice);
                          std::uint64_t bytes = 0;
                          for (const std::size_t i : copies) {
                            bytes += record.calls[i].bytes * record.calls[i].count;
                          }
                          if (number.Matches(bytes)) return std::vector<CaseFailure>();
                          return Failure(
                              ComplaintKind::kBytesOnDevice, record, copies,
                              fmt::format("copies on the device move {}; target: {}", Bytes(bytes),
                                          TargetText(number)),
                              "exchange the pointers to two arrays instead of copying one to "
                              "the other");
                        });
}

HostCallMatcher KernelLaunches(const NumberMatcher& number) {
  return MatcherOf(
      "launches a number of kernels that " + Wanted(number), [=](const HostCalls& record) {
        const std::uint64_t kernels = record.totals.kernels;
        if (number.Matches(kernels)) return std::vector<CaseFailure>();
        return Failure(
            ComplaintKind::kLaunchCount, record, AllOf(record, &IsKernel),
            fmt::format("kernels are launched {}; target: {}", Counted(kernels, "time"),
                        TargetText(number)),
            "let one launch do the work of many: a launch takes some microseconds, however "
            "little its kernel does");
      });
}

HostCallMatcher LaunchedThreads(const NumberMatcher& number) {
  return MatcherOf("launches a number of threads that " + Wanted(number),
                   [=](const HostCalls& record, const Trial& trial) {
                     std::uint64_t threads = 0;
                     for (const LaunchRecord& launch : trial.launches) {
                       if (launch.error != DeviceError::kSuccess) continue;
                       threads += launch.launches * launch.grid.Count() * launch.block.Count();
                     }
                     if (number.Matches(threads)) return std::vector<CaseFailure>();
                     return Failure(
                         ComplaintKind::kThreadCount, record, AllOf(record, &IsKernel),
                         fmt::format("all launches together have {}; target: {}",
                                     Counted(threads, "thread"), TargetText(number)),
                         "compute the size of the grid from the size of the data: the number of "
                         "elements, divided by the threads of a block and rounded up");
                   });
}

HostCallMatcher OverlapsCopies(ShareMatcher share) {
  std::string claim = "overlaps a share of its copies with kernels that " + Wanted(share);
  return Overlaps(std::move(claim), std::move(share));
}

}  // namespace host_call_internal

HostCallMatcher CopiesAreAsynchronous() {
  return MatcherOfCalls("copies asynchronously", [](const HostCalls& record) {
    const auto is_pageable = [](const HostCall& call) {
      return call.from == HostCall::Memory::kPageable || call.to == HostCall::Memory::kPageable;
    };
    std::vector<CaseFailure> failures;
    const auto judge = [&](bool pageable, const std::string& message) {
      const Indices calls = AllOf(record, [&](const HostCall& call) {
        const bool copies = call.IsCopyToHost() || call.IsCopyToDevice();
        return copies && (pageable ? call.asynchronous && is_pageable(call) : !call.asynchronous);
      });
      if (calls.empty()) return;
      const bool any_pageable = std::ranges::any_of(
          calls, [&](std::size_t call) { return is_pageable(record.calls[call]); });
      std::string hint = AdviceForCopy(pageable);
      if (!pageable && any_pageable) hint += ", with pinned memory of the host (cudaMallocHost)";
      for (CaseFailure& failure :
           Failure(pageable ? ComplaintKind::kPageableCopies : ComplaintKind::kWaitingCopies,
                   record, calls, message, hint)) {
        failures.push_back(std::move(failure));
      }
    };
    judge(false, "the host waits until each of these copies is done");
    judge(true,
          "these asynchronous copies make the host wait, because their host memory is pageable");
    return failures;
  });
}

HostCallMatcher OverlapsCopiesWithKernels() {
  return Overlaps("overlaps a copy with a kernel", testing::Gt(0.0));
}

HostCallMatcher IsFinishedOnReturn() {
  return MatcherOfCalls("is finished on return", [](const HostCalls& record) {
    const Indices unfinished = order::CallOrder(record).Unfinished();
    if (unfinished.empty()) return std::vector<CaseFailure>();
    return Failure(ComplaintKind::kUnfinishedReturn, record, unfinished,
                   "work may still run on the device when the function returns: the host has not "
                   "waited for it",
                   "wait for the work of each stream at the end: cudaStreamSynchronize for each "
                   "stream, or cudaDeviceSynchronize once");
  });
}

HostCallMatcher WaitsForTheDeviceAtMost(std::uint64_t most) {
  return MatcherOfCalls(
      fmt::format("waits for the device at most {} before its last operation",
                  Counted(most, "time")),
      [most](const HostCalls& record) {
        const Indices waits = order::WaitsInBetween(record);
        if (waits.size() <= most) return std::vector<CaseFailure>();
        return Failure(
            ComplaintKind::kDeviceWaits, record, waits,
            fmt::format("the host waits {} for all work of the device although more work follows; "
                        "at most {} allowed",
                        Counted(waits.size(), "time"), most),
            "let the host wait once, after the last operation; where it needs the result of one "
            "piece, wait for the stream of that piece with cudaStreamSynchronize");
      });
}

}  // namespace warpcheck
