#include "cudart/order/host_side.h"

#include <fmt/format.h>
#include <pthread.h>

#include <array>
#include <string_view>
#include <utility>

#include "cudart/order/thread_stream.h"
#include "debuginfo/call_site.h"
#include "hostwatch/imports.h"

namespace warpcheck::cudart {

using Kind = HostEvent::Kind;

order::Handle HandleOf(cudaEvent_t event) { return reinterpret_cast<order::Handle>(event); }

HostSide::Readers::Readers(const HostSide& side)
    : around(side.around_),
      checker(
          names,
          [this](const order::Clash& clash, order::Handle stream) {
            around.note(FindingOf(clash, stream));
          },
          [this](const HostEvent& event, std::string_view what) {
            NoteLimit(around.lines->OfCall(event.Place()), what);
          }),
      record(names),
      late(checker, names, *around.lines, around.note),
      unrecorded(*around.lines, around.note),
      times(checker, *around.lines, around.note),
      pages(*around.memory, checker, *around.lines,
            {.limit =
                 [this](std::string_view what) {
                   NoteLimit(around.lines->OfCall(CurrentCall().address), what);
                 },
             .undone =
                 [this] {
                   around.note({.kind = FindingKind::kOrderLimit,
                                .where = around.lines->OfCall(CurrentCall().address),
                                .message = "the program takes the faults of memory (SIGSEGV), or "
                                           "unprotects pages, while the device may use memory: the "
                                           "checker of the order cannot see what the host reads "
                                           "and writes there",
                                .hint = "install no handler of SIGSEGV, and call no mprotect() on "
                                        "memory that the device uses"});
                 }}),
      copies(*around.memory, *around.lines, around.origin_of),
      log([] { return CurrentCall(); }) {
  for (order::LogReader* const reader : std::initializer_list<order::LogReader*>{
           &names, &checker, &record, &late, &queries, &unrecorded, &times, &pages, &copies}) {
    log.Add(*reader);
  }
}

Finding HostSide::Readers::FindingOf(const order::Clash& clash, order::Handle stream) {
  const auto origin_of = [&](std::uintptr_t address) {
    auto origin = around.origin_of(address);
    const MemoryUse* const pageable = origin ? nullptr : pages.PageableAt(address);
    if (pageable == nullptr) return origin;
    return std::optional(Origin{.start = pageable->begin,
                                .bytes = pageable->end - pageable->begin,
                                .call = "pageable memory"});
  };
  Finding finding = order::FindingOf(clash, origin_of, *around.lines);
  finding.message += unrecorded.Explain(stream);
  return finding;
}

void HostSide::Readers::NoteLimit(const SourceLocation& where, std::string_view what) {
  around.note({.kind = FindingKind::kOrderLimit,
               .where = where,
               .message = fmt::format("there are more {} than the checker of the order keeps: it "
                                      "did not look at all of them",
                                      what)});
}

void HostSide::Attach(Surroundings surroundings) {
  readers_.reset();
  *this = {};
  around_ = std::move(surroundings);
  readers_ = std::make_unique<Readers>(*this);
}

void HostSide::Start() {
  if (started_ || !around_.watched || around_.device == nullptr) return;
  started_ = true;
  around_.device->WatchUses();
  Append({.kind = Kind::kStart});
}

void HostSide::StartFor(cudaStream_t stream) {
  if (!started_ && (IsOfThread(stream) || MayRunWorkAtOnce())) Start();
}

void HostSide::TellCopiesBack(std::function<void(const CopiedBack&)> tell) {
  readers_->copies.Tell(std::move(tell));
  if (around_.device != nullptr) around_.device->WatchUses();
}

bool HostSide::MayRunWorkAtOnce() {
  constexpr std::array<std::string_view, 4> kCalls = {
      "cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority",
      "cudaLaunchKernelExC"};
  if (!may_run_work_at_once_) may_run_work_at_once_ = ImportsAnyOf(kCalls);
  return *may_run_work_at_once_;
}

bool HostSide::HostMayWaitForFunctions() {
  if (!may_wait_for_functions_) may_wait_for_functions_ = ImportsFunctionsAndWaits();
  return *may_wait_for_functions_;
}

order::Handle HostSide::HandleOf(cudaStream_t stream) {
  if (IsOfThread(stream)) {
    return threads_.try_emplace(ThisThread(), order::kFirstOfThreads + threads_.size())
        .first->second;
  }
  if (stream == nullptr || stream == cudaStreamLegacy) return order::kDefaultStream;
  return reinterpret_cast<order::Handle>(stream);
}

order::Handle HostSide::NewHandles(std::uint64_t count) {
  return std::exchange(next_handle_, next_handle_ + count);
}

HostEvent HostSide::EventIn(Lane lane, Kind kind, order::Handle event) {
  HostEvent made{.kind = kind, .stream = HandleOf(lane.stream), .event = event};
  if (lane.node == nullptr) return made;
  made.node = {.call = lane.node->call, .place = lane.node->place, .launched_in = made.stream};
  made.stream = lane.node->chain;
  return made;
}

HostEvent HostSide::CopyIn(Lane lane, bool asynchronous, const Bytes& to, const Bytes& from,
                           const Extent3& extent) {
  HostEvent copy = EventIn(lane, Kind::kCopy);
  copy.from = MemoryAt(*around_.memory, from.pointer);
  copy.to = MemoryAt(*around_.memory, to.pointer);
  copy.bytes = extent.Bytes();
  copy.asynchronous = asynchronous;
  if (!TakesUses()) return copy;
  AddRows(*around_.memory, MemoryUse::Kind::kRead, from, extent, copy.uses);
  AddRows(*around_.memory, MemoryUse::Kind::kWrite, to, extent, copy.uses);
  return copy;
}

HostEvent HostSide::FillIn(Lane lane, bool asynchronous, const Bytes& to, const Extent3& extent) {
  HostEvent fill = EventIn(lane, Kind::kFill);
  fill.to = MemoryAt(*around_.memory, to.pointer);
  fill.bytes = extent.Bytes();
  fill.asynchronous = asynchronous;
  if (TakesUses()) AddRows(*around_.memory, MemoryUse::Kind::kWrite, to, extent, fill.uses);
  return fill;
}

HostEvent HostSide::HostFunctionIn(Lane lane) {
  HostEvent function = EventIn(lane, Kind::kHostFunction);
  if (lane.node == nullptr && started_ && !HostMayWaitForFunctions()) {
    function.thread = static_cast<std::uint64_t>(::pthread_self());
  }
  return function;
}

void HostSide::Append(HostEvent event) {
  if (event.kind == Kind::kReset) started_ = false;
  if (!event.late.empty()) around_.at_late_write();
  readers_->log.Append(std::move(event));
}

void HostSide::Open() {
  if (readers_) readers_->pages.Open(readers_->log);
}

void HostSide::Close() {
  if (readers_) readers_->pages.Close();
}

bool HostSide::IsDone(cudaStream_t stream) {
  if (!started_) return true;
  const order::Handle handle = HandleOf(stream);
  return readers_->checker.order().IsHostAfterStream(handle) ||
         readers_->queries.AsksAgain(handle, CurrentCall().address);
}

bool HostSide::IsDone(cudaEvent_t event) {
  if (!started_) return true;
  const order::Handle handle = cudart::HandleOf(event);
  return readers_->checker.order().IsHostAfterEvent(handle) ||
         readers_->queries.AsksAgain(handle, CurrentCall().address);
}

bool HostSide::GivesTime(cudaEvent_t begin, cudaEvent_t end) {
  return !around_.watched ||
         readers_->times.GivesTime(cudart::HandleOf(begin), cudart::HandleOf(end), CurrentCall());
}

HostCalls HostSide::TakeCalls() { return readers_->record.Take(*around_.lines); }

}  // namespace warpcheck::cudart
