// Reads the fingerprints of a submission's text, without names, types, numbers, casts, brackets and
// the words of loops.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "similarity/fingerprint.h"

namespace warpcheck::similarity {

struct SourceFingerprints {
  std::vector<Fingerprint> fingerprints;
  // The number of words that were read in all sources, at most kMostSourceWords.
  std::size_t words = 0;
};

// `sources` are bytes by file name. A fingerprint is kFingerprintWords successive words of one
// statement, or a shorter statement as a whole, so that a statement keeps its fingerprints if it is
// moved. Statements with fewer than kLeastWords words have no fingerprints.
SourceFingerprints FingerprintsOf(const std::map<std::string, std::string>& sources);

inline constexpr std::size_t kFingerprintWords = 6;
inline constexpr std::size_t kLeastWords = 4;
inline constexpr std::size_t kMostSourceWords = 200'000;

}  // namespace warpcheck::similarity
