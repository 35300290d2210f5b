#include "base/result.h"

namespace warpcheck {

std::string Error::Text() const {
  std::string text;
  if (where.known()) text += where.Text() + ": ";
  text += "error: " + message;
  if (!hint.empty()) text += "\n  " + hint;
  return text;
}

std::string Error::Sentence() const { return hint.empty() ? message : message + "; " + hint; }

}  // namespace warpcheck
