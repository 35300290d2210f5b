// Finds the parts of C++ and CUDA text that get a syntax colour.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace warpcheck::cpptext {

// A CodePart is a range of the text, [begin, end), with the class of its colour.
struct CodePart {
  std::size_t begin = 0;
  std::size_t end = 0;
  const char* kind = "";  // "keyword", "cuda", "string", "literal", "comment", "directive"

  friend bool operator==(const CodePart&, const CodePart&) = default;
};

// Returns the coloured parts in order; text between them has no colour. Any text is accepted; in
// text that is not C++, some lines may have no colour. No part splits a character of UTF-8.
std::vector<CodePart> CodeParts(std::string_view text);

}  // namespace warpcheck::cpptext
