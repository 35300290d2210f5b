#include "report/terminal/timeline_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "base/text.h"
#include "report/clean_text.h"
#include "report/terminal/order_words.h"
#include "report/terminal/terminal_text.h"

namespace warpcheck {
namespace {

using order::Timeline;
using order::TimelineRow;

constexpr std::size_t kMostSteps = 40;
constexpr std::size_t kLeastColumn = 22;  // characters
constexpr std::size_t kMostColumn = 34;
constexpr std::size_t kNumber = 6;  // the width of the column of steps

class TimelineWriter {
 public:
  TimelineWriter(const Timeline& timeline, std::size_t width,
                 const std::function<std::string(const SourceLocation&)>& shown)
      : timeline_(timeline), width_(width), shown_(shown) {
    const std::size_t streams = std::max<std::size_t>(timeline.streams.size(), 1);
    column_ = std::min(kMostColumn, (width_ - kNumber) / streams);
  }

  std::string Write() {
    if (timeline_.operations.empty()) return NoWorkText();
    if (!IsList()) AddRow("", timeline_.streams);
    const std::vector<TimelineRow> rows = order::RowsOf(timeline_);
    for (std::size_t i = 0; i < std::min(rows.size(), kMostSteps); ++i) Add(rows[i]);
    if (rows.size() > kMostSteps) {
      text_ += fmt::format("  and {}\n", Counted(rows.size() - kMostSteps, "further step"));
    }
    text_ += LeftOutText(timeline_.left_out);
    for (const Timeline::Cost& cost : timeline_.costs) {
      text_ += '\n' + Wrapped(CleanText(At(cost.where) + cost.message), width_, 2, 4) +
               Wrapped("hint: " + CleanText(cost.hint), width_, 2, 8);
    }
    return std::move(text_);
  }

 private:
  bool IsList() const { return column_ < kLeastColumn; }

  std::string At(const SourceLocation& where) const {
    return where.known() ? shown_(where) + ": " : "";
  }

  std::string CellText(const Timeline::Operation& operation) const {
    std::string text = CleanText(operation.what) + TimesText(operation.count);
    if (operation.where.line > 0) text += fmt::format(" :{}", operation.where.line);
    if (!operation.waits_for.empty()) {
      text += fmt::format(" (after {})", fmt::join(operation.waits_for, ", "));
    }
    return text;
  }

  // Adds cells beside each other, each over as many lines as it needs.
  void AddRow(const std::string& number, const std::vector<std::string>& cells) {
    std::vector<std::vector<std::string>> columns;
    std::size_t height = 1;
    for (const std::string& cell : cells) {
      std::vector<std::string>& lines = columns.emplace_back();
      std::istringstream wrapped(Wrapped(cell, column_ - 2, 0, 2));
      for (std::string line; std::getline(wrapped, line);) lines.push_back(line);
      height = std::max(height, lines.size());
    }
    for (std::size_t i = 0; i < height; ++i) {
      std::string line = fmt::format("{:>{}}  ", i == 0 ? number : "", kNumber - 2);
      for (const auto& lines : columns) {
        const std::string cell = i < lines.size() ? lines[i] : "";
        line += cell + std::string(column_ - std::min(column_, Columns(cell)), ' ');
      }
      text_ += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
  }

  void Add(const TimelineRow& row) {
    std::vector<std::string> cells(timeline_.streams.size());
    bool any = false;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (row.cells[i] == nullptr) continue;
      any = true;
      cells[i] = CellText(*row.cells[i]);
      if (IsList()) {
        text_ += Wrapped(fmt::format("{:>4}  {}: {}", row.step, timeline_.streams[i], cells[i]),
                         width_, 0, kNumber + 2);
      }
    }
    if (any && !IsList()) AddRow(fmt::format("{}", row.step), cells);
    for (const Timeline::Wait* wait : row.waits) {
      std::string text = "-- " + CleanText(At(wait->where) + wait->what) + TimesText(wait->count);
      if (wait->costs_overlap) text += "; this costs overlap";
      text_ += Wrapped(text, width_, kNumber, kNumber + 3);
    }
  }

  const Timeline& timeline_;
  const std::size_t width_;
  const std::function<std::string(const SourceLocation&)>& shown_;
  std::size_t column_;
  std::string text_;
};

}  // namespace

std::string TimelineText(const Timeline& timeline, std::size_t width,
                         const std::function<std::string(const SourceLocation&)>& shown) {
  return TimelineWriter(timeline, width, shown).Write();
}

}  // namespace warpcheck
