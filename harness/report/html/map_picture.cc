#include "report/html/map_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/text.h"
#include "report/html/html_text.h"

namespace warpcheck {
namespace {

// A Sheet is a rectangle of cells: an array with two dimensions, one slice of an array with three,
// or an array with one dimension that is broken into lines.
struct Sheet {
  std::string name;  // the slice's name; empty if there is only one sheet
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::string_view cells;
  std::uint64_t first = 0;  // the index of its first cell among the cells of the map
};

constexpr std::uint64_t kLine = 64;  // cells in a line, for an array with one dimension

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

class MapFigure {
 public:
  explicit MapFigure(const ResultMap& map) : map_(map), sheets_(SheetsOf(map)) {}

  // Returns the data of the picture as a file, in which the sheets lie in four columns.
  PageModel FileModel(const std::string& title) const {
    constexpr std::size_t kInARow = 4;
    constexpr double kMargin = 16;
    constexpr double kTop = 44;     // above the sheets, for the title
    constexpr double kName = 20;    // below a sheet, for its name
    constexpr double kLegend = 20;  // a line of the legend
    constexpr double kLeastWidth = 560;
    constexpr double kTimes = 2;  // larger than in a page
    PageModel model = Model();
    double y = kTop;
    double width = kLeastWidth;
    for (std::size_t first = 0; first < sheets_.size(); first += kInARow) {
      double x = kMargin;
      double height = 0;
      for (std::size_t i = first; i < std::min(first + kInARow, sheets_.size()); ++i) {
        const auto [cell_width, cell_height] = CellSize(sheets_[i]);
        const double wide = kTimes * cell_width * static_cast<double>(sheets_[i].columns);
        const double high = kTimes * cell_height * static_cast<double>(sheets_[i].rows);
        PageModel& sheet = model["sheets"][i];
        sheet["x"] = fmt::format("{:.0f}", x);
        sheet["y"] = fmt::format("{:.0f}", y);
        sheet["wide"] = fmt::format("{:.0f}", wide);
        sheet["high"] = fmt::format("{:.0f}", high);
        sheet["name_y"] = fmt::format("{:.0f}", y + high + 14);
        x += wide + kMargin;
        height = std::max(height, high);
      }
      width = std::max(width, x);
      y += height + kName;
    }
    for (PageModel& row : model["legend"]) {
      row["y"] = fmt::format("{:.0f}", y);
      row["text_y"] = fmt::format("{:.0f}", y + 12);
      y += kLegend;
    }
    model["title"] = title;
    model["picture_width"] = fmt::format("{:.0f}", width);
    model["picture_height"] = fmt::format("{:.0f}", y + kMargin);
    return model;
  }

  PageModel Model() const {
    PageModel sheets = PageModel::array();
    for (const Sheet& sheet : sheets_) sheets.push_back(SheetModel(sheet));
    return {{"extents", Joined(map_.extents)},
            {"is_plural", std::ranges::max(map_.extents) != 1},
            {"block", IsScaled() ? Joined(map_.block) : ""},
            {"first", Shortened(map_.first, kMaxFirst)},
            {"sheets", std::move(sheets)},
            {"legend", Legend()}};
  }

 private:
  static constexpr std::size_t kMaxFirst = 8192;

  static std::string Joined(const std::vector<std::uint64_t>& lengths) {
    std::string text;
    for (const std::uint64_t length : lengths)
      text += (text.empty() ? "" : " x ") + Grouped(length);
    return text;
  }

  // Returns true if a cell represents several elements.
  bool IsScaled() const {
    return std::ranges::any_of(map_.block, [](std::uint64_t length) { return length != 1; });
  }

  bool HasWrong() const {
    return map_.cells.find_first_not_of(ResultMap::kRight) != std::string::npos;
  }

  std::uint64_t FirstWrongCell() const {
    const std::vector<std::uint64_t> place = PlaceOf(map_.extents, map_.first_wrong);
    std::uint64_t cell = 0;
    for (std::size_t i = 0; i < place.size(); ++i)
      cell = cell * map_.Cells(i) + place[i] / map_.block[i];
    return cell;
  }

  // Returns the width and height of a cell in pixels. A sheet has approximately the shape of its
  // array.
  std::pair<double, double> CellSize(const Sheet& sheet) const {
    constexpr double kLargestCell = 16;
    const double most = sheets_.size() > 1 ? 160 : 384;
    const auto columns = static_cast<double>(sheet.columns);
    const auto rows = static_cast<double>(sheet.rows);
    double ratio = rows / columns;  // the ratio of height to width
    if (map_.block.size() > 1) {
      ratio *= static_cast<double>(map_.block[map_.block.size() - 2]) /
               static_cast<double>(map_.block.back());
    }
    ratio = std::clamp(ratio, 0.25, 4.0);
    return {std::min(kLargestCell, std::min(most, most / ratio) / columns),
            std::min(kLargestCell, std::min(most, most * ratio) / rows)};
  }

  PageModel SheetModel(const Sheet& sheet) const {
    const auto [width, height] = CellSize(sheet);
    const auto count = [&](char state) { return std::ranges::count(sheet.cells, state); };
    PageModel states = PageModel::array();
    AddState(states, sheet, ResultMap::kRight, "right");
    AddState(states, sheet, ResultMap::kUnwritten, "unwritten");
    AddState(states, sheet, ResultMap::kWrong, "wrong");
    return {{"name", sheet.name},
            {"wrong", count(ResultMap::kWrong)},
            {"unwritten", count(ResultMap::kUnwritten)},
            {"cells", sheet.cells.size()},
            {"width", fmt::format("{:.0f}", width * static_cast<double>(sheet.columns))},
            {"height", fmt::format("{:.0f}", height * static_cast<double>(sheet.rows))},
            {"columns", sheet.columns},
            {"rows", sheet.rows},
            {"states", std::move(states)},
            {"inner", Inner(sheet)},
            {"first_wrong", FirstWrong(sheet)}};
  }

  // Adds all cells of one state as one path, in which neighbouring cells of a row are one
  // rectangle.
  static void AddState(PageModel& states, const Sheet& sheet, char state, std::string_view name) {
    std::string path;
    for (std::uint64_t row = 0; row < sheet.rows; ++row) {
      const std::string_view cells = sheet.cells.substr(row * sheet.columns, sheet.columns);
      for (std::size_t begin = cells.find(state); begin < cells.size();) {
        const std::size_t end = std::min(cells.find_first_not_of(state, begin), cells.size());
        path += fmt::format("M{} {}h{}v1h-{}z", begin, row, end - begin, end - begin);
        begin = cells.find(state, end);
      }
    }
    if (!path.empty()) states.push_back({{"state", name}, {"path", std::move(path)}});
  }

  // Returns the place of the first wrong cell, or null if it is not in this sheet.
  PageModel FirstWrong(const Sheet& sheet) const {
    if (!HasWrong()) return {};
    const std::uint64_t cell = FirstWrongCell();
    if (cell < sheet.first || cell >= sheet.first + sheet.cells.size()) return {};
    return {{"x", (cell - sheet.first) % sheet.columns},
            {"y", (cell - sheet.first) / sheet.columns}};
  }

  // Returns the rectangle around the cells that change, without the halo. Returns null for a slice
  // in which no cell changes.
  PageModel Inner(const Sheet& sheet) const {
    if (map_.inner.size() < 2) return {};
    const std::size_t row = map_.inner.size() - 2;
    if (map_.inner.size() == 3) {
      const std::uint64_t slice = sheet.first / (sheet.rows * sheet.columns);
      const ResultMap::Range& slices = map_.inner[0];
      if (slice < slices.first / map_.block[0] || slice > slices.last / map_.block[0]) return {};
    }
    const auto begin = [&](std::size_t i) { return map_.inner[i].first / map_.block[i]; };
    const auto cells = [&](std::size_t i) {
      return map_.inner[i].last / map_.block[i] + 1 - begin(i);
    };
    return {{"x", begin(row + 1)},
            {"y", begin(row)},
            {"width", cells(row + 1)},
            {"height", cells(row)}};
  }

  PageModel Legend() const {
    PageModel legend = PageModel::array();
    const auto add = [&](std::string_view state, std::string_view means) {
      legend.push_back({{"state", state}, {"means", means}});
    };
    const auto has = [&](char state) { return map_.cells.find(state) != std::string::npos; };
    if (has(ResultMap::kRight)) add("right", "right");
    if (has(ResultMap::kWrong)) add("wrong", "wrong");
    if (has(ResultMap::kUnwritten)) add("unwritten", "never written");
    if (HasWrong()) add("first", "the first wrong one");
    if (!map_.inner.empty()) {
      add("inner", "cells inside this line change; the frame (halo) around it must stay as it was");
    }
    return legend;
  }

  const ResultMap& map_;
  const std::vector<Sheet> sheets_;
};

}  // namespace

PageModel MapFigureModel(const ResultMap& map) {
  return IsWhole(map) ? MapFigure(map).Model() : PageModel();
}

std::string MapPicture(const ResultMap& map, const std::string& title) {
  WARPCHECK_CHECK(IsWhole(map, kMapInFile), "MapPicture: the map is not whole");
  return Rendered("map_picture.svg", MapFigure(map).FileModel(title));
}

}  // namespace warpcheck
