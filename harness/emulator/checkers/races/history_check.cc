#include "emulator/checkers/races/history_check.h"

#include <algorithm>
#include <bit>

namespace warpcheck::emulator {
namespace {

constexpr std::uint32_t kShortestRow = 3;  // lanes; it is faster to check fewer lanes one by one

// Returns how many lanes, starting with `lane`, take part and lie `step` bytes after the lane
// before.
std::uint32_t RunFrom(const RaceAccess& access, std::uint32_t lane, std::uint64_t step) {
  const auto most = static_cast<std::uint32_t>(std::countr_one(access.mask >> lane));
  const std::uint64_t* address = access.addresses->data() + lane;
  std::uint32_t run = 1;
  while (run < most && address[run] - address[run - 1] == step) ++run;
  return run;
}

// Returns whether lanes update memory by one atomic instruction.
bool IsAtomic(const RaceAccess& access) {
  return access.event != nullptr && (access.event->info.kind == MemoryInfo::Kind::kAtomic ||
                                     access.event->info.kind == MemoryInfo::Kind::kReduction);
}

// True for a write that may hide another from later accesses (hidden_writes.h).
bool HidesWrites(const RaceAccess& access) {
  return access.writes && !IsWeak(StrengthOf(access.id));
}

}  // namespace

void HistoryCheck::CheckAndRecord(const RaceAccess& access, ShadowStretch& shadow) {
  if (access.shape == AccessShape::kContiguous) return CheckRows(access, shadow, 0, kLanes);
  for (LaneMask left = access.mask; left != 0;) {
    raced_ = false;
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint32_t same = access.reads || IsAtomic(access) ? RunFrom(access, lane, 0) : 1;
    const std::uint32_t next = same > 1 ? 1 : RunFrom(access, lane, access.bytes);
    const std::uint32_t lanes = std::max(same, next);
    if (next >= kShortestRow) {
      CheckRows(access, shadow, lane, next);
    } else {
      // The access history keeps only two of the lanes that read a word; these represent all of
      // them.
      const std::uint32_t checked = same > 1 ? 2 : next;
      for (std::uint32_t i = 0; i < checked; ++i) CheckLane(access, shadow, lane + i);
      if (same > 2 && access.writes) CheckFurtherLanes(access, shadow, lane, same);
    }
    left &= lane + lanes == kLanes ? 0 : kAllLanes << (lane + lanes);
  }
}

// The lanes of an atomic do not race with each other. An earlier access of another warp races with
// all of them or with none, unless lanes of this warp have waited for different flags. One of their
// own warp races with all of them but its own thread. So if the first two lanes race with nothing,
// only the last one is checked and recorded.
void HistoryCheck::CheckFurtherLanes(const RaceAccess& access, ShadowStretch& shadow,
                                     std::uint32_t first, std::uint32_t lanes) {
  std::uint32_t next = raced_ ? 2 : lanes - 1;
  for (; next < lanes; ++next) CheckLane(access, shadow, first + next);
}

void HistoryCheck::CheckRows(const RaceAccess& access, ShadowStretch& shadow, std::uint32_t lane,
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
      row.id = access.id + lane;
      CheckRow(access, *page, row, lane, begin + shadow.begin());
    }
    at = stop;
  }
}

void HistoryCheck::CheckRow(const RaceAccess& access, ShadowPage& page, const CellRow& row,
                            std::uint32_t first, std::uint64_t base) {
  if (HidesWrites(access) || page.hidden.MayHave(row.first, row.count, page.cells())) [[unlikely]] {
    for (std::uint32_t i = 0; i < row.count; ++i) {
      CheckHidden(access, page, row.first + i, first + ((i + row.skip) >> row.shift),
                  base + (std::uint64_t{i + row.skip} << page.shift));
    }
  }
  const bool suspicious =
      access.writes ? WriteRow(page, row, access.window) : ReadRow(page, row, access.window);
  if (!suspicious) [[likely]]
    return;
  for (std::uint32_t i = 0; i < row.count; ++i) {
    const std::uint32_t lane = first + ((i + row.skip) >> row.shift);
    const std::uint64_t address = base + (std::uint64_t{i + row.skip} << page.shift);
    page.Unfold(page.GroupOf(row.first + i));
    CheckCell(access, page, row.first + i, lane, address);
    if (access.writes) RecordWrite(page, row.first + i, access.id + lane, access.window);
  }
}

void HistoryCheck::CheckLane(const RaceAccess& access, ShadowStretch& shadow, std::uint32_t lane) {
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
    if (HidesWrites(access) || page->hidden.MayHave(first + i, 1, page->cells())) [[unlikely]] {
      CheckHidden(access, *page, first + i, lane, at);
    }
    CheckCell(access, *page, first + i, lane, at);
    if (access.writes) {
      RecordWrite(*page, first + i, access.id + lane, access.window);
    } else {
      RecordRead(*page, first + i, access.id + lane, access.window);
    }
  }
}

bool HistoryCheck::ReportIfRace(const RaceAccess& access, std::uint32_t lane, std::uint64_t address,
                                const Earlier& earlier) {
  const bool races = detector_.ReportIfRace(access, lane, address, earlier);
  raced_ = raced_ || races;
  return races;
}

void HistoryCheck::CheckCell(const RaceAccess& access, ShadowPage& page, std::uint32_t cell,
                             std::uint32_t lane, std::uint64_t address) {
  const AccessId id = access.id + lane;
  if (access.event == nullptr) return;
  if (WriteMayConflict(page, cell, id, access.window)) [[unlikely]] {
    ReportIfRace(access, lane, address, {page.written()[cell], page.writer()[cell], true});
  }
  if (!access.writes || !ReadMayConflict(page, cell, id, access.window)) [[likely]]
    return;
  const auto races = [&](Epoch epoch, AccessId reader) {
    return access.window.MayConflict(epoch, reader, id) &&
           ReportIfRace(access, lane, address, {epoch, reader, false});
  };
  if (!races(page.read_again()[cell], page.again()[cell])) {
    races(page.read()[cell], page.reader()[cell]);
  }
}

void HistoryCheck::CheckHidden(const RaceAccess& access, ShadowPage& page, std::uint32_t cell,
                               std::uint32_t lane, std::uint64_t address) {
  page.Unfold(page.GroupOf(cell));
  const AccessId id = access.id + lane;
  const HiddenWrites::Entry last{page.written()[cell], page.writer()[cell]};
  const bool last_is_strong = last.epoch >= access.window.oldest && !IsWeak(StrengthOf(last.id));
  if (access.event != nullptr && last_is_strong && page.hidden.MayHave(cell, 1, page.cells())) {
    const HiddenWrites::Entry rival = page.hidden.RivalOf(cell, StrengthOf(id));
    if (access.window.MayConflict(rival.epoch, rival.id, id)) {
      ReportIfRace(access, lane, address, {rival.epoch, rival.id, true});
    }
  }
  if (access.event != nullptr && last_is_strong && !IsWeak(StrengthOf(id)) &&
      detector_.ChecksStrong() && page.hidden.MayHave(cell, 1, page.cells())) {
    const HiddenWrites::Entry other = page.hidden.RivalOf(cell, Strength::kWeak);
    if (access.window.MayConflict(other.epoch, other.id, id)) {
      ReportIfRace(access, lane, address, {other.epoch, other.id, true});
    }
  }
  if (!HidesWrites(access)) return;
  page.hidden.Replace(
      cell, page.cells(), last, id,
      access.event != nullptr && access.event->info.kind == MemoryInfo::Kind::kReduction,
      access.window);
}

}  // namespace warpcheck::emulator
