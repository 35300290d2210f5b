#include "base/result.h"

namespace warpcheck {

std::string SourceLocation::Text() const {
  std::string text = file;
  if (line > 0) text += ":" + std::to_string(line);
  if (line > 0 && column > 0) text += ":" + std::to_string(column);
  return text;
}

std::string Error::Text() const {
  std::string text;
  if (where.known()) text += where.Text() + ": ";
  text += "error: " + message;
  if (!hint.empty()) text += "\n  " + hint;
  return text;
}

std::string Error::Sentence() const { return hint.empty() ? message : message + "; " + hint; }

}  // namespace warpcheck
