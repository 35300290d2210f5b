#include "report/html/annotated_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cpptext/colours.h"
#include "report/complaint_groups.h"
#include "report/html/html_text.h"
#include "report/line_counters.h"

namespace warpcheck {

namespace {

constexpr int kMaxLines = 20'000;
constexpr std::size_t kMaxLineBytes = 1000;
constexpr std::size_t kMaxFileName = 8192;

// The cost of a line in one of the memories, and its ideal cost.
struct Cost {
  std::uint64_t value = 0;
  std::uint64_t ideal = 0;  // at most `value`
};

Cost CostOf(const CounterSet& counters, Counter counter, Counter ideal) {
  const std::uint64_t value = counters.OrZero(counter);
  return {.value = value, .ideal = std::min(value, counters[ideal].value_or(value))};
}

Cost GlobalCost(const CounterSet& counters) {
  return CostOf(counters, Counter::kGlobalSectors, Counter::kGlobalSectorsIdeal);
}

Cost SharedCost(const CounterSet& counters) {
  return CostOf(counters, Counter::kSharedWavefronts, Counter::kSharedWavefrontsIdeal);
}

// Returns the data of {{> cost}}, or null if nothing was counted.
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

// Returns the counters of each line, by file and line as in Attempt::sources.
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
      if (name.empty()) continue;  // the lines of this record are in no file that is shown
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
    const std::vector<cpptext::CodePart> parts = cpptext::CodeParts(text);
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

  // Returns the parts of the line [begin, end) of the text with their colours. `part` is the
  // first part that ends after `begin`.
  static PageModel ColouredLine(std::string_view text, std::size_t begin, std::size_t end,
                                std::vector<cpptext::CodePart>::const_iterator part,
                                std::vector<cpptext::CodePart>::const_iterator last) {
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

  // Returns the data of a line without its code.
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

  // Returns the bars of both memories, one above the other.
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
      words += fmt::format("{}{} {}: {:.0f} % of the line that costs most",
                           words.empty() ? "" : "; ", Grouped(cost.value), unit, whole);
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
  std::uint64_t most_global_ = 0;  // the largest value of any line
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

}  // namespace warpcheck
