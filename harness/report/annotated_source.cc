#include "report/annotated_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <sstream>
#include <vector>

#include "base/text.h"
#include "report/folds.h"
#include "report/kernel_costs.h"
#include "report/text.h"

namespace warpcheck {

namespace {

std::string_view Trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
}

// Without the comment at its end.
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

// "for (...)": what follows is a statement of its own.
bool IsHead(std::string_view code) {
  static constexpr std::array<std::string_view, 6> kWords = {"for",  "if",     "while",
                                                             "else", "} else", "switch"};
  return std::ranges::any_of(kWords, [&](std::string_view word) {
    return code.starts_with(word) &&
           (code.size() == word.size() ||
            std::isalnum(static_cast<unsigned char>(code[word.size()])) == 0);
  });
}

// Brackets that a line leaves open; negative: that it closes.
int OpenBrackets(std::string_view code) {
  return static_cast<int>(std::ranges::count(code, '(') - std::ranges::count(code, ')'));
}

// Whether the line after this one goes on with its statement.
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
  if (first > 0 && GoesOn(lines[first - 1])) first = at;  // no statement is that long
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

namespace {

constexpr int kMaxLines = 20'000;
constexpr std::size_t kMaxLineBytes = 1000;

// "8,192 of 2,048": counted, and what would do. Empty where nothing was counted.
std::string Cost(const CounterSet& counters, Counter counter, Counter ideal) {
  const auto value = counters[counter];
  const auto least = counters[ideal];
  if (!value || *value == 0) return {};
  if (!least) return Grouped(*value);
  return *value == *least ? Grouped(*value)
                          : fmt::format("{} <span class=\"bad\">({} would do)</span>",
                                        Grouped(*value), Grouped(*least));
}

std::string CostCells(const CounterSet* counters) {
  if (counters == nullptr) return "<td class=\"number\"></td><td class=\"number\"></td>";
  return fmt::format(
      "<td class=\"number\" data-label=\"sectors\">{}</td>"
      "<td class=\"number\" data-label=\"wavefronts\">{}</td>",
      Cost(*counters, Counter::kGlobalSectors, Counter::kGlobalSectorsIdeal),
      Cost(*counters, Counter::kSharedWavefronts, Counter::kSharedWavefrontsIdeal));
}

std::size_t FileNumber(const Attempt& attempt, const std::string& name) {
  const auto at = attempt.sources.find(name);
  return 1 + static_cast<std::size_t>(std::distance(attempt.sources.begin(), at));
}

// By file and line of Attempt::sources.
std::map<std::string, std::map<int, CounterSet>> CountersByLine(const Attempt& attempt) {
  std::vector<LineCounters> sums;
  for (const CaseLaunch& launch : attempt.report.launches) AddLines(sums, launch.record.lines);
  std::map<std::string, std::map<int, CounterSet>> by_line;
  for (const LineCounters& line : sums) {
    by_line[SourceName(attempt, line.where.file)].emplace(line.where.line, line.counters);
  }
  return by_line;
}

class SourceWriter {
 public:
  SourceWriter(const Attempt& attempt, const LineNotes& notes)
      : attempt_(attempt), notes_(notes), counters_(CountersByLine(attempt)) {}

  std::string Write() {
    for (const auto& [name, text] : attempt_.sources) {
      if (lines_ == kMaxLines) break;
      File(name, text);
    }
    if (lines_ == kMaxLines) html_ += "<p>Further lines are not shown.</p>\n";
    return std::move(html_);
  }

 private:
  void File(const std::string& name, const std::string& text) {
    html_ += fmt::format(
        "<table class=\"source\">\n<caption><code>{}</code></caption>\n"
        "<thead><tr><th scope=\"col\">Line</th><th scope=\"col\">Code</th>"
        "<th scope=\"col\" class=\"number\">Sectors</th>"
        "<th scope=\"col\" class=\"number\">Wavefronts</th></tr></thead>\n<tbody>\n",
        HtmlText(name));
    std::istringstream lines(text);
    int number = 0;
    for (std::string line; lines_ < kMaxLines && std::getline(lines, line); ++lines_) {
      Line(name, ++number, line);
    }
    html_ += "</tbody>\n</table>\n";
  }

  void Line(const std::string& name, int number, std::string line) {
    if (line.ends_with('\r')) line.pop_back();
    const auto notes = NotesOf(name, number);
    html_ += fmt::format(
        "<tr id=\"f{}-{}\"{}><th scope=\"row\">{}</th><td class=\"code\">{}</td>{}</tr>\n",
        FileNumber(attempt_, name), number, notes.empty() ? "" : " class=\"marked\"", number,
        HtmlText(line, kMaxLineBytes), CostCells(CountersOf(name, number)));
    if (notes.empty()) return;
    html_ += "<tr class=\"note\"><td></td><td colspan=\"3\">";
    for (const std::string& note : notes) html_ += note;
    html_ += "</td></tr>\n";
  }

  std::vector<std::string> NotesOf(const std::string& name, int number) const {
    const auto file = notes_.find(name);
    if (file == notes_.end()) return {};
    const auto notes = file->second.find(number);
    return notes == file->second.end() ? std::vector<std::string>() : notes->second;
  }

  const CounterSet* CountersOf(const std::string& name, int number) const {
    const auto file = counters_.find(name);
    if (file == counters_.end()) return nullptr;
    const auto counters = file->second.find(number);
    return counters == file->second.end() ? nullptr : &counters->second;
  }

  const Attempt& attempt_;
  const LineNotes& notes_;
  const std::map<std::string, std::map<int, CounterSet>> counters_;
  int lines_ = 0;
  std::string html_;
};

}  // namespace

std::string LineAnchor(const Attempt& attempt, const SourceLocation& where) {
  const std::string name = SourceName(attempt, where.file);
  if (name.empty() || where.line <= 0) return {};
  return fmt::format("f{}-{}", FileNumber(attempt, name), where.line);
}

std::string AnnotatedSource(const Attempt& attempt, const LineNotes& notes) {
  return SourceWriter(attempt, notes).Write();
}

}  // namespace warpcheck
