#include "base/text/glob.h"

#include <cstddef>

namespace warpcheck {
namespace {

bool AnyGlobMatches(std::string_view globs, std::string_view name) {
  for (;;) {
    const std::size_t end = globs.find(':');
    if (GlobMatches(globs.substr(0, end), name)) return true;
    if (end == std::string_view::npos) return false;
    globs.remove_prefix(end + 1);
  }
}

}  // namespace

bool GlobMatches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;  // the last '*' seen
  // The position where the text after that '*' was last tried.
  std::size_t resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool FilterMatches(std::string_view filter, std::string_view name) {
  const std::size_t dash = filter.find('-');
  if (dash == std::string_view::npos) return AnyGlobMatches(filter, name);
  const std::string_view wanted = filter.substr(0, dash);
  return (wanted.empty() || AnyGlobMatches(wanted, name)) &&
         !AnyGlobMatches(filter.substr(dash + 1), name);
}

}  // namespace warpcheck
