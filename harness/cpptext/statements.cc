#include "cpptext/statements.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

#include "base/text.h"

namespace warpcheck::cpptext {
namespace {

// Returns a line without the comment at its end.
std::string_view Code(std::string_view line) { return Trimmed(line.substr(0, line.find("//"))); }

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(Trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Returns true for the head of a statement, such as "for (...)", whose body is a statement of its
// own.
bool IsHead(std::string_view code) {
  static constexpr std::string_view kWords[] = {"for", "if", "while", "else", "} else", "switch"};
  return std::ranges::any_of(kWords, [&](std::string_view word) {
    return code.starts_with(word) &&
           (code.size() == word.size() ||
            std::isalnum(static_cast<unsigned char>(code[word.size()])) == 0);
  });
}

// Returns how many brackets a line opens more than it closes.
int OpenBrackets(std::string_view code) {
  return static_cast<int>(std::ranges::count(code, '(') - std::ranges::count(code, ')'));
}

// Returns whether the statement of a line continues in the next line.
bool GoesOn(std::string_view line) {
  const std::string_view code = Code(line);
  if (code.empty() || code.front() == '#' || code.starts_with("*") || code.starts_with("/*")) {
    return false;
  }
  const bool whole = code.back() == ')' || code.ends_with("else");
  if (IsHead(code) && whole && OpenBrackets(code) <= 0) return false;
  return std::string_view(";{}:").find(code.back()) == std::string_view::npos ||
         OpenBrackets(code) > 0;
}

}  // namespace

std::string StatementAt(std::string_view text, int line) {
  const std::vector<std::string_view> lines = LinesOf(text);
  if (line <= 0 || static_cast<std::size_t>(line) > lines.size()) return {};
  const auto at = static_cast<std::size_t>(line) - 1;
  std::size_t first = at;
  while (first > 0 && at - first + 1 < kMostStatementLines && GoesOn(lines[first - 1])) --first;
  if (first > 0 && GoesOn(lines[first - 1])) first = at;  // the statement is too long
  std::size_t last = at;
  while (last + 1 < lines.size() && last - first + 1 < kMostStatementLines && GoesOn(lines[last])) {
    ++last;
  }
  if (GoesOn(lines[last])) last = at;
  std::string statement;
  for (std::size_t i = first; i <= last; ++i) {
    if (!statement.empty()) statement += ' ';
    statement += i < last ? Code(lines[i]) : lines[i];
  }
  std::ranges::replace(statement, '\t', ' ');
  return statement;
}

}  // namespace warpcheck::cpptext
