// What C++ and CUDA text consists of, for its colours.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace warpcheck {

// A stretch of the text, [begin, end).
struct CodePart {
  std::size_t begin = 0;
  std::size_t end = 0;
  const char* kind = "";  // "keyword", "cuda", "string", "literal", "comment", "directive"

  friend bool operator==(const CodePart&, const CodePart&) = default;
};

// In order, without those that have no colour. Any text gives an answer; of one that is no C++ some
// lines may have none. No part begins or ends within a character of UTF-8.
std::vector<CodePart> CodeParts(std::string_view text);

}  // namespace warpcheck
