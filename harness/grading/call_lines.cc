#include "grading/call_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMostCallLines = 3;

// Returns the function that a line of code calls if it is `call`, or if its name begins so:
// cudaMemcpyAsync. Returns an empty text for other lines.
std::string_view CalledIn(std::string_view line, std::string_view call) {
  line = line.substr(0, line.find("//"));
  const std::size_t at = line.find(call);
  if (at == std::string_view::npos || (at > 0 && IsOfIdentifier(line[at - 1]))) return {};
  std::size_t end = at + call.size();
  while (end < line.size() && IsOfIdentifier(line[end])) ++end;
  const std::string_view name = line.substr(at, end - at);
  const bool of_a_symbol =
      name.find("Symbol") != std::string_view::npos && !call.ends_with("Symbol");
  const bool called = end < line.size() && (line[end] == '(' || line[end] == '<');
  return called && !of_a_symbol ? name : std::string_view();
}

// The calls of a function, and of those whose names begin so.
struct Calls {
  std::string name;    // as they are written, if all are written alike
  std::string places;  // such as "line 22" or "main.cu:22 or main.cu:30"
};

// Returns the calls; without places if there is no call, or if there are too many.
Calls CallsOf(std::string_view call, const std::map<std::string, std::string>& sources) {
  std::vector<std::string> places;
  std::set<std::string> names;
  for (const auto& [name, text] : sources) {
    std::istringstream lines{text};
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      const std::string_view called = CalledIn(line, call);
      if (called.empty()) continue;
      names.emplace(called);
      places.push_back(sources.size() == 1 ? fmt::format("line {}", number)
                                           : fmt::format("{}:{}", name, number));
    }
  }
  if (places.empty() || places.size() > kMostCallLines) return {};
  return {.name = names.size() == 1 ? *names.begin() : std::string(call),
          .places = fmt::format("{}", fmt::join(places, " or "))};
}

// Writes the name of the call as the program does, wherever the text names it.
void Rename(std::string& text, std::string_view call, const std::string& name) {
  for (std::size_t at = text.find(call); at != std::string::npos;
       at = text.find(call, at + name.size())) {
    const std::size_t end = at + call.size();
    if (end == text.size() || !IsOfIdentifier(text[end])) text.replace(at, call.size(), name);
  }
}

// Writes the places in parentheses after the first mention of the call. Returns false, and changes
// nothing, if the text does not name the call.
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
      const Calls calls = CallsOf(complaint.call, sources);
      if (calls.places.empty()) continue;
      Rename(complaint.message, complaint.call, calls.name);
      Rename(complaint.hint, complaint.call, calls.name);
      if (AddTo(complaint.message, calls.name, calls.places)) continue;
      AddTo(complaint.hint, calls.name, calls.places);
    }
  }
}

}  // namespace warpcheck
