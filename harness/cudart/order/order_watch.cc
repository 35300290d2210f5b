#include "cudart/order/order_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "base/round_up.h"
#include "base/text/kernel_name.h"
#include "cudart/order/clash_text.h"
#include "debuginfo/call_site.h"
#include "hostwatch/imports.h"

namespace warpcheck::cudart {

char warpcheck_default_stream_per_thread = 0;

namespace {

// A copy of at most this many bytes may read a flag.
constexpr std::uint64_t kMostOfAFlag = 16;
// Ranges of pageable memory that are watched at a time.
constexpr std::size_t kMostPageable = 1024;
constexpr order::Handle kLegacyHandle = 1;
// The default streams of threads have the numbers from here on; other handles are smaller.
constexpr order::Handle kFirstThread = order::Handle{1} << 62;
// Graphs have the numbers from here on.
constexpr order::Handle kFirstOfGraphs = order::Handle{1} << 61;

order::Handle HandleOf(cudaEvent_t event) { return reinterpret_cast<order::Handle>(event); }

// Returns a range of memory by the address at which the order knows it: for memory of both sides,
// the host's.
MemoryUse AtItsPlace(const Allocation* allocation, MemoryUse use) {
  if (allocation == nullptr || allocation->host == nullptr) return use;
  const std::uint64_t offset = allocation->OffsetOf(reinterpret_cast<const void*>(use.begin));
  const std::uint64_t bytes = use.end - use.begin;
  use.begin = Address(allocation->host) + offset;
  use.end = use.begin + bytes;
  return use;
}

// Returns true if some of the bytes may lie on the stack of the calling thread, whose functions
// share its pages.
bool IsOnStack(std::uintptr_t begin, std::uintptr_t end) {
  struct Stack {
    std::uintptr_t begin = 0;
    std::uintptr_t end = UINTPTR_MAX;
    Stack() {
      pthread_attr_t attributes;
      if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return;
      void* start = nullptr;
      std::size_t bytes = 0;
      if (::pthread_attr_getstack(&attributes, &start, &bytes) == 0) {
        this->begin = Address(start);
        this->end = this->begin + bytes;
      }
      ::pthread_attr_destroy(&attributes);
    }
  };
  thread_local const Stack stack;
  return begin < stack.end && end > stack.begin;
}

MemoryUse WriteOf(const Allocation& allocation) {
  return {MemoryUse::Kind::kWrite, allocation.start, allocation.start + allocation.bytes};
}

}  // namespace

bool IsOfThread(cudaStream_t stream) {
  return stream == cudaStreamPerThread ||
         (stream == nullptr && warpcheck_default_stream_per_thread != 0);
}

void OrderWatch::Clear() {
  if (guard_ != nullptr) guard_->Clear();
  Surroundings around = std::move(around_);
  *this = {};
  around_ = std::move(around);
}

void OrderWatch::Attach(Surroundings surroundings) {
  Clear();
  around_ = std::move(surroundings);
}

void OrderWatch::Start() {
  if (on() || around_.device == nullptr) return;
  order_ = std::make_unique<order::Order>([this](const order::Clash& clash) { Report(clash); });
  order_->AddStream(kLegacyHandle, order::StreamKind::kLegacy);
  guard_ = std::make_unique<PageGuard>();
  if (around_.watched) around_.device->WatchUses();
}

void OrderWatch::Enter() {
  if (!on()) return;
  for (const PageGuard::Touch& touch : guard_->Open()) Take(touch);
  if (guard_->TakeLeftOut()) NoteLimit("accesses of the host to pages that the device uses");
  if (guard_->TakeUndone()) {
    around_.note(
        {.kind = FindingKind::kOrderLimit,
         .where = around_.lines->OfCall(CurrentCall().address),
         .message = "the program takes the faults of memory (SIGSEGV), or unprotects pages, "
                    "while the device may use memory: the checker of the order cannot see "
                    "what the host reads and writes there",
         .hint = "install no handler of SIGSEGV, and call no mprotect() on memory that the "
                 "device uses"});
  }
}

void OrderWatch::NoteLimit(std::string_view what) {
  around_.note({.kind = FindingKind::kOrderLimit,
                .where = around_.lines->OfCall(CurrentCall().address),
                .message = fmt::format(
                    "there are more {} than the checker of the order keeps: it did not look at all "
                    "of them",
                    what)});
}

void OrderWatch::Take(const PageGuard::Touch& touch) {
  const bool known = around_.memory->Find(reinterpret_cast<const void*>(touch.address)) != nullptr;
  const MemoryUse* const pageable = known ? nullptr : PageableAt(touch.address);
  if (!known && pageable == nullptr) return;
  const MemoryUse byte{touch.writes ? MemoryUse::Kind::kWrite : MemoryUse::Kind::kRead,
                       touch.address, touch.address + 1};
  const std::uintptr_t page = touch.address / PageBytes() * PageBytes();
  // A host that reads a flag has waited for what the kernel did before it released the flag.
  if (order_->HostTouches({.text = touch.frees ? "free()" : "the host",
                           .place = PlaceOf(touch),
                           .effect = touch.frees ? order::Effect::kFrees : order::Effect::kNone},
                          byte, {byte.kind, page, page + PageBytes()})) {
    waited_ = has_waited_ = true;
  }
  if (pageable != nullptr) {  // one finding for a buffer; it may be freed now
    order_->Forget(pageable->begin, pageable->end);
    std::erase(pageable_, MemoryUse(*pageable));
    waited_ = true;
  }
  if (known && function_ && ::pthread_equal(function_->thread, touch.thread) != 0) {
    order_->RunHostFunction(function_->stream, {.text = function_->text, .place = PlaceOf(touch)},
                            {&byte, 1});
  }
}

std::uint64_t OrderWatch::PlaceOf(const PageGuard::Touch& touch) {
  // As for a call, the place is the address behind the instruction.
  const std::uint64_t behind = touch.code + 1;
  if (around_.lines->OfCall(behind).known()) return behind;
  for (const std::uint64_t caller : touch.callers) {
    if (around_.lines->OfCall(caller).known()) return caller;
  }
  return behind;
}

void OrderWatch::Leave() {
  if (!on()) return;
  if (std::exchange(waited_, false)) GuardAgain();
  guard_->Close();
}

void OrderWatch::Run(Lane lane, const order::Operation& operation,
                     const std::vector<MemoryUse>& uses, bool may_read_a_flag) {
  Run(lane, uses, [&](order::Handle line) {
    order_->Run(line, operation, around_.watched ? uses : std::vector<MemoryUse>(),
                may_read_a_flag);
  });
}

void OrderWatch::Run(Lane lane, const std::vector<MemoryUse>& uses,
                     const std::function<void(order::Handle)>& run) {
  running_ = HandleOf(lane);
  asked_.erase(running_);
  run(running_);
  running_ = 0;
  if (!around_.watched) return;
  for (const MemoryUse& use : uses) Guard(use);
}

void OrderWatch::Guard(const MemoryUse& use) {
  const Allocation* const allocation =
      around_.memory->Find(reinterpret_cast<const void*>(use.begin));
  if (allocation == nullptr || allocation->host == nullptr) return;
  const std::uintptr_t page = PageBytes();
  const std::uintptr_t start = Address(allocation->host);
  std::uintptr_t begin = use.begin / page * page;
  std::uintptr_t end = RoundUp(use.end, page);
  if (allocation->kind == MemoryKind::kRegistered) {
    // Other data of the program may lie on its first and its last page.
    begin = std::max<std::uintptr_t>(begin, RoundUp(start, page));
    end = std::min(end, (start + allocation->bytes) / page * page);
  }
  if (begin >= end) return;
  guard_->Add({begin, end, use.kind == MemoryUse::Kind::kRead});
}

const MemoryUse* OrderWatch::PageableAt(std::uintptr_t address) const {
  const auto found = std::ranges::find_if(
      pageable_, [&](const MemoryUse& use) { return use.begin <= address && address < use.end; });
  return found == pageable_.end() ? nullptr : &*found;
}

void OrderWatch::WatchPageable(const std::vector<MemoryUse>& uses) {
  if (!around_.watched || !PageGuard::KnowsOfFrees()) return;
  for (const MemoryUse& use : uses) {
    if (pageable_.size() >= kMostPageable) {
      return NoteLimit("buffers of asynchronous copies in pageable memory");
    }
    if (around_.memory->Find(reinterpret_cast<const void*>(use.begin)) != nullptr ||
        !around_.memory->IsOfProcess(reinterpret_cast<const void*>(use.begin), 1)) {
      continue;  // the other side of a copy
    }
    if (IsOnStack(use.begin, use.end)) continue;
    std::erase(pageable_, use);
    pageable_.push_back(use);
    GuardPageable(use);
  }
}

// Other data of the program lies on the first and the last page.
void OrderWatch::GuardPageable(const MemoryUse& use) {
  const std::uintptr_t page = PageBytes();
  const std::uintptr_t begin = RoundUp(use.begin, page);
  const std::uintptr_t end = use.end / page * page;
  if (begin < end) guard_->Add({begin, end, use.kind == MemoryUse::Kind::kRead});
}

void OrderWatch::GuardAgain() {
  guard_->Clear();
  std::erase_if(pageable_, [&](const MemoryUse& use) {
    bool pending = false;
    order_->EachPending(
        use.begin, use.end, [&](DeviceAddress first, DeviceAddress last, bool written) {
          pending = true;
          GuardPageable({written ? MemoryUse::Kind::kWrite : MemoryUse::Kind::kRead, first, last});
        });
    return !pending;
  });
  around_.memory->EachOnTheHost([&](const Allocation& allocation) {
    const std::uintptr_t begin = Address(allocation.host);
    order_->EachPending(
        begin, begin + allocation.bytes,
        [&](DeviceAddress first, DeviceAddress last, bool written) {
          Guard({written ? MemoryUse::Kind::kWrite : MemoryUse::Kind::kRead, first, last});
        });
  });
}

bool OrderWatch::StartFor(cudaStream_t stream) {
  if (!on() && (IsOfThread(stream) || MayRunWorkAtOnce())) Start();
  return on();
}

bool OrderWatch::MayRunWorkAtOnce() {
  constexpr std::array<std::string_view, 4> kCalls = {
      "cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority",
      "cudaLaunchKernelExC"};
  if (!may_run_work_at_once_) may_run_work_at_once_ = ImportsAnyOf(kCalls);
  return *may_run_work_at_once_;
}

order::Handle OrderWatch::NewHandles(std::uint64_t count) {
  if (next_handle_ == 0) next_handle_ = kFirstOfGraphs;
  return std::exchange(next_handle_, next_handle_ + count);
}

order::Handle OrderWatch::HandleOfThread() {
  const auto [found, is_new] = threads_.try_emplace(ThisThread(), kFirstThread + threads_.size());
  if (is_new) order_->AddStream(found->second, order::StreamKind::kBlocking);
  return found->second;
}

order::Handle OrderWatch::HandleOf(Lane lane) {
  if (lane.node != nullptr) return lane.node->chain;
  if (IsOfThread(lane.stream)) return HandleOfThread();
  if (lane.stream == nullptr || lane.stream == cudaStreamLegacy) return kLegacyHandle;
  return reinterpret_cast<order::Handle>(lane.stream);
}

std::string OrderWatch::NameOf(Lane lane) {
  const std::string name = StreamName(lane.stream);
  return lane.node != nullptr ? "a graph in " + name : name;
}

std::string OrderWatch::StreamName(cudaStream_t stream) {
  if (IsOfThread(stream)) {
    return fmt::format("the default stream of thread {}", HandleOfThread() - kFirstThread + 1);
  }
  if (stream == nullptr || stream == cudaStreamLegacy) return "the default stream";
  return fmt::format("stream {}", numbers_[stream]);
}

order::Operation OrderWatch::CallIn(Lane lane, order::Effect effect) {
  if (lane.node != nullptr) {
    return {.text = fmt::format("{} in {}", lane.node->call, NameOf(lane)),
            .place = lane.node->place,
            .effect = effect,
            .in_graph = true};
  }
  const CallSite site = CurrentCall();
  return {.text = fmt::format("{} in {}", site.function, NameOf(lane)),
          .place = site.address,
          .effect = effect};
}

OrderWatch::Side OrderWatch::SideOf(MemoryUse::Kind kind, const Bytes& box, const Extent3& extent) {
  Side side;
  const Allocation* const allocation = around_.memory->Find(box.pointer);
  if (allocation == nullptr) {
    const bool host = around_.memory->IsOfProcess(box.pointer, 1);
    side.memory = host ? Memory::kPageable : Memory::kDevice;
  } else if (allocation->host != nullptr) {
    side.memory = allocation->managed() ? Memory::kManaged : Memory::kPinned;
  }
  const Extent3 rows = Joined(extent, box.strides);
  ForEachRow(rows, [&](std::uint64_t y, std::uint64_t z) {
    if (side.uses.size() >= kMostUses) {
      if (TakesUses()) NoteLimit("rows of this copy or fill");
      return;
    }
    const std::uint64_t begin = Address(box.pointer) + box.strides.Offset(y, z);
    side.uses.push_back(AtItsPlace(allocation, {kind, begin, begin + rows.width}));
  });
  return side;
}

// docs/order.md has the table of what copies promise.
HostCall::WaitsFor OrderWatch::WaitsForOf(Form form, Memory from, Memory to) {
  using enum HostCall::WaitsFor;
  const auto on_host = [](Memory memory) {
    return IsOneOf(memory, Memory::kPinned, Memory::kPageable);
  };
  if (on_host(from) && on_host(to)) return kStream;
  if (form == Form::kAsynchronous) return kNothing;
  if (from == Memory::kDevice && to == Memory::kDevice) return kNothing;
  return from == Memory::kPageable && to == Memory::kDevice ? kEarlierWork : kStream;
}

void OrderWatch::Copied(Form form, Lane lane, const Bytes& to, const Bytes& from,
                        const Extent3& extent) {
  if (extent.Empty()) return;
  const bool watches = StartFor(lane.stream);
  Side target = SideOf(MemoryUse::Kind::kWrite, to, extent);
  const Side source = SideOf(MemoryUse::Kind::kRead, from, extent);
  // The host waits for no node of a graph, and such a copy reads its source when it runs.
  const HostCall::WaitsFor waits = lane.node != nullptr
                                       ? HostCall::WaitsFor::kNothing
                                       : WaitsForOf(form, source.memory, target.memory);
  // The bytes are read before the call returns, and may arrive later.
  const bool staged = source.memory == Memory::kPageable && lane.node == nullptr &&
                      IsOneOf(target.memory, Memory::kDevice, Memory::kManaged);
  if (!staged) target.uses.insert(target.uses.begin(), source.uses.begin(), source.uses.end());
  record().Add(lane, {.from = source.memory,
                      .to = target.memory,
                      .bytes = extent.Bytes(),
                      .asynchronous = form == Form::kAsynchronous,
                      .waits_for = waits,
                      .uses = TakesUses() ? target.uses : std::vector<MemoryUse>()});
  if (waits != HostCall::WaitsFor::kNothing ||
      (form == Form::kAsynchronous && target.memory == Memory::kPageable)) {
    WaitedForEarly();
  }
  if (!watches) return;
  const order::Handle handle = HandleOf(lane);
  const order::Operation call = CallIn(lane);
  if (form == Form::kSynchronous && staged) HostWaits().HostWaitsForStream(handle);
  if (staged && TakesUses()) {
    if (form == Form::kSynchronous) order_->HostUses(call, source.uses);
    if (form == Form::kAsynchronous) order_->RunStaging(handle, call, source.uses);
  }
  Run(lane, call, target.uses, extent.Bytes() <= kMostOfAFlag);
  if (form == Form::kAsynchronous && waits == HostCall::WaitsFor::kNothing) {
    if (source.memory == Memory::kPageable) WatchPageable(source.uses);
    if (target.memory == Memory::kPageable) WatchPageable(target.uses);
  }
  if (lane.node != nullptr) return;
  if (waits == HostCall::WaitsFor::kStream) return HostWaits().HostWaitsForStream(handle);
  if (waits == HostCall::WaitsFor::kEarlierWork ||
      (form == Form::kAsynchronous && target.memory == Memory::kPageable)) {
    order_->HostUsuallyWaitsForStream(handle);
  }
}

void OrderWatch::Filled(Form form, Lane lane, const Bytes& to, const Extent3& extent) {
  if (extent.Empty()) return;
  const bool watches = StartFor(lane.stream);
  const Side target = SideOf(MemoryUse::Kind::kWrite, to, extent);
  const bool waits = form == Form::kSynchronous && target.memory != Memory::kDevice;
  record().Add(lane,
               {.kind = HostCall::Kind::kFill,
                .to = target.memory,
                .bytes = extent.Bytes(),
                .asynchronous = form == Form::kAsynchronous,
                .waits_for = waits ? HostCall::WaitsFor::kStream : HostCall::WaitsFor::kNothing,
                .uses = TakesUses() ? target.uses : std::vector<MemoryUse>()});
  if (waits) WaitedForEarly();
  if (!watches) return;
  Run(lane, CallIn(lane), target.uses);
  if (waits) HostWaits().HostWaitsForStream(HandleOf(lane));
}

std::uint64_t OrderWatch::PlaceOf(Lane lane, std::uint64_t call) {
  if (lane.node != nullptr) return lane.node->place;
  return call != 0 ? call : CurrentCall().address;
}

OrderWatch::LaunchMemory OrderWatch::TakeUses(bool wanted) {
  LaunchMemory memory;
  if (!TakesUses() && !wanted) return memory;
  LaunchUses& uses = memory.uses;
  uses = around_.device->TakeUses();
  if (!uses.complete && TakesUses()) NoteLimit("pieces of memory that this kernel uses");
  const Allocation* last = nullptr;
  const auto find = [&](const MemoryUse& use) {
    const auto* const pointer = reinterpret_cast<const void*>(use.begin);
    if (last == nullptr || !last->Holds(pointer, 1)) last = around_.memory->Find(pointer);
    return last;
  };
  for (MemoryUse& use : uses.before_wait) use = AtItsPlace(find(use), use);
  for (MemoryUse& use : uses.uses) {
    const auto* const pointer = reinterpret_cast<const void*>(use.begin);
    find(use);
    const bool shared =
        last != nullptr && last->host != nullptr && last->Holds(pointer, use.end - use.begin);
    use = AtItsPlace(last, use);
    memory.tells_the_host = memory.tells_the_host || (shared && IsAtomic(use.kind));
    if (shared && use.kind == MemoryUse::Kind::kWrite) memory.unseen.push_back(use);
  }
  if (memory.tells_the_host || !TakesUses()) memory.unseen.clear();
  return memory;
}

void OrderWatch::Launched(Lane lane, const std::string& kernel, std::uint64_t place,
                          bool programmatic, LaunchMemory memory) {
  const bool watches = StartFor(lane.stream);
  if (!TakesUses()) memory = {};
  record().Add(lane,
               {.kind = HostCall::Kind::kKernel,
                .function = "a kernel launch",
                .kernel = kernel,
                .uses = memory.uses.uses,
                .tells_the_host = memory.tells_the_host},
               place);
  if (!watches) return;
  const order::Operation operation{
      .text = fmt::format("the kernel {} in {}", KernelOnOneLine(kernel), NameOf(lane)),
      .place = PlaceOf(lane, place),
      .in_graph = lane.node != nullptr};
  Run(lane, memory.uses.uses,
      [&](order::Handle line) { order_->RunKernel(line, operation, memory.uses, programmatic); });
}

void OrderWatch::AllocatedInStream(Lane lane, const void* pointer, std::uint64_t bytes) {
  const bool watches = StartFor(lane.stream);
  const MemoryUse all{MemoryUse::Kind::kWrite, Address(pointer), Address(pointer) + bytes};
  record().Add(lane, {.kind = HostCall::Kind::kAllocation, .bytes = bytes, .uses = {all}});
  if (!watches) return;
  Run(lane, CallIn(lane, order::Effect::kAllocates), {all});
}

template <class Body>
void OrderWatch::WithFree(const Allocation& allocation, Body body) {
  guard_->Clear();
  waited_ = true;
  const MemoryUse all = WriteOf(allocation);
  body(all);
  order_->Forget(all.begin, all.end);
}

void OrderWatch::FreesInStream(Lane lane, const void* pointer) {
  const Allocation* const allocation = around_.memory->Find(pointer);
  const bool watches = StartFor(lane.stream);
  if (allocation == nullptr) return;
  record().Add(
      lane,
      {.kind = HostCall::Kind::kFree, .bytes = allocation->bytes, .uses = {WriteOf(*allocation)}});
  if (!watches) return;
  WithFree(*allocation,
           [&](const MemoryUse& all) { Run(lane, CallIn(lane, order::Effect::kFrees), {all}); });
}

void OrderWatch::Frees(const void* pointer) {
  const bool waits = !around_.pools->Holds(pointer);
  if (waits) {
    record().HostWaitsForDevice();
    WaitedForEarly();
  }
  if (!on()) return;
  if (waits) HostWaits().HostUsuallyWaitsForAll();
  const Allocation* const allocation = around_.memory->Find(pointer);
  if (allocation == nullptr || Address(pointer) != allocation->start) return;
  WithFree(*allocation, [&](const MemoryUse& all) {
    const CallSite site = CurrentCall();
    if (waits || !around_.watched) return;
    order_->HostUses(
        {.text = site.function, .place = site.address, .effect = order::Effect::kFrees}, {&all, 1});
  });
}

void OrderWatch::BeginHostFunction(Lane lane) {
  record().Add(lane, {.kind = HostCall::Kind::kHostFunction});
  WaitedForEarly();
  if (!StartFor(lane.stream)) return;
  HostWaits().HostWaitsForStream(HandleOf(lane));
  if (lane.node != nullptr || !around_.watched || HostMayWaitForFunctions()) return;
  function_ = {.stream = HandleOf(lane),
               .text = "a host function in " + NameOf(lane),
               .thread = ::pthread_self()};
  // GuardAgain() forgets these pages after the function.
  GuardAgain();
  waited_ = false;
  around_.memory->EachOnTheHost([&](const Allocation& allocation) {
    const std::uintptr_t begin = Address(allocation.host);
    Guard({MemoryUse::Kind::kWrite, begin, begin + allocation.bytes});
  });
}

void OrderWatch::EndHostFunction() {
  if (!function_) return;
  function_.reset();
  waited_ = true;
}

bool OrderWatch::HostMayWaitForFunctions() {
  if (!may_wait_for_functions_) may_wait_for_functions_ = ImportsFunctionsAndWaits();
  return *may_wait_for_functions_;
}

void OrderWatch::StreamCreated(cudaStream_t stream, unsigned flags) {
  Start();
  record().StreamCreated(stream, (flags & cudaStreamNonBlocking) != 0);
  numbers_[stream] = ++last_number_;
  if (!on()) return;
  order_->AddStream(HandleOf(stream), (flags & cudaStreamNonBlocking) != 0
                                          ? order::StreamKind::kNonBlocking
                                          : order::StreamKind::kBlocking);
}

void OrderWatch::StreamDestroyed(cudaStream_t stream) {
  record().StreamDestroyed(stream);
  if (on()) order_->RemoveStream(HandleOf(stream));
}

void OrderWatch::EventDestroyed(cudaEvent_t event) {
  record().EventDestroyed(event);
  KeepEarlyTimes(event);
  records_.erase(event);
  if (!on()) return;
  order_->RemoveEvent(cudart::HandleOf(event));
  const auto found = unrecorded_.find(event);
  if (found == unrecorded_.end()) return;
  never_.push_back(found->second);
  unrecorded_.erase(found);
}

void OrderWatch::Recorded(cudaEvent_t event, Lane lane) {
  record().Recorded(cudart::HandleOf(event), lane);
  KeepEarlyTimes(event);
  EventRecord& last = records_[event] = {.place = PlaceOf(lane, 0)};
  if (!StartFor(lane.stream)) {
    last.number = ++last_record_;
    return;
  }
  order_->Record(cudart::HandleOf(event), HandleOf(lane));
  asked_.erase(cudart::HandleOf(event));
  const auto found = unrecorded_.find(event);
  if (found == unrecorded_.end()) return;
  found->second.recorded = CurrentCall().address;
  if (found->second.stream != 0) too_early_[found->second.stream] = found->second;
  unrecorded_.erase(found);
}

void OrderWatch::NoteUnrecordedWait(cudaEvent_t event, order::Handle stream) {
  if (!around_.watched) return;
  if (records_.contains(event)) return;  // it was recorded before the order was watched
  const CallSite site = CurrentCall();
  unrecorded_.try_emplace(
      event, UnrecordedWait{.call = site.function, .place = site.address, .stream = stream});
}

void OrderWatch::AddChain(order::Handle chain) {
  if (on()) order_->AddStream(chain, order::StreamKind::kNonBlocking);
}

void OrderWatch::RemoveChain(order::Handle chain) {
  if (on()) order_->RemoveStream(chain);
}

void OrderWatch::RemoveEvent(order::Handle event) {
  if (on()) order_->RemoveEvent(event);
}

void OrderWatch::Recorded(order::Handle event, Lane lane) {
  record().Recorded(event, lane);
  if (on()) order_->Record(event, HandleOf(lane));
}

void OrderWatch::Waits(Lane lane, order::Handle event) {
  record().Waits(lane, event);
  if (on()) order_->Wait(HandleOf(lane), event);
}

void OrderWatch::Waits(Lane lane, cudaEvent_t event) {
  record().Waits(lane, cudart::HandleOf(event));
  if (!StartFor(lane.stream)) return;
  const order::Handle handle = HandleOf(lane);
  if (!order_->Wait(handle, cudart::HandleOf(event))) NoteUnrecordedWait(event, handle);
}

bool OrderWatch::IsDone(cudaStream_t stream) {
  if (!StartFor(stream) || !around_.watched) return true;
  const order::Handle handle = HandleOf(stream);
  return order_->IsHostAfterStream(handle) || AsksAgain(handle);
}

bool OrderWatch::IsDone(cudaEvent_t event) {
  if (!TakesUses()) return true;
  const order::Handle handle = cudart::HandleOf(event);
  return order_->IsHostAfterEvent(handle) || AsksAgain(handle);
}

bool OrderWatch::AsksAgain(order::Handle handle) {
  return !asked_[handle].insert(CurrentCall().address).second;
}

bool OrderWatch::HasPassed(cudaEvent_t event) const {
  const auto found = records_.find(event);
  if (found == records_.end() || !around_.watched) return true;
  if (found->second.number != 0) return found->second.number <= passed_;
  return order_->IsHostAfterEvent(cudart::HandleOf(event));
}

void OrderWatch::KeepEarlyTimes(cudaEvent_t event) {
  const auto early = early_times_.find(event);
  if (early == early_times_.end()) return;
  for (auto& [place, time] : early->second) unsettled_.push_back(std::move(time));
  early_times_.erase(early);
}

bool OrderWatch::GivesTime(cudaEvent_t begin, cudaEvent_t end) {
  const cudaEvent_t late = HasPassed(end) ? begin : end;
  if (HasPassed(late)) {
    early_times_.erase(begin);
    early_times_.erase(end);
    return true;
  }
  const CallSite site = CurrentCall();
  std::map<std::uint64_t, EarlyTime>& asked = early_times_[late];
  if (asked.erase(site.address) != 0) return true;
  asked[site.address] = {
      .call = site.Text(), .place = site.address, .recorded = records_[late].place};
  return false;
}

void OrderWatch::HostWaitsFor(cudaStream_t stream) {
  record().HostWaitsForStream(stream);
  WaitedForEarly();
  if (StartFor(stream)) HostWaits().HostWaitsForStream(HandleOf(stream));
}

void OrderWatch::HostWaitsFor(cudaEvent_t event) {
  record().HostWaitsForEvent(event);
  const auto last = records_.find(event);
  if (last != records_.end() && last->second.number == 0) WaitedForEarly();
  if (last != records_.end()) passed_ = std::max(passed_, last->second.number);
  if (on() && !HostWaits().HostWaitsForEvent(cudart::HandleOf(event))) NoteUnrecordedWait(event, 0);
}

bool OrderWatch::IsWaitedFor(const order::Moment& moment, bool kernel) {
  if (!on() || order_->HasHostWaited(moment)) return true;
  return kernel && order_->IsBeforeNext(moment, kLegacyHandle);
}

void OrderWatch::HostWaitsForAll() {
  record().HostWaitsForDevice();
  WaitedForEarly();
  if (on()) HostWaits().HostWaitsForAll();
}

void OrderWatch::NoteLeftovers() {
  std::vector<UnrecordedWait> waits = std::exchange(never_, {});
  for (const auto& [event, wait] : std::exchange(unrecorded_, {})) waits.push_back(wait);
  std::ranges::sort(waits, {}, &UnrecordedWait::place);
  for (const UnrecordedWait& wait : waits) {
    around_.note({.kind = FindingKind::kUnrecordedEvent,
                  .where = around_.lines->OfCall(wait.place),
                  .message = fmt::format("{} waits for an event that the program never records: it "
                                         "waits for nothing",
                                         wait.call)});
  }
  while (!early_times_.empty()) KeepEarlyTimes(early_times_.begin()->first);
  std::ranges::sort(unsettled_, {}, &EarlyTime::place);
  for (const EarlyTime& early : std::exchange(unsettled_, {})) {
    around_.note(
        {.kind = FindingKind::kEarlyTime,
         .where = around_.lines->OfCall(early.place),
         .other = around_.lines->OfCall(early.recorded),
         .message = fmt::format("{} asks for the time of an event that may not be done{}: "
                                "it returned cudaErrorNotReady and wrote no time",
                                early.call, InBrackets(around_.lines->OfCall(early.recorded)))});
  }
}

void OrderWatch::Report(const order::Clash& clash) {
  const auto origin_of = [&](std::uintptr_t address) {
    auto origin = around_.origin_of(address);
    const MemoryUse* const pageable = origin ? nullptr : PageableAt(address);
    if (pageable == nullptr) return origin;
    return std::optional(Origin{.start = pageable->begin,
                                .bytes = pageable->end - pageable->begin,
                                .call = "pageable memory"});
  };
  Finding finding = FindingOf(clash, origin_of, *around_.lines);
  const auto wait = too_early_.find(running_);
  if (wait != too_early_.end()) {
    finding.message += fmt::format(
        "; {}{} waits for an event that is recorded only later{}: it "
        "waits for nothing",
        wait->second.call, InBrackets(around_.lines->OfCall(wait->second.place)),
        InBrackets(around_.lines->OfCall(wait->second.recorded)));
  }
  const auto found = std::ranges::find_if(
      unrecorded_, [&](const auto& entry) { return entry.second.stream == running_; });
  if (found != unrecorded_.end()) {  // this finding tells of it, so that no other one need
    finding.message +=
        fmt::format("; {}{} waits for an event that nothing has recorded: it waits for nothing",
                    found->second.call, InBrackets(around_.lines->OfCall(found->second.place)));
    unrecorded_.erase(found);
  }
  around_.note(finding);
}

}  // namespace warpcheck::cudart
