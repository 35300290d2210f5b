// How much a host can tell kernels by what it chooses: words that they have had before, the
// geometry of a launch, addresses, sizes. An upper bound, counted as the length of a text that says
// it all.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "checks/carried_words.h"

namespace warpcheck {

class Choices {
 public:
  // `known` outlives this: a word that it holds says which of them it is, any other says all.
  explicit Choices(const CarriedWords& known) : known_(known) {}

  // One more request, with these values. Values are plain data, or spans of bytes.
  template <class... Values>
  void Request(const Values&... values) {
    pending_bits_ += kBitsOfARequest;
    (Add(BytesOf(values)), ...);
  }
  // Which of `count` things the last request was about.
  void OneOf(std::uint64_t count) {
    pending_bits_ += static_cast<std::uint64_t>(std::bit_width(count));
  }

  // Somebody can see what was chosen: a kernel, or who looks at the result.
  void Deliver() { delivered_bits_ += std::exchange(pending_bits_, 0); }

  // From now on it is about another result.
  void Forget() { pending_bits_ = delivered_bits_ = 0; }

  // Of all that was delivered, rounded up.
  std::uint64_t Bytes() const { return (delivered_bits_ + 7) / 8; }

 private:
  // That there is one more, and of which kind.
  static constexpr std::uint64_t kBitsOfARequest = 4;

  static std::span<const std::byte> BytesOf(std::span<const std::byte> bytes) { return bytes; }
  template <class Value>
  static std::span<const std::byte> BytesOf(const Value& value) {
    return std::as_bytes(std::span(&value, 1));
  }
  void Add(std::span<const std::byte> bytes) { pending_bits_ += known_.BitsToSay(bytes); }

  const CarriedWords& known_;
  std::uint64_t pending_bits_ = 0;
  std::uint64_t delivered_bits_ = 0;
};

}  // namespace warpcheck
