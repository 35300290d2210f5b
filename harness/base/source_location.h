// A place in a source file, as compilers and editors write it.
#pragma once

#include <compare>
#include <string>

namespace warpcheck {

struct SourceLocation {
  std::string file;
  int line = 0;    // from 1; 0 is unknown
  int column = 0;  // from 1; 0 is unknown

  bool known() const { return !file.empty(); }

  // Returns "file:line:column", "file:line", "file" or "", as much as is known.
  std::string Text() const;

  friend auto operator<=>(const SourceLocation&, const SourceLocation&) = default;
};

}  // namespace warpcheck
