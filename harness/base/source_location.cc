#include "base/source_location.h"

namespace warpcheck {

std::string SourceLocation::Text() const {
  std::string text = file;
  if (line > 0) text += ":" + std::to_string(line);
  if (line > 0 && column > 0) text += ":" + std::to_string(column);
  return text;
}

std::string InBrackets(const SourceLocation& place) {
  if (!place.known()) return {};
  SourceLocation name = place;
  name.file = place.file.substr(place.file.find_last_of('/') + 1);
  return " (" + name.Text() + ")";
}

}  // namespace warpcheck
