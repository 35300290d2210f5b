// What a host hands to kernels after it has read what kernels computed: words that it could not
// have had before are taken for results of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>

namespace warpcheck {

class CarriedWords {
 public:
  CarriedWords();

  // Words of 4 bytes that the host had before it read anything, such as arguments and addresses. At
  // most kMaxKnown are kept, so that a choice among them carries little.
  void Know(std::span<const std::byte> bytes);

  // The part of `bytes` that is new, whole words; a last part of a word counts where it is not
  // zero. After kMaxHandedOver times, and beyond kMaxParameters, everything is new: the choice of
  // known words, or of how often and where, would say something too.
  std::uint64_t NewBytes(std::span<const std::byte> bytes);

  // At most so many bits tell somebody who knows all known words these ones.
  std::uint64_t BitsToSay(std::span<const std::byte> bytes) const;

  static constexpr std::size_t kMaxKnown = 4096;
  static constexpr std::size_t kMaxParameters = 64;  // bytes a time
  static constexpr int kMaxHandedOver = 1000;

 private:
  std::unordered_set<std::uint32_t> known_;
  int handed_over_ = 0;
};

}  // namespace warpcheck
