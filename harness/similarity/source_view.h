// The fingerprints of a submission's text: what it reads like when names, types, numbers, casts,
// brackets and the words of loops are left out.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "similarity/fingerprint.h"

namespace warpcheck::similarity {

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
