// Reads a C++ text as the preprocessor does. These functions know comments, literals (also raw
// ones), and lines that a backslash joins; they find where directives may stand.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::cpptext {

// Returns the text with comments and literals replaced by blanks. It has the same length and the
// same ends of lines. The work is proportional to the text's length; `work`, if not null, gets how
// many bytes were looked at, in all.
std::string WithoutCommentsAndLiterals(std::string_view text, std::size_t* work = nullptr);

// A range of bytes of a text, [begin, end).
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The places where a compiler may see a directive. Sometimes a text can be cut into pieces in
// several ways: in `HAS(</*>)` there is the name of a header or a comment, and macros decide which.
// Then the lists have the places of all ways, so that none is missing.
struct PossibleDirectives {
  std::vector<std::size_t> hashes;   // each '#' or "%:" that is the first in its line
  std::vector<std::size_t> numbers;  // each number that follows a hash: `# 12 "file"`
  // Each raw string, from its prefix to the position after its closing quotation mark.
  std::vector<TextRange> raw_strings;
  bool complete = true;  // false if the text can be cut in too many ways
};
PossibleDirectives FindPossibleDirectives(std::string_view text);

}  // namespace warpcheck::cpptext
