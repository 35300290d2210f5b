#include "emulator/checkers/race_look.h"

#include <algorithm>
#include <bit>

namespace warpcheck::emulator {
namespace {

constexpr std::uint32_t kShortestRow = 3;  // lanes: shorter ones are quicker one by one

// How many lanes from `lane` on take part, each `step` bytes further than the one before.
std::uint32_t RunFrom(const RaceAccess& access, std::uint32_t lane, std::uint64_t step) {
  const auto most = static_cast<std::uint32_t>(std::countr_one(access.mask >> lane));
  const std::uint64_t* address = access.addresses->data() + lane;
  std::uint32_t run = 1;
  while (run < most && address[run] - address[run - 1] == step) ++run;
  return run;
}

}  // namespace

void RaceLook::Look(const RaceAccess& access, ShadowStretch& shadow) {
  if (access.shape == AccessShape::kContiguous) return LookAtRows(access, shadow, 0, kLanes);
  for (LaneMask left = access.mask; left != 0;) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint32_t same = access.reads ? RunFrom(access, lane, 0) : 1;
    const std::uint32_t next = same > 1 ? 1 : RunFrom(access, lane, access.bytes);
    const std::uint32_t lanes = std::max(same, next);
    if (next >= kShortestRow) {
      LookAtRows(access, shadow, lane, next);
    } else {
      // Of lanes that read one word, two stand for all.
      const std::uint32_t looked_at = same > 1 ? 2 : next;
      for (std::uint32_t i = 0; i < looked_at; ++i) LookAtLane(access, shadow, lane + i);
    }
    left &= lane + lanes == kLanes ? 0 : kAllLanes << (lane + lanes);
  }
}

void RaceLook::LookAtRows(const RaceAccess& access, ShadowStretch& shadow, std::uint32_t lane,
                          std::uint32_t lanes) {
  const std::uint64_t begin = (*access.addresses)[lane] - shadow.begin();
  const std::uint64_t end = begin + std::uint64_t{access.bytes} * lanes;
  for (std::uint64_t at = begin; at < end;) {
    const std::uint64_t page_end = (at / ShadowPage::kBytes + 1) * ShadowPage::kBytes;
    const std::uint64_t stop = std::min(end, page_end);
    if (ShadowPage* page = shadow.PageAt(at, access.bytes)) {
      CellRow row;
      row.first = static_cast<std::uint32_t>(at % ShadowPage::kBytes) >> page->shift;
      row.count = static_cast<std::uint32_t>(stop - at) >> page->shift;
      row.skip = static_cast<std::uint32_t>(at - begin) >> page->shift;
      row.shift = static_cast<std::uint32_t>(std::countr_zero(access.bytes)) - page->shift;
      row.who = access.who + lane;
      LookAtRow(access, *page, row, lane, begin + shadow.begin());
    }
    at = stop;
  }
}

void RaceLook::LookAtRow(const RaceAccess& access, ShadowPage& page, const CellRow& row,
                         std::uint32_t first, std::uint64_t base) {
  const bool suspicious =
      access.writes ? WriteRow(page, row, access.window) : ReadRow(page, row, access.window);
  if (!suspicious) [[likely]]
    return;
  for (std::uint32_t i = 0; i < row.count; ++i) {
    const std::uint32_t lane = first + ((i + row.skip) >> row.shift);
    const std::uint64_t address = base + (std::uint64_t{i + row.skip} << page.shift);
    page.Unfold(page.GroupOf(row.first + i));
    LookAtCell(access, page, row.first + i, lane, address);
    if (access.writes) NoteWrite(page, row.first + i, access.who + lane, access.window);
  }
}

void RaceLook::LookAtLane(const RaceAccess& access, ShadowStretch& shadow, std::uint32_t lane) {
  const std::uint64_t address = (*access.addresses)[lane];
  const std::uint64_t offset = address - shadow.begin();
  ShadowPage* page = shadow.PageAt(offset, access.bytes);
  if (page == nullptr) return;
  const std::uint32_t first =
      static_cast<std::uint32_t>(offset % ShadowPage::kBytes) >> page->shift;
  const std::uint32_t count = access.bytes >> page->shift;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t at = address + (std::uint64_t{i} << page->shift);
    page->Unfold(page->GroupOf(first + i));
    LookAtCell(access, *page, first + i, lane, at);
    if (access.writes) {
      NoteWrite(*page, first + i, access.who + lane, access.window);
    } else {
      NoteRead(*page, first + i, access.who + lane, access.window);
    }
  }
}

void RaceLook::LookAtCell(const RaceAccess& access, ShadowPage& page, std::uint32_t cell,
                          std::uint32_t lane, std::uint64_t address) {
  const Who who = access.who + lane;
  if (access.event == nullptr) return;
  if (WrittenByOther(page, cell, who, access.window)) [[unlikely]] {
    judge_.IsRace(access, lane, address, {page.written()[cell], page.writer()[cell], true});
  }
  if (!access.writes || !ReadByOther(page, cell, who, access.window)) [[likely]]
    return;
  const auto races = [&](Stamp stamp, Who reader) {
    return access.window.Suspicious(stamp, reader, who) &&
           judge_.IsRace(access, lane, address, {stamp, reader, false});
  };
  if (!races(page.read_again()[cell], page.again()[cell])) {
    races(page.read()[cell], page.reader()[cell]);
  }
}

}  // namespace warpcheck::emulator
