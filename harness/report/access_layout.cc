#include "report/access_layout.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "device/counters.h"

namespace warpcheck {
namespace {

// Of every GPU since compute capability 5.0 (docs/counters.md); a picture needs no other.
constexpr std::uint64_t kWordBytes = 4;
constexpr std::uint64_t kBanks = 32;
constexpr std::uint64_t kSectorWords = kSectorBytes / kWordBytes;
constexpr std::uint32_t kWarpWidth = 32;

using Use = AccessLayout::Use;
using LaneMask = std::uint32_t;
using Words =
    std::map<std::uint64_t, LaneMask>;  // the lanes that touch each, by address / kWordBytes

template <class Body>
void EachLane(LaneMask lanes, Body body) {
  for (; lanes != 0; lanes &= lanes - 1) body(static_cast<std::size_t>(std::countr_zero(lanes)));
}

Words WordsOf(const AccessExample& access, std::uint64_t base, LaneMask lanes) {
  Words words;
  EachLane(lanes & access.mask, [&](std::size_t lane) {
    const std::uint64_t first = base + access.offsets[lane];
    const std::uint64_t last = first + access.bytes - 1;
    for (std::uint64_t word = first / kWordBytes; word <= last / kWordBytes; ++word) {
      words[word] |= LaneMask{1} << lane;
    }
  });
  return words;
}

// Lanes of an access to shared memory whose words are given together.
using Groups = std::vector<LaneMask>;

Groups GroupsOf(std::uint32_t lanes) {
  Groups groups;
  for (std::uint32_t first = 0; first < kWarpWidth; first += lanes) {
    groups.push_back(static_cast<LaneMask>(((std::uint64_t{1} << lanes) - 1) << first));
  }
  return groups;
}

class Layout {
 public:
  Layout(const AccessExample& access, std::uint64_t base) : access_(access), base_(base) {
    made_.memory = access.memory;
  }

  AccessLayout Make() {
    if (access_.mask == 0 || access_.bytes == 0 || access_.bytes > AccessExample::kMostBytes) {
      return made_;
    }
    made_.has_shared_words =
        std::ranges::any_of(WordsOf(access_, base_, ~0U),
                            [](const auto& word) { return std::popcount(word.second) > 1; });
    if (access_.memory == AccessExample::Memory::kGlobal) {
      LayOutSectors();
    } else {
      LayOutBanks();
    }
    return std::move(made_);
  }

 private:
  // Wide accesses go in groups of lanes, of which loads without conflicts may join two.
  void LayOutBanks() {
    const std::uint32_t together = std::clamp<std::uint32_t>(
        kWarpWidth * static_cast<std::uint32_t>(kWordBytes) / access_.bytes, 1, kWarpWidth);
    for (std::uint32_t lanes = together; lanes <= kWarpWidth; lanes *= 2) {
      made_.rows.clear();
      std::array<std::size_t, kBanks> passes = {};
      for (const LaneMask group : GroupsOf(lanes)) AddPasses(group, passes);
      const auto fullest = std::ranges::max_element(passes);
      made_.fullest = static_cast<std::size_t>(fullest - passes.begin());
      made_.passes = *fullest;
      if (access_.cost == 0 || made_.rows.size() <= access_.cost) return;
    }
  }

  // A row for each of the words that one bank has to give; `passes`: how many each had so far.
  void AddPasses(LaneMask group, std::array<std::size_t, kBanks>& passes) {
    std::array<std::vector<LaneMask>, kBanks> banks;
    for (const auto& [word, lanes] : WordsOf(access_, base_, group)) {
      std::vector<LaneMask>& bank = banks[word % kBanks];
      if (access_.kind == AccessExample::Kind::kAtomic) {  // lanes at one word take turns
        EachLane(lanes, [&](std::size_t lane) { bank.push_back(LaneMask{1} << lane); });
      } else {
        bank.push_back(lanes);
      }
    }
    const std::size_t first = made_.rows.size();
    for (std::size_t b = 0; b < kBanks; ++b) {
      passes[b] += banks[b].size();
      if (made_.rows.size() < first + banks[b].size()) {
        made_.rows.resize(first + banks[b].size(),
                          {.cells = std::vector<AccessLayout::Cell>(kBanks)});
      }
      for (std::size_t i = 0; i < banks[b].size(); ++i) {
        made_.rows[first + i].cells[b] = {.lanes = banks[b][i],
                                          .use = banks[b].size() > 1 ? Use::kBad : Use::kGood};
      }
    }
  }

  void LayOutSectors() {
    std::uint64_t first = 0;
    std::uint64_t sector = 0;
    for (const auto& [word, lanes] : WordsOf(access_, base_, ~0U)) {
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

  // Bytes of the sector that some lane touches.
  std::uint64_t UsedBytes(std::uint64_t sector) const {
    std::uint32_t used = 0;  // a bit a byte
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

AccessLayout LayOut(const AccessExample& access, std::uint64_t base) {
  return Layout(access, base).Make();
}

}  // namespace warpcheck
