// What two submissions are compared by: fingerprints that survive a disguise, each with its place.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpcheck::similarity {

// Where in a submission: a file by its number among the sources, from 0, and its line, from 1.
struct Place {
  std::uint32_t file = 0;
  std::uint32_t line = 0;  // 0: unknown

  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Fingerprint {
  std::uint64_t kind = 0;   // equal for what is alike but for numbers
  std::uint64_t exact = 0;  // equal for what is alike
  Place first{};            // of what it was made of; the last is in the same file
  Place last{};

  friend auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
};

// FNV-1a, 64 bits.
constexpr std::uint64_t HashOf(std::string_view text, std::uint64_t hash = 0xCBF29CE484222325) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

}  // namespace warpcheck::similarity
