#include "cudart/runtime.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <utility>

#include "base/text.h"
#include "debuginfo/call_site.h"

namespace warpcheck::cudart {

// The object is never destroyed, because loaded objects unregister themselves while the process
// ends.
Runtime& Runtime::Get() {
  static Runtime& runtime = *new Runtime;
  return runtime;
}

void Runtime::Attach(Device* new_device, bool watch_order) {
  device = new_device;
  ++attachments;
  registry.ForgetModules();
  memory.ForgetDevice();
  pools.Clear();
  textures.Clear();
  streams.Clear();
  graphs.Clear();
  captures.Clear();
  misuse.Clear();
  host.Attach({.device = device,
               .memory = &memory,
               .lines = &lines,
               .watched = watch_order,
               .origin_of =
                   [this](std::uintptr_t address) {
                     auto origin = misuse.OriginOf(address);
                     return origin ? origin : registry.VariableAt(address);
                   },
               .note = [this](const Finding& finding) { NoteMisuse(*this, finding); }});
  settings = {};
  pending = sticky = cudaSuccess;
}

void Runtime::Reset() {
  if (device != nullptr) static_cast<void>(device->Reset());
  memory.ForgetDevice();
  textures.Clear();
  registry.ForgetModules();
  streams.Clear();
  graphs.Clear();
  captures.Clear();
  misuse.ForgetAllocations();
  pools.Clear();
  host.Append({.kind = HostEvent::Kind::kReset});
  settings = {};
}

void Runtime::SetSticky(cudaError_t error) {
  sticky = error;
  pending = cudaSuccess;
}

void Runtime::Record(cudaEvent_t event, Lane lane) {
  streams.Find(event)->recorded = std::chrono::steady_clock::now();
  captures.Forget(event);
  HostEvent record = host.EventIn(lane, HostEvent::Kind::kEventRecord);
  record.event = HandleOf(event);
  host.Append(std::move(record));
}

// A host that reads late bytes too early, again and again, would wait forever: it gets the new ones
// after a second.
void Runtime::Append(HostEvent event) {
  const bool late = !event.late.empty();
  host.Append(std::move(event));
  if (!late) return;
  spin.Start([this] {
    const std::lock_guard lock(mutex);
    if (!host.HostHasUsedMemory()) return;
    host.Open();
    host.late().Deliver();
    host.Close();
  });
}

void Runtime::NoteUses(const std::vector<MemoryUse>& uses) {
  if (!ledger) return;
  ledger->Launched(uses, [&](std::uint64_t address) {
    const Allocation* const found = memory.Find(reinterpret_cast<const void*>(address));
    if (found == nullptr) return std::pair{address, address};
    return std::pair{std::uint64_t{found->start}, std::uint64_t{found->start} + found->bytes};
  });
}

void Runtime::NoteCopy(const Bytes& to, const Bytes& from, const Extent3& extent) {
  if (!ledger || extent.Empty()) return;
  const auto of_device = [&](const void* pointer) {
    const Allocation* const found = pointer == nullptr ? nullptr : memory.Find(pointer);
    return found != nullptr && found->kind == MemoryKind::kDevice;
  };
  if (of_device(to.pointer)) {
    const Extent3 rows = Joined(extent, to.strides);
    ForEachRow(rows, [&](std::uint64_t y, std::uint64_t z) {
      const std::uint64_t begin = Address(to.pointer) + to.strides.Offset(y, z);
      ledger->HostWrote(begin, begin + rows.width);
    });
    return;
  }
  const Extent3 rows = Joined(extent, from.strides);
  if (!of_device(from.pointer) || rows.height != 1 || rows.depth != 1) return;
  const std::uint64_t begin = Address(from.pointer);
  const std::string what = ledger->CopiedToHost(begin, begin + rows.width);
  if (what.empty()) return;
  const CallSite site = CurrentCall();
  CopiedBack copy{.call = site.Text(), .what = what, .of = {}, .where = lines.OfCall(site.address)};
  if (const auto origin = misuse.OriginOf(begin)) {
    copy.of = origin->call + InBrackets(lines.OfCall(origin->place));
  }
  at_copy_back(copy);
}

void Runtime::NoteError(cudaError_t error) {
  const bool told_otherwise = error == cudaErrorNotReady || error == cudaErrorNotSupported;
  if (!at_refusal || device == nullptr || told_otherwise) return;
  const CallSite site = CurrentCall();
  RefusedCall refused{
      .call = site.Text(), .error = cudaGetErrorName(error), .where = lines.OfCall(site.address)};
  if (error == cudaErrorMemoryAllocation) {
    const MemoryInfo room = device->Memory();
    refused.why = fmt::format("{} of the {} of the device are free", Grouped(room.free_bytes),
                              Counted(room.total_bytes, "byte"));
  }
  at_refusal(refused);
}

cudaError_t& Runtime::LastError() {
  struct OfThread {
    std::uint64_t attachment = 0;
    cudaError_t error = cudaSuccess;
  };
  thread_local OfThread last;
  if (last.attachment != attachments) last = {attachments, cudaSuccess};
  return last.error;
}

}  // namespace warpcheck::cudart
