#include "cudart/order/copies_back.h"

#include <algorithm>

#include "base/text.h"
#include "debuginfo/call_site.h"

namespace warpcheck::cudart {

using Kind = order::HostEvent::Kind;

void CopiesBack::Read(const order::HostEvent& event) {
  if (!tells()) return;
  if (event.kind == Kind::kKernel) {
    ledger_.Launched(event.uses.uses, [&](std::uint64_t address) {
      const Allocation* const found = memory_.Find(reinterpret_cast<const void*>(address));
      if (found == nullptr) return std::pair{address, address};
      return std::pair{std::uint64_t{found->start}, std::uint64_t{found->start} + found->bytes};
    });
  } else if (event.kind == Kind::kCopy || event.kind == Kind::kFill) {
    ReadCopy(event);
  }
}

bool CopiesBack::IsOfDevice(std::uint64_t address) const {
  const Allocation* const found = memory_.Find(reinterpret_cast<const void*>(address));
  return found != nullptr && found->kind == MemoryKind::kDevice;
}

// Only copies of bytes without gaps are compared.
void CopiesBack::ReadCopy(const order::HostEvent& event) {
  const std::span<const MemoryUse> uses = event.uses.uses;
  const auto written = std::ranges::find(uses, MemoryUse::Kind::kWrite, &MemoryUse::kind);
  const std::span reads(uses.begin(), written);
  const std::span writes(written, uses.end());
  if (!writes.empty() && IsOfDevice(writes.front().begin)) {
    for (const MemoryUse& row : writes) ledger_.HostWrote(row.begin, row.end);
    return;
  }
  if (reads.size() != 1 || !IsOfDevice(reads.front().begin)) return;
  const MemoryUse& read = reads.front();
  const std::string what = ledger_.CopiedToHost(read.begin, read.end);
  if (what.empty()) return;
  const CallSite site = CurrentCall();
  CopiedBack copy{
      .call = site.Text(), .what = what, .of = {}, .where = lines_.OfCall(site.address)};
  if (const auto origin = origin_of_(read.begin)) {
    copy.of = origin->call + InBrackets(lines_.OfCall(origin->place));
  }
  tell_(copy);
}

}  // namespace warpcheck::cudart
