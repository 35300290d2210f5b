#include "grading/launch_lines.h"

#include <sstream>
#include <string_view>

#include "base/text.h"
#include "base/text/kernel_name.h"

namespace warpcheck {
namespace {

// Returns whether a line of code has the name, perhaps with template arguments, before `<<<`.
bool Launches(std::string_view line, std::string_view name) {
  line = line.substr(0, line.find("//"));
  const std::size_t launch = line.find("<<<");
  if (launch == std::string_view::npos) return false;
  const std::size_t at = line.rfind(name, launch);
  if (at == std::string_view::npos || (at > 0 && IsOfIdentifier(line[at - 1]))) return false;
  const char after = line[at + name.size()];
  return !IsOfIdentifier(after);
}

}  // namespace

SourceLocation LaunchLine(const std::string& kernel,
                          const std::map<std::string, std::string>& sources) {
  const std::string name(PlainKernelName(kernel));
  SourceLocation found;
  for (const auto& [file, text] : sources) {
    std::istringstream lines{text};
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (!Launches(line, name)) continue;
      if (found.known()) return {};
      found = {file, number, 0};
    }
  }
  return found;
}

}  // namespace warpcheck
