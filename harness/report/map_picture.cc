#include "report/map_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"
#include "report/html_text.h"
#include "report/text.h"

namespace warpcheck {
namespace {

// A rectangle of cells: an array with two dimensions, one with one in lines, or a slice.
struct Sheet {
  std::string name;  // of a slice
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::string_view cells;
  std::uint64_t first = 0;  // of its cells, among those of the map
};

constexpr std::uint64_t kLine = 64;  // cells of an array with one dimension

std::vector<Sheet> SheetsOf(const ResultMap& map) {
  const std::string_view cells = map.cells;
  if (map.extents.size() == 1) {
    const std::uint64_t columns = std::min<std::uint64_t>(cells.size(), kLine);
    return {{.name = {},
             .rows = (cells.size() + columns - 1) / columns,
             .columns = columns,
             .cells = cells}};
  }
  const std::size_t row = map.extents.size() - 2;
  const std::uint64_t rows = map.Cells(row);
  const std::uint64_t columns = map.Cells(row + 1);
  std::vector<Sheet> sheets;
  for (std::uint64_t first = 0; first < cells.size(); first += rows * columns) {
    Sheet& sheet = sheets.emplace_back();
    if (map.extents.size() == 3) {
      const std::uint64_t begin = sheets.size() * map.block[0] - map.block[0];
      const std::uint64_t end = std::min(begin + map.block[0], map.extents[0]) - 1;
      sheet.name = begin == end ? fmt::format("[{}, ...]", begin)
                                : fmt::format("[{} to {}, ...]", Grouped(begin), Grouped(end));
    }
    sheet.rows = rows;
    sheet.columns = columns;
    sheet.cells = cells.substr(first, rows * columns);
    sheet.first = first;
  }
  return sheets;
}

class MapWriter {
 public:
  explicit MapWriter(const ResultMap& map) : map_(map), sheets_(SheetsOf(map)) {}

  std::string Write() {
    html_ = fmt::format(
        "<figure class=\"map\">\n<figcaption>Where the result is wrong: an array of {}"
        " element{}{}. Look first at {}.</figcaption>\n<div class=\"sheets\">",
        Joined(map_.extents), std::ranges::max(map_.extents) == 1 ? "" : "s", Scale(),
        HtmlText(map_.first));
    for (const Sheet& sheet : sheets_) Draw(sheet);
    html_ += "</div>\n";
    Legend();
    return std::move(html_) + "</figure>\n";
  }

 private:
  static std::string Joined(const std::vector<std::uint64_t>& lengths) {
    std::string text;
    for (const std::uint64_t length : lengths)
      text += (text.empty() ? "" : " x ") + Grouped(length);
    return text;
  }

  std::string Scale() const {
    if (std::ranges::all_of(map_.block, [](std::uint64_t length) { return length == 1; }))
      return "";
    return fmt::format("; a cell stands for {} of them, and shows the worst", Joined(map_.block));
  }

  std::uint64_t FirstWrongCell() const {
    const std::vector<std::uint64_t> place = PlaceOf(map_.extents, map_.first_wrong);
    std::uint64_t cell = 0;
    for (std::size_t i = 0; i < place.size(); ++i)
      cell = cell * map_.Cells(i) + place[i] / map_.block[i];
    return cell;
  }

  // The sides of a cell, in pixels: a sheet has the shape of its array, within reason.
  std::pair<double, double> CellSize(const Sheet& sheet) const {
    constexpr double kLargestCell = 16;
    const double most = sheets_.size() > 1 ? 160 : 384;
    const auto columns = static_cast<double>(sheet.columns);
    const auto rows = static_cast<double>(sheet.rows);
    double ratio = rows / columns;  // of height to width
    if (map_.block.size() > 1) {
      ratio *= static_cast<double>(map_.block[map_.block.size() - 2]) /
               static_cast<double>(map_.block.back());
    }
    ratio = std::clamp(ratio, 0.25, 4.0);
    return {std::min(kLargestCell, std::min(most, most / ratio) / columns),
            std::min(kLargestCell, std::min(most, most * ratio) / rows)};
  }

  void Draw(const Sheet& sheet) {
    const auto [width, height] = CellSize(sheet);
    const auto count = [&](char state) { return std::ranges::count(sheet.cells, state); };
    html_ += "<div>";
    html_ += fmt::format(
        "<svg role=\"img\" aria-label=\"{}{} of {} cells wrong, {} never written\" "
        "width=\"{:.0f}\" "
        "height=\"{:.0f}\" viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\">",
        sheet.name.empty() ? "" : sheet.name + ": ", count(ResultMap::kWrong), sheet.cells.size(),
        count(ResultMap::kUnwritten), width * static_cast<double>(sheet.columns),
        height * static_cast<double>(sheet.rows), sheet.columns, sheet.rows);
    Cells(sheet, ResultMap::kRight, "right");
    Cells(sheet, ResultMap::kUnwritten, "unwritten");
    Cells(sheet, ResultMap::kWrong, "wrong");
    Inner(sheet);
    if (const std::uint64_t cell = FirstWrongCell();
        cell >= sheet.first && cell < sheet.first + sheet.cells.size()) {
      html_ +=
          fmt::format("<rect class=\"first\" x=\"{}\" y=\"{}\" width=\"1\" height=\"1\"/>",
                      (cell - sheet.first) % sheet.columns, (cell - sheet.first) / sheet.columns);
    }
    html_ += "</svg>";
    if (!sheet.name.empty()) html_ += "<span class=\"code\">" + sheet.name + "</span>";
    html_ += "</div>\n";
  }

  // All cells of one state as one path, those beside each other as one rectangle.
  void Cells(const Sheet& sheet, char state, std::string_view name) {
    std::string path;
    for (std::uint64_t row = 0; row < sheet.rows; ++row) {
      const std::string_view cells = sheet.cells.substr(row * sheet.columns, sheet.columns);
      for (std::size_t begin = cells.find(state); begin < cells.size();) {
        const std::size_t end = std::min(cells.find_first_not_of(state, begin), cells.size());
        path += fmt::format("M{} {}h{}v1h-{}z", begin, row, end - begin, end - begin);
        begin = cells.find(state, end);
      }
    }
    if (!path.empty()) html_ += fmt::format("<path class=\"{}\" d=\"{}\"/>", name, path);
  }

  // The line between what changes and the halo. A slice without an element that changes has none.
  void Inner(const Sheet& sheet) {
    if (map_.inner.size() < 2) return;
    const std::size_t row = map_.inner.size() - 2;
    if (map_.inner.size() == 3) {
      const std::uint64_t slice = sheet.first / (sheet.rows * sheet.columns);
      const ResultMap::Range& slices = map_.inner[0];
      if (slice < slices.first / map_.block[0] || slice > slices.last / map_.block[0]) return;
    }
    const auto begin = [&](std::size_t i) { return map_.inner[i].first / map_.block[i]; };
    const auto cells = [&](std::size_t i) {
      return map_.inner[i].last / map_.block[i] + 1 - begin(i);
    };
    html_ += fmt::format("<rect class=\"inner\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                         begin(row + 1), begin(row), cells(row + 1), cells(row));
  }

  void Legend() {
    const auto entry = [&](std::string_view name, std::string_view text) {
      html_ += fmt::format(
          "<li><svg width=\"14\" height=\"14\" viewBox=\"0 0 1 1\" aria-hidden=\"true\">"
          "<rect class=\"{}\" width=\"1\" height=\"1\"/></svg> {}</li>\n",
          name, text);
    };
    const auto has = [&](char state) { return map_.cells.find(state) != std::string::npos; };
    html_ += "<ul class=\"legend\">\n";
    if (has(ResultMap::kRight)) entry("right", "right");
    if (has(ResultMap::kWrong)) entry("wrong", "wrong");
    if (has(ResultMap::kUnwritten)) entry("unwritten", "never written");
    entry("first", "the first wrong one");
    if (!map_.inner.empty()) {
      entry("inner",
            "inside this line cells change; around it is the halo (frame), which has to stay as it "
            "was");
    }
    html_ += "</ul>\n";
  }

  const ResultMap& map_;
  const std::vector<Sheet> sheets_;
  std::string html_;
};

}  // namespace

std::string MapFigure(const ResultMap& map) { return IsWhole(map) ? MapWriter(map).Write() : ""; }

}  // namespace warpcheck
