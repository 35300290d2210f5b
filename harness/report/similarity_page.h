// Which submissions of a class are alike, as pages and a table for instructors alone.
#pragma once

#include <string>
#include <vector>

#include "similarity/similarity.h"

namespace warpcheck {

struct SimilarityPage {
  std::string title;  // of the assignment
  const similarity::Comparison* comparison = nullptr;
  std::vector<similarity::Pair> pairs{};              // the most alike first
  std::vector<std::vector<std::string>> identical{};  // ids of those that handed in the same files
  bool without_skeleton = false;                      // there was none to take out
  bool with_reference = false;                        // the last program is the assignment's own
};

// The file names that pages link to each other by, in a batch's folder.
inline constexpr char kSimilarityPage[] = "similar.html";
inline constexpr char kPairFolder[] = "similar";  // holds 1.html of the first pair, and so on

// How many of the pairs have a page: those that are named, and some that come next.
std::size_t ShownPairs(const SimilarityPage& page);

std::string HtmlSimilarityPage(const SimilarityPage& page);
// The sources of pair `number`, from 0, side by side; what is alike is marked.
std::string HtmlPairPage(const SimilarityPage& page, std::size_t number);

}  // namespace warpcheck
