#include "report/timeline/timeline_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "report/clean_text.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMostTableRows = 80;
constexpr std::size_t kMostStreams = 16;
constexpr std::size_t kMostText = 300;  // bytes

std::string TimesText(std::uint64_t count) {
  return count > 1 ? fmt::format(", {} times", Grouped(count)) : "";
}

TableModel CellModel(const order::Timeline::Operation* operation, const std::string& stream) {
  TableModel cell = {{"stream", CleanText(stream, kMostText)},
                     {"kind", ""},
                     {"what", ""},
                     {"line", ""},
                     {"after", ""}};
  if (operation == nullptr) return cell;
  using enum HostCall::Kind;
  cell["kind"] = IsOneOf(operation->kind, kKernel, kCopy) ? NameOf(operation->kind) : "other";
  cell["what"] = CleanText(operation->what + TimesText(operation->count), kMostText);
  if (operation->where.line > 0) cell["line"] = fmt::format("line {}", operation->where.line);
  if (!operation->waits_for.empty()) {
    cell["after"] =
        CleanText(fmt::format("after {}", fmt::join(operation->waits_for, ", ")), kMostText);
  }
  return cell;
}

TableModel WaitModel(const order::Timeline::Wait& wait, std::size_t columns) {
  const std::string line =
      wait.where.line > 0 ? fmt::format("line {}: ", wait.where.line) : std::string();
  return {{"columns", columns},
          {"text", CleanText(line + wait.what + TimesText(wait.count), kMostText)},
          {"costs", wait.costs_overlap}};
}

}  // namespace

TableModel TimelineModel(const order::Timeline& timeline, const std::string& test,
                         const std::function<TableModel(const SourceLocation&)>& place) {
  const std::vector<order::TimelineRow> rows = order::RowsOf(timeline);
  const std::size_t streams = std::min(timeline.streams.size(), kMostStreams);
  TableModel model = {{"test", CleanText(test, kMostText)},
                      {"streams", TableModel::array()},
                      {"rows", TableModel::array()},
                      {"costs", TableModel::array()},
                      {"more", ""}};
  for (std::size_t i = 0; i < streams; ++i) {
    model["streams"].push_back(CleanText(timeline.streams[i], kMostText));
  }
  for (std::size_t i = 0; i < std::min(rows.size(), kMostTableRows); ++i) {
    const order::TimelineRow& row = rows[i];
    TableModel cells = TableModel::array();
    bool any = false;
    for (std::size_t column = 0; column < streams; ++column) {
      any = any || row.cells[column] != nullptr;
      cells.push_back(CellModel(row.cells[column], timeline.streams[column]));
    }
    TableModel waits = TableModel::array();
    for (const order::Timeline::Wait* wait : row.waits) {
      waits.push_back(WaitModel(*wait, streams + 1));
    }
    model["rows"].push_back({{"step", row.step},
                             {"has_operations", any},
                             {"cells", std::move(cells)},
                             {"waits", std::move(waits)}});
  }
  for (const order::Timeline::Cost& cost : timeline.costs) {
    model["costs"].push_back({{"place", place(cost.where)},
                              {"message", CleanText(cost.message, 4 * kMostText)},
                              {"hint", CleanText(cost.hint, 4 * kMostText)}});
  }
  if (rows.size() > kMostTableRows || streams < timeline.streams.size() || timeline.left_out != 0) {
    model["more"] = "The table shows only the beginning: further calls are left out.";
  }
  return model;
}

}  // namespace warpcheck
