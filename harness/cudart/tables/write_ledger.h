// A WriteLedger knows for each byte of the device whether a launch or the host has written it. So
// it can say of what a program copies to the host that nobody wrote it. These are facts, not
// mistakes: an array may be partly used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device/memory_use.h"

namespace warpcheck::cudart {

// Sets of bytes. A set with too many ranges becomes one range, which holds all of them.
class ByteRanges {
 public:
  void Add(std::uint64_t begin, std::uint64_t end);
  void Remove(std::uint64_t begin, std::uint64_t end);
  // Returns how many of the bytes [begin, end) are in the set.
  std::uint64_t CountIn(std::uint64_t begin, std::uint64_t end) const;
  // Returns the first of the bytes [begin, end) that is not in the set; `end` if all are.
  std::uint64_t FirstOutside(std::uint64_t begin, std::uint64_t end) const;

 private:
  static constexpr std::size_t kMost = 65'536;

  std::map<std::uint64_t, std::uint64_t> ranges_;  // ends by their begins; apart from each other
};

class WriteLedger {
 public:
  // A launch has written what `uses` say. `bounds_of` returns the allocation around an address, of
  // which all counts as written if `uses` may be incomplete.
  template <class BoundsOf>
  void Launched(const std::vector<MemoryUse>& uses, BoundsOf bounds_of) {
    for (const MemoryUse& use : uses) {
      MemoryUse written = use;
      if (uses.size() >= kMostUses) {
        const auto [begin, end] = bounds_of(use.begin);
        written.begin = begin;
        written.end = end;
      } else if (use.kind == MemoryUse::Kind::kRead) {
        continue;
      }
      by_launch_.Add(written.begin, written.end);
      since_copy_.Add(written.begin, written.end);
    }
  }
  // A copy or a fill of the host has written bytes of the device.
  void HostWrote(std::uint64_t begin, std::uint64_t end);
  // The host copies bytes of the device to itself. Returns what of them is not the work of a
  // launch, as a sentence, or an empty text.
  std::string CopiedToHost(std::uint64_t begin, std::uint64_t end);

 private:
  ByteRanges by_launch_;   // since the host last wrote there
  ByteRanges by_host_;     // ever
  ByteRanges since_copy_;  // by a launch, since the host last copied from there
  ByteRanges copied_;      // to the host, ever
};

}  // namespace warpcheck::cudart
