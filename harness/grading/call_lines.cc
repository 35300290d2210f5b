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

// The words that follow the name of a call in the complaints that get its line.
constexpr std::string_view kSaid[] = {" wrote the first ", " changed elements ",
                                      " takes is in bytes"};

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

// Returns the places of the calls, "line 22" or "main.cu:22 or main.cu:30"; empty if there are
// none, or too many.
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

void AddTo(std::string& text, const std::map<std::string, std::string>& sources) {
  for (const std::string_view call : {"cudaMemset", "cudaMemcpy", "cudaMalloc"}) {
    for (const std::string_view said : kSaid) {
      const std::size_t at = text.find(std::string(call) + std::string(said));
      if (at == std::string::npos) continue;
      const std::string lines = LinesOf(call, sources);
      if (!lines.empty()) text.insert(at + call.size(), " (" + lines + ")");
      return;
    }
  }
}

}  // namespace

void AddCallLines(ChecksReport& report, const std::map<std::string, std::string>& sources) {
  for (CaseResult& result : report.cases) {
    for (Complaint& complaint : result.complaints) {
      AddTo(complaint.message, sources);
      AddTo(complaint.hint, sources);
    }
  }
}

}  // namespace warpcheck
