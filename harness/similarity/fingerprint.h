// Fingerprints are the parts by which two submissions are compared. A disguise does not change
// them, and each has a place.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace warpcheck::similarity {

// A place in a submission: the number of a file among its sources, from 0, and a line, from 1.
struct Place {
  std::uint32_t file = 0;
  std::uint32_t line = 0;  // 0 if unknown

  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Fingerprint {
  std::uint64_t kind = 0;   // equal for parts that are alike except for numbers
  std::uint64_t exact = 0;  // equal for parts that are alike
  Place first{};            // the place where the part begins; it ends at `last`, in the same file
  Place last{};

  friend auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
};

// Returns the 64-bit FNV-1a hash of the text.
constexpr std::uint64_t HashOf(std::string_view text, std::uint64_t hash = 0xCBF29CE484222325) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

}  // namespace warpcheck::similarity
