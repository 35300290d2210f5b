#include "grading/checks_program.h"

namespace warpcheck {

std::vector<std::string> ParseTestList(std::string_view text) {
  std::vector<std::string> names;
  std::string suite;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const bool is_case = line.starts_with("  ");
    if (is_case) line.remove_prefix(2);
    line = line.substr(0, line.find("  #"));  // what follows is a remark on the parameter
    if (!is_case) {
      suite = line.ends_with('.') ? std::string(line) : std::string();
    } else if (!suite.empty() && !suite.starts_with("DISABLED_") &&
               suite.find("/DISABLED_") == std::string::npos && !line.starts_with("DISABLED_")) {
      names.push_back(suite + std::string(line));
    }
  }
  return names;
}

}  // namespace warpcheck
