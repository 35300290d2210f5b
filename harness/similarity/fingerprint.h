// What two submissions are compared by: fingerprints that survive a disguise, each with its place.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.h"

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

// The fingerprints of what nvcc made of a submission. What a disguise changes is gone from PTX
// already (names, comments, order, layout, loops that are unrolled, helpers, dead code), or is
// taken out here: which register holds what, in which order independent instructions stand, widths
// and signs of integers, the way to an index.
//
// Each instruction that does something (a load, a store, a comparison, a shuffle, an addition of
// floats, a barrier) is a fingerprint: what it does, and to what, as a function of the thread's
// place and the parameters (index_value.h). Its kind is the same without numbers: of a loop that
// was unrolled all lines are of one kind, and of that loop as it was before, too.

// The number of a source by its name in PTX's line table; none for others' files.
using FileNumber = std::function<std::optional<std::uint32_t>(std::string_view path)>;

// Of all functions together; of the first kMostReadInstructions. In no order.
std::vector<Fingerprint> KernelFingerprints(const ptx::Module& module, const FileNumber& number_of);

inline constexpr std::size_t kMostReadInstructions = 50'000;
// Looks at instructions that following their values may take, in all functions of a module: one
// takes about two microseconds. Once it is used up, values are taken for unknown ones.
inline constexpr std::size_t kMostReadingWork = 1'500'000;

// The fingerprints of a submission's text: what it reads like when names, types, numbers, casts,
// brackets and the words of loops are left out.

struct SourceFingerprints {
  std::vector<Fingerprint> fingerprints;
  std::size_t words = 0;  // that were read, over all sources: at most kMostSourceWords
};

// `sources`: bytes by file name. A fingerprint is kFingerprintWords words in a row of one
// statement, or a shorter statement as a whole, so that a statement keeps its fingerprints wherever
// it is moved to. Statements of less than kLeastWords words say nothing.
SourceFingerprints FingerprintsOf(const std::map<std::string, std::string>& sources);

inline constexpr std::size_t kFingerprintWords = 6;
inline constexpr std::size_t kLeastWords = 4;
inline constexpr std::size_t kMostSourceWords = 200'000;

}  // namespace warpcheck::similarity
