#include "grading/call_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMostCallLines = 3;

// Returns whether a line of code calls `call`, or a function whose name begins so: cudaMemcpyAsync.
bool Calls(std::string_view line, std::string_view call) {
  line = line.substr(0, line.find("//"));
  const std::size_t at = line.find(call);
  if (at == std::string_view::npos || (at > 0 && IsOfIdentifier(line[at - 1]))) return false;
  std::size_t end = at + call.size();
  while (end < line.size() && IsOfIdentifier(line[end])) ++end;
  const bool of_a_symbol = line.substr(at, end - at).find("Symbol") != std::string_view::npos;
  return !of_a_symbol && end < line.size() && (line[end] == '(' || line[end] == '<');
}

// Returns the places of the calls, such as "line 22" or "main.cu:22 or main.cu:30"; empty if there
// is no call, or if there are too many.
std::string LinesOf(std::string_view call, const std::map<std::string, std::string>& sources) {
  std::vector<std::string> places;
  for (const auto& [name, text] : sources) {
    std::istringstream lines{text};
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (!Calls(line, call)) continue;
      places.push_back(sources.size() == 1 ? fmt::format("line {}", number)
                                           : fmt::format("{}:{}", name, number));
    }
  }
  if (places.empty() || places.size() > kMostCallLines) return {};
  return fmt::format("{}", fmt::join(places, " or "));
}

// Adds the places behind the first mention of the call. Returns false if the text does not name it.
bool AddTo(std::string& text, std::string_view call, std::string_view places) {
  const std::size_t at = text.find(call);
  if (at == std::string::npos) return false;
  text.insert(at + call.size(), fmt::format(" ({})", places));
  return true;
}

}  // namespace

void AddCallLines(ChecksReport& report, const std::map<std::string, std::string>& sources) {
  for (CaseResult& result : report.cases) {
    for (Complaint& complaint : result.complaints) {
      if (complaint.call.empty()) continue;
      const std::string places = LinesOf(complaint.call, sources);
      if (places.empty() || AddTo(complaint.message, complaint.call, places)) continue;
      AddTo(complaint.hint, complaint.call, places);
    }
  }
}

}  // namespace warpcheck
