#include "order/order_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/result.h"
#include "base/text/kernel_name.h"

namespace warpcheck::order {
namespace {

using Kind = HostEvent::Kind;

// A copy of at most this many bytes may read a flag.
constexpr std::uint64_t kMostOfAFlag = 16;

Effect EffectOf(Kind kind) {
  if (kind == Kind::kAllocation) return Effect::kAllocates;
  return IsOneOf(kind, Kind::kFree, Kind::kPoolFree, Kind::kLibraryFree) ? Effect::kFrees
                                                                         : Effect::kNone;
}

}  // namespace

OrderChecker::OrderChecker(const StreamNames& names, Report report, Incomplete incomplete)
    : names_(names), report_(std::move(report)), incomplete_(std::move(incomplete)) {
  Begin();
}

void OrderChecker::Begin() {
  order_ = std::make_unique<Order>([this](const Clash& clash) { report_(clash, running_); });
  order_->AddStream(kDefaultStream, StreamKind::kLegacy);
  started_ = false;
  function_ = {};
}

bool OrderChecker::NeedsSite(const HostEvent& event) const {
  return started_ && !event.node && (event.IsOperation() || event.kind == Kind::kPoolFree);
}

void OrderChecker::Read(const HostEvent& event) {
  if (event.IsOperation()) return ReadOperation(event);
  switch (event.kind) {
    case Kind::kHostFunction:
      function_ = {.stream = event.stream, .thread = event.thread};
      break;
    case Kind::kHostFunctionEnd:
      function_ = {};
      break;
    case Kind::kStreamCreate:
      order_->AddStream(event.stream, event.stream_kind);
      break;
    case Kind::kStreamDestroy:
      order_->RemoveStream(event.stream);
      break;
    case Kind::kEventRecord:
      order_->Record(event.event, event.stream);
      break;
    case Kind::kEventDestroy:
      order_->RemoveEvent(event.event);
      break;
    case Kind::kStreamWait:
      order_->Wait(event.stream, event.event);
      break;
    case Kind::kHostFree:
    case Kind::kPoolFree:
      return ReadFree(event);
    case Kind::kHostAccess:
    case Kind::kLibraryFree:
      return ReadAccess(event);
    case Kind::kStart:
      started_ = true;
      break;
    case Kind::kReset:
      Begin();
      break;
    default:
      break;
  }
  LetHostWait(*order_, PromisedWait(event), event.stream, event.event);
}

Operation OrderChecker::OperationOf(const HostEvent& event) const {
  if (!started_) return {};
  const std::string what = event.kind == Kind::kKernel
                               ? fmt::format("the kernel {}", KernelOnOneLine(event.kernel))
                               : event.Function();
  return {.text = fmt::format("{} in {}", what, names_.NameOf(event)),
          .place = event.Place(),
          .effect = EffectOf(event.kind),
          .in_graph = event.node.has_value()};
}

void OrderChecker::ReadOperation(const HostEvent& event) {
  static const LaunchUses kNone;
  const Operation operation = OperationOf(event);
  const LaunchUses& uses = started_ ? event.uses : kNone;
  if (!uses.complete) {
    incomplete_(event, event.kind == Kind::kKernel ? "pieces of memory that this kernel uses"
                                                   : "rows of this copy or fill");
  }
  std::span<const MemoryUse> of_stream = uses.uses;
  if (IsStaged(event)) {
    const auto is_read = [](const MemoryUse& use) { return use.kind == MemoryUse::Kind::kRead; };
    const auto reads = of_stream.first(
        static_cast<std::size_t>(std::ranges::find_if_not(of_stream, is_read) - of_stream.begin()));
    of_stream = of_stream.subspan(reads.size());
    RunStaging(event, operation, reads);
  }
  running_ = event.stream;
  if (event.kind == Kind::kKernel) {
    order_->RunKernel(event.stream, operation, uses, event.programmatic);
  } else {
    order_->Run(event.stream, operation, of_stream,
                event.kind == Kind::kCopy && event.bytes <= kMostOfAFlag);
  }
  running_ = 0;
  if (event.kind == Kind::kFree) {
    for (const MemoryUse& freed : event.uses.uses) order_->Forget(freed.begin, freed.end);
  }
  const HostCall::WaitsFor promised = PromisedWait(event);
  LetHostWait(*order_, promised, event.stream, event.event);
  if (promised != HostCall::WaitsFor::kStream &&
      WaitInPractice(event) == HostCall::WaitsFor::kStream) {
    order_->HostWaitsInPracticeForStream(event.stream);
  }
}

void OrderChecker::RunStaging(const HostEvent& copy, const Operation& operation,
                              std::span<const MemoryUse> reads) {
  if (!copy.asynchronous) {
    order_->HostWaitsForStream(copy.stream);
    order_->HostUses(operation, reads);
  } else if (started_) {
    order_->RunStaging(copy.stream, operation, reads);
  }
}

void OrderChecker::ReadFree(const HostEvent& event) {
  if (event.kind == Kind::kHostFree) {
    order_->HostWaitsInPracticeForAll();
  } else if (started_) {
    order_->HostUses(
        {.text = event.site.function, .place = event.site.address, .effect = Effect::kFrees},
        event.uses.uses);
  }
  for (const MemoryUse& freed : event.uses.uses) order_->Forget(freed.begin, freed.end);
}

void OrderChecker::ReadAccess(const HostEvent& event) {
  const MemoryUse& byte = event.uses.uses.front();
  // A host that reads a flag has waited for what the kernel did before it released the flag.
  order_->HostTouches(
      {.text = event.site.function, .place = event.site.address, .effect = EffectOf(event.kind)},
      byte, event.page);
  if (event.buffer.begin != event.buffer.end) {  // one finding for a buffer; it may be freed now
    order_->Forget(event.buffer.begin, event.buffer.end);
  } else if (function_.thread != 0 && function_.thread == event.thread) {
    order_->RunHostFunction(function_.stream,
                            {.text = "a host function in " + names_.NameOf(function_.stream),
                             .place = event.site.address},
                            {&byte, 1});
  }
}

}  // namespace warpcheck::order
