#include "compile/messages/compile_log.h"

#include <sstream>

namespace warpcheck::compile {
namespace {

constexpr std::size_t kMaxLog = 64 << 10;

int Number(std::string_view text) {
  if (text.empty() || text.size() > 9) return 0;
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return 0;
    value = value * 10 + (c - '0');
  }
  return value;
}

// Reads a place like "transpose.cu(12)", "transpose.cu:12:3" or "transpose.cu:12".
SourceLocation ParsePlace(std::string_view place) {
  if (place.ends_with(')')) {
    const std::size_t open = place.rfind('(');
    if (open == std::string_view::npos) return {};
    const int line = Number(place.substr(open + 1, place.size() - open - 2));
    return line == 0 ? SourceLocation{} : SourceLocation{std::string(place.substr(0, open)), line};
  }
  int numbers[2] = {0, 0};
  int count = 0;
  while (count < 2) {
    const std::size_t colon = place.rfind(':');
    if (colon == std::string_view::npos) break;
    const int number = Number(place.substr(colon + 1));
    if (number == 0) break;
    numbers[count++] = number;
    place = place.substr(0, colon);
  }
  if (count == 0) return {};
  return {std::string(place), numbers[count - 1], count == 2 ? numbers[0] : 0};
}

bool ParseError(std::string_view line, CompileError& error) {
  for (const std::string_view mark : {": error: ", ": fatal error: ", ": catastrophic error: "}) {
    const std::size_t at = line.find(mark);
    if (at == std::string_view::npos) continue;
    error.where = ParsePlace(line.substr(0, at));
    error.message = line.substr(at + mark.size());
    return true;
  }
  return false;
}

void Erase(std::string& text, std::string_view part) {
  for (std::size_t at; (at = text.find(part)) != std::string::npos;) text.erase(at, part.size());
}

}  // namespace

std::string CleanLog(std::string_view text, const std::vector<std::string>& folders) {
  std::istringstream lines{std::string(text)};
  std::string log;
  for (std::string line; std::getline(lines, line);) {
    for (const std::string& folder : folders) Erase(line, folder + "/");
    if (line.starts_with("nvcc warning : Support for offline")) continue;
    log += line + '\n';
  }
  if (log.size() > kMaxLog) {
    log.resize(kMaxLog);
    log += "\n[the rest of the compiler's text is left out]\n";
  }
  return log;
}

CompileError ParseErrors(std::string log) {
  CompileError error;
  std::istringstream lines{log};
  std::string first;
  for (std::string line; std::getline(lines, line);) {
    if (first.empty()) first = line;
    if (ParseError(line, error)) break;
  }
  if (error.message.empty())
    error.message = first.empty() ? "nvcc failed without a message" : first;
  error.log = std::move(log);
  return error;
}

}  // namespace warpcheck::compile
