#include "order/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "base/text/kernel_name.h"
#include "order/call_order.h"
#include "order/overlap.h"

namespace warpcheck::order {
namespace {

std::string_view MemoryText(HostCall::Memory memory) {
  switch (memory) {
    case HostCall::Memory::kPageable:
      return "pageable memory of the host";
    case HostCall::Memory::kPinned:
      return "pinned memory of the host";
    case HostCall::Memory::kManaged:
      return "managed memory";
    default:
      return "the device";
  }
}

std::string CopyText(const HostCall& call) {
  if (call.IsCopyToHost()) return "copy to the host";
  if (call.IsCopyToDevice()) return "copy to the device";
  if (call.from == HostCall::Memory::kDevice && call.to == HostCall::Memory::kDevice) {
    return "copy on the device";
  }
  return fmt::format("copy from {} to {}", MemoryText(call.from), MemoryText(call.to));
}

std::string JoinedNames(const std::set<std::string>& names) {
  std::string text;
  std::size_t left = names.size();
  for (const std::string& name : names) {
    text += name;
    --left;
    if (left != 0) text += left == 1 ? " and " : ", ";
  }
  return text;
}

std::string AdviceFor(const HostCall& wait) {
  if (wait.kind == HostCall::Kind::kCopy) {
    return "copy with cudaMemcpyAsync in the stream of the piece, from or to memory of "
           "cudaMallocHost, and wait once, before the host needs the result";
  }
  return "give each piece its own stream, and let the host wait only where it needs a result: once "
         "after the last piece, or with cudaStreamSynchronize for the piece that it reads";
}

class Maker {
 public:
  explicit Maker(const HostCalls& record)
      : record_(record), order_(record), steps_(record.calls.size()) {}

  Timeline Make() {
    AddCosts();
    std::uint64_t shown = 0;
    for (std::size_t i = 0; i < record_.calls.size(); ++i) {
      const HostCall& call = record_.calls[i];
      const bool waits = !order_.HostWaitsFor(i).empty();
      if (!call.IsOperation() && !waits) continue;
      if (++shown > kMostShown) {
        timeline_.left_out += call.count;
        continue;
      }
      if (call.IsOperation()) AddOperation(i);
      if (waits) AddWait(i);
    }
    timeline_.left_out += record_.left_out;
    std::ranges::stable_sort(timeline_.operations, {}, [](const Timeline::Operation& operation) {
      return std::pair(operation.step, operation.column);
    });
    std::ranges::stable_sort(timeline_.waits, {}, &Timeline::Wait::step);
    return std::move(timeline_);
  }

 private:
  const std::string& NameOf(std::uint32_t stream) const { return record_.streams[stream].name; }

  std::uint32_t ColumnOf(std::uint32_t stream) {
    const auto [found, is_new] =
        columns_.try_emplace(stream, static_cast<std::uint32_t>(timeline_.streams.size()));
    if (is_new) timeline_.streams.push_back(NameOf(stream));
    return found->second;
  }

  void AddOperation(std::size_t i) {
    const HostCall& call = record_.calls[i];
    std::set<std::string> others;
    std::uint32_t step = 0;
    for (const std::size_t earlier : order_.WaitsFor(i)) {
      step = std::max(step, steps_[earlier]);
      const std::uint32_t stream = record_.calls[earlier].stream;
      if (stream != call.stream) others.insert(NameOf(stream));
    }
    steps_[i] = step + 1;
    timeline_.operations.push_back({.step = steps_[i],
                                    .column = ColumnOf(call.stream),
                                    .kind = call.kind,
                                    .what = TextOf(call),
                                    .where = call.where,
                                    .count = call.count,
                                    .waits_for = {others.begin(), others.end()}});
  }

  void AddWait(std::size_t i) {
    const HostCall& call = record_.calls[i];
    std::set<std::string> streams;
    std::uint32_t step = 0;
    for (const std::size_t operation : order_.HostWaitsFor(i)) {
      step = std::max(step, steps_[operation]);
      streams.insert(NameOf(record_.calls[operation].stream));
    }
    timeline_.waits.push_back(
        {.step = step,
         .what = fmt::format("{}: the host waits for {}", call.function, JoinedNames(streams)),
         .where = call.where,
         .count = call.count,
         .costs_overlap = costly_.contains(i)});
  }

  std::string InStream(std::size_t i) const {
    const HostCall& call = record_.calls[i];
    return fmt::format("the {} in {}{}", TextOf(call), NameOf(call.stream), InBrackets(call.where));
  }

  void AddCosts() {
    for (const CostlyWait& wait : CostlyWaits(record_, order_)) {
      costly_.insert(wait.calls.begin(), wait.calls.end());
      const HostCall& call = record_.calls[wait.calls.front()];
      timeline_.costs.push_back(
          {.message = fmt::format("{} orders work that could overlap: {} waits for {}, and they "
                                  "have no bytes in common",
                                  call.function, InStream(wait.later), InStream(wait.earlier)),
           .where = call.where,
           .hint = AdviceFor(call)});
    }
  }

  const HostCalls& record_;
  CallOrder order_;
  std::vector<std::uint32_t> steps_;  // at which the operations of record_ begin
  std::map<std::uint32_t, std::uint32_t> columns_;
  std::set<std::size_t> costly_;
  Timeline timeline_;
};

}  // namespace

std::string TextOf(const HostCall& call) {
  const std::string bytes = Counted(call.bytes, "byte");
  switch (call.kind) {
    case HostCall::Kind::kCopy:
      return fmt::format("{}, {}", CopyText(call), bytes);
    case HostCall::Kind::kFill:
      return fmt::format("fill, {}", bytes);
    case HostCall::Kind::kKernel:
      return fmt::format("kernel {}", KernelWithoutParameters(call.kernel));
    case HostCall::Kind::kHostFunction:
      return "host function";
    case HostCall::Kind::kAllocation:
      return fmt::format("allocation, {}", bytes);
    case HostCall::Kind::kFree:
      return "free";
    default:
      return call.function;
  }
}

std::vector<TimelineRow> RowsOf(const Timeline& timeline) {
  std::map<std::uint32_t, TimelineRow> rows;
  const auto row_of = [&](std::uint32_t step) -> TimelineRow& {
    TimelineRow& row = rows[step];
    row.step = step;
    row.cells.resize(timeline.streams.size());
    return row;
  };
  for (const Timeline::Operation& operation : timeline.operations) {
    row_of(operation.step).cells.at(operation.column) = &operation;
  }
  for (const Timeline::Wait& wait : timeline.waits) row_of(wait.step).waits.push_back(&wait);
  std::vector<TimelineRow> sorted;
  for (auto& [step, row] : rows) sorted.push_back(std::move(row));
  return sorted;
}

Timeline TimelineOf(const HostCalls& calls) { return Maker(calls).Make(); }

}  // namespace warpcheck::order
