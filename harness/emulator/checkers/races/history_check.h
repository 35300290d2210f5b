// Compares an access of a warp with the access history of the memory that it touches, and records
// it there. It asks the detector about accesses that may conflict.
#pragma once

#include <cstdint>

#include "emulator/checkers/races/detector.h"
#include "emulator/checkers/races/shadow/access.h"
#include "emulator/checkers/races/shadow/cells.h"
#include "emulator/checkers/races/shadow/shadow_memory.h"

namespace warpcheck::emulator {

class HistoryCheck {
 public:
  explicit HistoryCheck(RaceDetector& detector) : detector_(detector) {}

  void CheckAndRecord(const RaceAccess& access, ShadowStretch& shadow);

 private:
  // Checks `lanes` lanes from `lane` on. Each of them accesses the memory right after the one
  // before.
  void CheckRows(const RaceAccess& access, ShadowStretch& shadow, std::uint32_t lane,
                 std::uint32_t lanes);
  // `first` is the first lane of the row, and `base` its address.
  void CheckRow(const RaceAccess& access, ShadowPage& page, const CellRow& row, std::uint32_t first,
                std::uint64_t base);
  void CheckLane(const RaceAccess& access, ShadowStretch& shadow, std::uint32_t lane);
  // Checks the lanes of an atomic that come after the first two at one address; `lanes` counts all.
  void CheckFurtherLanes(const RaceAccess& access, ShadowStretch& shadow, std::uint32_t first,
                         std::uint32_t lanes);
  bool ReportIfRace(const RaceAccess& access, std::uint32_t lane, std::uint64_t address,
                    const Earlier& earlier);
  void CheckCell(const RaceAccess& access, ShadowPage& page, std::uint32_t cell, std::uint32_t lane,
                 std::uint64_t address);
  // Compares the access with the writes that a strong write has hidden, and notes what it hides
  // itself. Must be called before the access is recorded.
  void CheckHidden(const RaceAccess& access, ShadowPage& page, std::uint32_t cell,
                   std::uint32_t lane, std::uint64_t address);

  RaceDetector& detector_;
  bool raced_ = false;  // whether one of the lanes that were checked last raced
};

}  // namespace warpcheck::emulator
