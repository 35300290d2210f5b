// Finds the source line that a line of PTX was compiled from.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace warpcheck::compile {

struct PtxPlace {
  // From the .loc before the line; the file has its name from the .file table.
  SourceLocation where;
  std::string text;  // the text of the line, without surrounding blanks
};

// Lines count from 1. Returns an empty place if there is no such line, or if its function has no
// .loc before it.
PtxPlace PlaceInPtx(std::string_view ptx, int line);

}  // namespace warpcheck::compile
