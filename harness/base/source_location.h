// A SourceLocation is a place in a source file, as compilers and editors write it.
#pragma once

#include <compare>
#include <string>

#include "base/record.h"

namespace warpcheck {

struct SourceLocation {
  std::string file;
  int line = 0;    // counts from 1; 0 if unknown
  int column = 0;  // counts from 1; 0 if unknown

  bool known() const { return !file.empty(); }

  // Returns "file:line:column", "file:line", "file" or "", depending on what is known.
  std::string Text() const;

  friend auto operator<=>(const SourceLocation&, const SourceLocation&) = default;
};
WARPCHECK_FIELDS(SourceLocation, file, line, column);

// Returns " (x.cu:12)", without the folder of the file, for the middle of a sentence; returns an
// empty text if the place is not known.
std::string InBrackets(const SourceLocation& place);

}  // namespace warpcheck
