// The text of a C++ file as the preprocessor reads it. These functions know comments, literals (raw
// ones too), and lines that a backslash joins; they find where directives may stand.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::cpptext {

// The same text with blanks for comments and literals: as long, and with the same ends of lines.
std::string WithoutCommentsAndLiterals(std::string_view text);

// A part of a text, by its bytes.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// These are the places where a compiler may see a directive. Now and then one text can be cut in
// several ways: in `HAS(</*>)` there is the name of a header, or a comment, and macros decide
// which. Then the places of all ways are here, so that none is missed.
struct PossibleDirectives {
  std::vector<std::size_t> hashes;     // of each '#' or "%:" that comes first in a line
  std::vector<std::size_t> numbers;    // of each number that follows one: `# 12 "file"`
  std::vector<TextRange> raw_strings;  // from the quotation mark to behind the other one
  bool complete = true;  // no: the text may be cut in more ways than anybody writes by chance
};
PossibleDirectives FindPossibleDirectives(std::string_view text);

}  // namespace warpcheck::cpptext
