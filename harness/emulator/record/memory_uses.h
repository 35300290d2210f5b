// Notes which bytes of device memory a launch reads and writes. Each allocation has a bit for each
// byte and kind of use, so that an access of a warp costs a few operations on words.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "device/memory_use.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

class MemoryUses : public Observer {
 public:
  void OnAccess(const AccessEvent& event) override;

  // Returns the uses since the last call, merged to ranges, at most kMostUses of a kind in an
  // allocation. Forgets them.
  std::vector<MemoryUse> Take();
  // Adds the uses that another object has noted.
  void Add(const MemoryUses& other);
  void Clear();

 private:
  static constexpr std::size_t kKinds = 3;  // of MemoryUse::Kind
  // A bit for each byte of an allocation. Bits are set only in words [low, high).
  struct Bits {
    std::vector<std::uint64_t> words;
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    // Sets bits of words that Widen() has included.
    void Set(std::uint64_t offset, std::uint64_t bytes);
    void Widen(std::uint64_t first, std::uint64_t last);
    void Clear();
  };
  struct Marks {
    DeviceAddress begin = 0;
    std::uint64_t bytes = 0;
    std::array<Bits, kKinds> kinds;
  };

  Bits& BitsOf(MemoryUse::Kind kind, DeviceAddress begin, std::uint64_t bytes);
  static void AddRanges(std::vector<MemoryUse>& uses, const Marks& marks, MemoryUse::Kind kind);

  std::map<DeviceAddress, Marks> allocations_;
  std::array<Marks*, 8> recent_ = {};  // by begin
};

}  // namespace warpcheck::emulator
