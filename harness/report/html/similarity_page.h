// Pages for instructors about the submissions of a class that are alike.
#pragma once

#include <string>
#include <vector>

#include "similarity/similarity.h"

namespace warpcheck {

struct SimilarityPage {
  std::string title;  // the assignment's
  const similarity::Comparison* comparison = nullptr;
  std::vector<similarity::Pair> pairs{};              // the most alike first
  std::vector<std::vector<std::string>> identical{};  // groups of ids that handed in the same files
  bool without_skeleton = false;  // no skeleton was known, so that its text counts as alike too
  bool with_reference = false;    // the last program is the assignment's own reference
};

// The names of the files in a batch's folder, by which the pages link to each other.
inline constexpr char kSimilarityPage[] = "similar.html";
inline constexpr char kPairFolder[] = "similar";  // the first pair's page is 1.html

// Returns how many of the pairs have a page: the named ones, and some that follow.
std::size_t ShownPairs(const SimilarityPage& page);

std::string HtmlSimilarityPage(const SimilarityPage& page);
// Returns the page of pair `number`, counted from 0: both sources side by side, with marks where
// they are alike.
std::string HtmlPairPage(const SimilarityPage& page, std::size_t number);

}  // namespace warpcheck
