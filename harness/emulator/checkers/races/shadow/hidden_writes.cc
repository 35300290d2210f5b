#include "emulator/checkers/races/shadow/hidden_writes.h"

namespace warpcheck::emulator {

void HiddenWrites::Replace(std::uint32_t cell, std::uint32_t cells, Entry last, AccessId id,
                           bool is_reduction, const RaceWindow& window) {
  const bool counts = last.epoch >= window.oldest;
  if (!counts && groups_ == 0) return;
  if (pairs_.empty()) pairs_.resize(cells);
  Pair& pair = pairs_[cell];
  const bool other_thread = last.epoch < window.begin || ((last.id ^ id) & kThreadMask) != 0;
  if (!counts) {
    pair = {};
  } else if (IsWeak(StrengthOf(last.id))) {
    pair = {.weak = last, .strong = {}};
  } else if (!is_reduction) {
    pair.strong = {};
  } else if (other_thread) {
    pair.strong = last;
  }
  groups_ |= std::uint64_t{1} << (cell / (cells / kGroups));
}

void HiddenWrites::Split(const HiddenWrites& coarse) {
  groups_ = coarse.groups_;
  pairs_.clear();
  for (const Pair& pair : coarse.pairs_) pairs_.insert(pairs_.end(), 4, pair);
}

}  // namespace warpcheck::emulator
