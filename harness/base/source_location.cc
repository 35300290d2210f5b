#include "base/source_location.h"

namespace warpcheck {

std::string SourceLocation::Text() const {
  std::string text = file;
  if (line > 0) text += ":" + std::to_string(line);
  if (line > 0 && column > 0) text += ":" + std::to_string(column);
  return text;
}

}  // namespace warpcheck
