#include "report/access_layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "device/counters.h"
#include "device/lanes.h"
#include "hardware/bank_passes.h"
#include "hardware/geometry.h"

namespace warpcheck {
namespace {

using Use = AccessLayout::Use;

constexpr std::uint64_t kSectorWords = kSectorBytes / kBankBytes;

class Layout {
 public:
  Layout(const AccessExample& access, std::uint64_t base) : access_(access), base_(base) {
    made_.memory = access.memory;
  }

  AccessLayout Make() {
    if (access_.mask == 0 || access_.bytes == 0 || access_.bytes > AccessExample::kMostBytes) {
      return made_;
    }
    made_.has_shared_words = std::ranges::any_of(
        WordsOf(access_, base_), [](const auto& word) { return std::popcount(word.second) > 1; });
    if (access_.memory == AccessExample::Memory::kGlobal) {
      LayOutSectors();
    } else {
      LayOutBanks();
    }
    return std::move(made_);
  }

 private:
  void LayOutBanks() {
    const BankPasses laid = PassesOf(access_, base_);
    made_.fullest = laid.fullest;
    made_.passes = laid.most_passes;
    for (const auto& pass : laid.passes) {
      AccessLayout::Row& row = made_.rows.emplace_back();
      for (const BankWord& word : pass) {
        row.cells.push_back({.lanes = word.lanes,
                             .use = word.lanes == 0     ? Use::kNone
                                    : word.has_conflict ? Use::kBad
                                                        : Use::kGood});
      }
    }
  }

  void LayOutSectors() {
    std::uint64_t first = 0;
    std::uint64_t sector = 0;
    for (const auto& [word, lanes] : WordsOf(access_, base_)) {
      if (made_.rows.empty()) first = word / kSectorWords;
      if (made_.rows.empty() || word / kSectorWords != sector) {
        sector = word / kSectorWords;
        made_.rows.push_back({.cells = std::vector<AccessLayout::Cell>(kSectorWords),
                              .at = (sector - first) * kSectorBytes,
                              .used = UsedBytes(sector)});
      }
      AccessLayout::Row& row = made_.rows.back();
      row.cells[word % kSectorWords] = {.lanes = lanes,
                                        .use = row.used == kSectorBytes      ? Use::kGood
                                               : row.used * 2 > kSectorBytes ? Use::kPart
                                                                             : Use::kBad};
    }
  }

  // Returns how many bytes of the sector are accessed by any lane.
  std::uint64_t UsedBytes(std::uint64_t sector) const {
    std::uint32_t used = 0;  // one bit for each byte
    const std::uint64_t begin = sector * kSectorBytes;
    EachLane(access_.mask, [&](std::size_t lane) {
      const std::uint64_t first = base_ + access_.offsets[lane];
      for (std::uint64_t at = std::max(first, begin);
           at < std::min(first + access_.bytes, begin + kSectorBytes); ++at) {
        used |= 1U << (at - begin);
      }
    });
    return static_cast<std::uint64_t>(std::popcount(used));
  }

  const AccessExample& access_;
  const std::uint64_t base_;
  AccessLayout made_;
};

}  // namespace

std::string_view KindText(AccessExample::Kind kind) {
  constexpr const char* kKinds[] = {
      "load", "store", "atomic", "atomic", "move of matrix rows", "asynchronous copy"};
  return kKinds[static_cast<std::size_t>(kind)];
}

AccessLayout LayOut(const AccessExample& access, std::uint64_t base) {
  return Layout(access, base).Make();
}

}  // namespace warpcheck
