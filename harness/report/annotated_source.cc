#include "report/annotated_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/text.h"
#include "report/complaint_groups.h"
#include "report/html_text.h"
#include "report/kernel_costs.h"
#include "similarity/lexer.h"

namespace warpcheck {

namespace {

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
  static constexpr std::string_view kWords[] = {"for", "if", "while", "else", "} else", "switch"};
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
constexpr std::size_t kMaxFileName = 8192;

// What a line costs in one of the memories, and would cost at best.
struct Cost {
  std::uint64_t value = 0;
  std::uint64_t ideal = 0;  // no more than `value`
};

Cost CostOf(const CounterSet& counters, Counter counter, Counter ideal) {
  const std::uint64_t value = counters[counter].value_or(0);
  return {.value = value, .ideal = std::min(value, counters[ideal].value_or(value))};
}

Cost GlobalCost(const CounterSet& counters) {
  return CostOf(counters, Counter::kGlobalSectors, Counter::kGlobalSectorsIdeal);
}

Cost SharedCost(const CounterSet& counters) {
  return CostOf(counters, Counter::kSharedWavefronts, Counter::kSharedWavefrontsIdeal);
}

// For {{> cost}}; null where nothing was counted.
PageModel CostModel(const Cost& cost, bool loses) {
  if (cost.value == 0) return {};
  return {{"value", Grouped(cost.value)},
          {"ideal", cost.value == cost.ideal ? "" : Grouped(cost.ideal)},
          {"colour", loses ? "bad" : "soft"}};
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

class Source {
 public:
  Source(const Attempt& attempt, const SourceRemarks& remarks)
      : attempt_(attempt), remarks_(remarks), counters_(CountersByLine(attempt)) {
    for (const auto& [name, lines] : counters_) {
      if (name.empty()) continue;  // of no file that is shown
      for (const auto& [number, counters] : lines) {
        most_global_ = std::max(most_global_, GlobalCost(counters).value);
        most_shared_ = std::max(most_shared_, SharedCost(counters).value);
      }
    }
  }

  PageModel Model() {
    PageModel files = PageModel::array();
    for (const auto& [name, text] : attempt_.sources) {
      if (lines_ == kMaxLines) break;
      files.push_back(File(name, text));
    }
    return {{"files", std::move(files)}, {"is_cut", lines_ == kMaxLines}};
  }

 private:
  PageModel File(const std::string& name, const std::string& text) {
    PageModel lines = PageModel::array();
    const std::vector<CodePart> parts = CodeParts(text);
    auto part = parts.begin();
    int number = 0;
    for (std::size_t begin = 0; begin < text.size() && lines_ < kMaxLines; ++lines_) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      while (part != parts.end() && part->end <= begin) ++part;
      lines.push_back(Line(name, ++number));
      lines.back()["code"] = ColouredLine(text, begin, end, part, parts.end());
      begin = end + 1;
    }
    return {{"name", Shortened(name, kMaxFileName)}, {"lines", std::move(lines)}};
  }

  // The stretch [begin, end) of the text; `part`: the first that ends behind `begin`.
  static PageModel ColouredLine(std::string_view text, std::size_t begin, std::size_t end,
                                std::vector<CodePart>::const_iterator part,
                                std::vector<CodePart>::const_iterator last) {
    if (end > begin && text[end - 1] == '\r') --end;
    const bool cut = end - begin > kMaxLineBytes;
    std::size_t shown = cut ? begin + kMaxLineBytes : end;
    while (cut && (static_cast<unsigned char>(text[shown]) & 0xc0) == 0x80 && shown > begin)
      --shown;
    PageModel code = PageModel::array();
    const auto add = [&](std::size_t to, const char* colour) {
      if (to <= begin) return;
      code.push_back({{"colour", colour}, {"text", text.substr(begin, to - begin)}});
      begin = to;
    };
    for (; part != last && part->begin < shown; ++part) {
      add(std::min(part->begin, shown), "");
      add(std::min(part->end, shown), part->kind);
    }
    add(shown, "");
    if (cut) code.push_back({{"colour", ""}, {"text", "..."}});
    return code;
  }

  // Of a line, all but its code.
  PageModel Line(const std::string& name, int number) const {
    const LineRemarks& remarks = Find(remarks_, name, number);
    const CounterSet& counters = Find(counters_, name, number);
    const Cost global = GlobalCost(counters);
    const Cost shared = SharedCost(counters);
    return {{"anchor", fmt::format("f{}-{}", FileNumber(attempt_, name), number)},
            {"number", number},
            {"has_notes", !remarks.notes.empty()},
            {"notes", remarks.notes},
            {"bars", Bars(global, remarks.loses_global, shared, remarks.loses_shared)},
            {"sectors", CostModel(global, remarks.loses_global)},
            {"wavefronts", CostModel(shared, remarks.loses_shared)}};
  }

  // Of both memories, one above the other.
  PageModel Bars(const Cost& global, bool loses_global, const Cost& shared,
                 bool loses_shared) const {
    if (global.value == 0 && shared.value == 0) return {};
    std::string words;
    PageModel parts = PageModel::array();
    const auto add = [&](const Cost& cost, std::uint64_t most, bool loses, int y,
                         const char* unit) {
      if (cost.value == 0) return;
      const double scale = 100 / static_cast<double>(most);
      const double whole = scale * static_cast<double>(cost.value);
      const double ideal = scale * static_cast<double>(cost.ideal);
      parts.push_back(
          {{"colour", "part"}, {"x", nullptr}, {"y", y}, {"width", fmt::format("{:.1f}", ideal)}});
      if (cost.value > cost.ideal) {
        parts.push_back({{"colour", loses ? "lost" : "over"},
                         {"x", fmt::format("{:.1f}", ideal)},
                         {"y", y},
                         {"width", fmt::format("{:.1f}", whole - ideal)}});
      }
      words += fmt::format("{}{} {}: {:.0f} % of the costliest line", words.empty() ? "" : "; ",
                           Grouped(cost.value), unit, whole);
    };
    add(global, most_global_, loses_global, 1, "sectors");
    add(shared, most_shared_, loses_shared, 10, "wavefronts");
    return {{"words", words}, {"parts", std::move(parts)}};
  }

  template <class T>
  static const T& Find(const std::map<std::string, std::map<int, T>>& files,
                       const std::string& name, int number) {
    static const T kNone{};
    const auto file = files.find(name);
    if (file == files.end()) return kNone;
    const auto line = file->second.find(number);
    return line == file->second.end() ? kNone : line->second;
  }

  const Attempt& attempt_;
  const SourceRemarks& remarks_;
  const std::map<std::string, std::map<int, CounterSet>> counters_;
  std::uint64_t most_global_ = 0;  // of a line
  std::uint64_t most_shared_ = 0;
  int lines_ = 0;
};

}  // namespace

std::string LineAnchor(const Attempt& attempt, const SourceLocation& where) {
  const std::string name = SourceName(attempt, where.file);
  if (name.empty() || where.line <= 0) return {};
  return fmt::format("f{}-{}", FileNumber(attempt, name), where.line);
}

PageModel SourceModel(const Attempt& attempt, const SourceRemarks& remarks) {
  return Source(attempt, remarks).Model();
}

namespace {

using similarity::Token;
using similarity::TokenKind;

// Of C++20 (ISO/IEC 14882, [lex.key]), sorted.
constexpr auto kKeywords = std::to_array<std::string_view>({
    "alignas",       "alignof",     "and",
    "and_eq",        "asm",         "auto",
    "bitand",        "bitor",       "bool",
    "break",         "case",        "catch",
    "char",          "char16_t",    "char32_t",
    "char8_t",       "class",       "co_await",
    "co_return",     "co_yield",    "compl",
    "concept",       "const",       "const_cast",
    "consteval",     "constexpr",   "constinit",
    "continue",      "decltype",    "default",
    "delete",        "do",          "double",
    "dynamic_cast",  "else",        "enum",
    "explicit",      "export",      "extern",
    "false",         "float",       "for",
    "friend",        "goto",        "if",
    "inline",        "int",         "long",
    "mutable",       "namespace",   "new",
    "noexcept",      "not",         "not_eq",
    "nullptr",       "operator",    "or",
    "or_eq",         "private",     "protected",
    "public",        "register",    "reinterpret_cast",
    "requires",      "return",      "short",
    "signed",        "sizeof",      "static",
    "static_assert", "static_cast", "struct",
    "switch",        "template",    "this",
    "thread_local",  "throw",       "true",
    "try",           "typedef",     "typeid",
    "typename",      "union",       "unsigned",
    "using",         "virtual",     "void",
    "volatile",      "wchar_t",     "while",
    "xor",           "xor_eq",
});
static_assert(std::ranges::is_sorted(kKeywords));

bool IsOfCuda(std::string_view name) {
  static constexpr std::string_view kVariables[] = {"threadIdx", "blockIdx", "blockDim", "gridDim",
                                                    "warpSize"};
  return name.starts_with("__") || std::ranges::count(kVariables, name) != 0;
}

// Null for what has no colour.
const char* KindOf(const Token& token) {
  if (token.kind == TokenKind::kName) {
    if (std::ranges::binary_search(kKeywords, token.text)) return "keyword";
    return IsOfCuda(token.text) ? "cuda" : nullptr;
  }
  // In the order of TokenKind.
  static constexpr const char* kKinds[] = {nullptr,   "literal",   "string", nullptr,
                                           "comment", "directive", nullptr};
  return kKinds[static_cast<std::size_t>(token.kind)];
}

// Of a definition the word alone; without space at the end.
std::string_view Coloured(const Token& token) {
  std::string_view text = token.text;
  constexpr std::string_view kDefine = "define";
  if (const auto at = text.find(kDefine); token.kind == TokenKind::kDirective &&
                                          at == text.find_first_not_of(" \t", 1) &&
                                          at != std::string_view::npos) {
    text = text.substr(0, at + kDefine.size());
  }
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

}  // namespace

std::vector<CodePart> CodeParts(std::string_view text) {
  std::vector<CodePart> parts;
  for (const Token& token : similarity::Lex(text)) {
    const char* const kind = KindOf(token);
    if (kind == nullptr) continue;
    const auto begin = static_cast<std::size_t>(token.text.data() - text.data());
    parts.push_back({begin, begin + Coloured(token).size(), kind});
  }
  return parts;
}

}  // namespace warpcheck
