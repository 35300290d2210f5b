// Makes pages for instructors about the submissions of a class that are alike.
#pragma once

#include <string>
#include <vector>

#include "similarity/similarity.h"

namespace warpcheck {

struct SimilarityPage {
  std::string title;  // the title of the assignment
  const similarity::Comparison* comparison = nullptr;
  std::vector<similarity::Pair> pairs{};              // pairs, with the most alike first
  std::vector<std::vector<std::string>> identical{};  // groups of ids that handed in the same files
  // True if no skeleton was known, so that its text counts as alike too.
  bool without_skeleton = false;
  bool with_reference = false;  // true if the last program is the assignment's own reference
};

// The names of the files in a batch's folder, by which the pages link to each other.
inline constexpr char kSimilarityPage[] = "similar.html";
inline constexpr char kPairFolder[] = "similar";  // the page of the first pair is 1.html

// Returns how many of the pairs have a page: the named ones, and some that follow.
std::size_t ShownPairs(const SimilarityPage& page);

std::string HtmlSimilarityPage(const SimilarityPage& page);
// Returns the page of pair `number`, counted from 0: both sources side by side, with marks where
// they are alike.
std::string HtmlPairPage(const SimilarityPage& page, std::size_t number);

}  // namespace warpcheck
