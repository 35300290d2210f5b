// Where in the source a line of PTX comes from.
#pragma once

#include <string>
#include <string_view>

#include "base/source_location.h"

namespace warpcheck::build {

struct PtxPlace {
  SourceLocation where;  // by the .loc before the line; the file as the .file table has it
  std::string text;      // of the line, without what surrounds it
};

// `line` from 1. Empty where there is no such line, or no .loc before it in its function.
PtxPlace PlaceInPtx(std::string_view ptx, int line);

}  // namespace warpcheck::build
