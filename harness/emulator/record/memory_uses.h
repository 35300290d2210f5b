// Notes which bytes of device memory a launch reads and writes. Each allocation has a bit for each
// byte and kind of use, so that an access of a warp costs a few operations on words.
//
// A fence of system scope makes flags: what its block writes afterwards by atomic or volatile
// accesses is a release. So is a plain store of a single thread after its own fence, because
// programs tell the host in this way too.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "device/memory_use.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

class MemoryUses : public Observer {
 public:
  void OnBlockBegin(Block& block) override;
  void OnAccess(const AccessEvent& event) override;
  void OnFence(const FenceEvent& event) override;

  // Returns the uses since the last call, merged to ranges, at most kMostUses of a kind in an
  // allocation. Forgets them.
  std::vector<MemoryUse> Take();
  // Adds the uses that another object has noted.
  void Add(const MemoryUses& other);
  void Clear();

 private:
  static constexpr std::size_t kKinds = 5;  // of MemoryUse::Kind
  // A bit for each byte of an allocation. Bits are set only in words [low, high).
  struct Bits {
    std::vector<std::uint64_t> words;
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    // Sets bits of words that Widen() has included.
    void Set(std::uint64_t offset, std::uint64_t bytes);
    void Widen(std::uint64_t first, std::uint64_t last);
    void Clear();
    // Clears the bits that `other` has.
    void Remove(const Bits& other);
  };
  struct Marks {
    DeviceAddress begin = 0;
    std::uint64_t bytes = 0;
    std::array<Bits, kKinds> kinds;
  };

  MemoryUse::Kind KindOf(const AccessEvent& event) const;
  Bits& BitsOf(MemoryUse::Kind kind, DeviceAddress begin, std::uint64_t bytes);
  void AddRanges(std::vector<MemoryUse>& uses, const Marks& marks, MemoryUse::Kind kind) const;

  std::map<DeviceAddress, Marks> allocations_;
  std::array<Marks*, 8> recent_ = {};  // by begin
  // The lanes that have executed a fence of system scope, by the block and the warp's index in it.
  std::map<std::pair<const Block*, std::uint32_t>, LaneMask> fenced_;
  bool any_fence_ = false;  // a thread of the launch has executed such a fence
};

}  // namespace warpcheck::emulator
