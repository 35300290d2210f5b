#include "report/html/access_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/text.h"
#include "device/counters.h"
#include "hardware/geometry.h"
#include "report/access_layout.h"

namespace warpcheck {
namespace {

bool IsShared(const AccessLayout& layout) {
  return layout.memory == AccessExample::Memory::kShared;
}

// Returns "3", or "3*" if lanes after 3 access the word too.
std::string LaneText(std::uint32_t lanes) {
  return fmt::format("{}{}", std::countr_zero(lanes), std::popcount(lanes) > 1 ? "*" : "");
}

// Makes the data of an SVG picture. Lengths are in pixels, unless a narrow page shrinks the
// picture.
class SvgPicture {
 public:
  explicit SvgPicture(const AccessLayout& layout)
      : layout_(layout),
        rows_(std::min(layout.rows.size(), kMostRows)),
        columns_(layout.rows.front().cells.size()),
        left_(IsShared(layout) ? 40 : LeftOf(layout)),
        right_(IsShared(layout) ? 0 : 70) {}

  PageModel Model() const {
    PageModel rows = PageModel::array();
    for (std::size_t row = 0; row < rows_; ++row) rows.push_back(Row(row));
    return {{"width", left_ + columns_ * kCellWidth + right_ + 1},
            {"height", Y(rows_) + 1},
            {"heads", Heads()},
            {"left", left_},
            {"top", Y(0)},
            {"cells_width", columns_ * kCellWidth},
            {"cells_height", rows_ * kCellHeight},
            {"cell_width", kCellWidth},
            {"cell_height", kCellHeight},
            {"label_x", left_ - 6},
            {"used_x", X(columns_) + 8},
            {"rows", std::move(rows)},
            {"grid", Grid()},
            {"left_out",
             layout_.rows.size() > rows_ ? PageModel(layout_.rows.size() - rows_) : PageModel()}};
  }

 private:
  static constexpr std::size_t kMostRows = 32;
  static constexpr std::size_t kCellWidth = 20;
  static constexpr std::size_t kCellHeight = 15;
  static constexpr std::size_t kTop = 16;

  // Returns the width of the labels before the sectors.
  static std::size_t LeftOf(const AccessLayout& layout) {
    constexpr std::size_t kLetter = 7;
    std::size_t letters = std::string_view("at byte").size();
    for (const AccessLayout::Row& row : layout.rows) {
      letters = std::max(letters, 1 + Grouped(row.at).size());
    }
    return letters * kLetter + 10;
  }

  std::size_t X(std::size_t column) const { return left_ + column * kCellWidth; }
  static std::size_t Y(std::size_t row) { return kTop + row * kCellHeight; }
  std::size_t MiddleOf(std::size_t column) const { return X(column) + kCellWidth / 2; }

  // Returns the texts above the columns.
  PageModel Heads() const {
    const bool shared = IsShared(layout_);
    PageModel heads = PageModel::array();
    const auto add = [&](std::size_t x, const char* anchor, std::string text) {
      heads.push_back({{"x", x}, {"anchor", anchor}, {"text", std::move(text)}});
    };
    add(left_ - 6, "end", shared ? "bank" : "at byte");
    for (std::size_t column = 0; column < columns_; ++column) {
      add(MiddleOf(column), "middle", std::to_string(shared ? column : column * 4));
    }
    if (!shared) add(X(columns_) + 8, "start", "used");
    return heads;
  }

  // Returns the lines between the cells, as an SVG path.
  std::string Grid() const {
    std::string path;
    for (std::size_t column = 1; column < columns_; ++column) {
      path += fmt::format("M{} {}v{}", X(column), Y(0), rows_ * kCellHeight);
    }
    for (std::size_t row = 1; row < rows_; ++row) {
      path += fmt::format("M{} {}h{}", left_, Y(row), columns_ * kCellWidth);
    }
    return path;
  }

  PageModel Row(std::size_t number) const {
    static constexpr const char* kColours[] = {"none", "good", "part", "bad"};
    const AccessLayout::Row& row = layout_.rows[number];
    const bool shared = IsShared(layout_);
    PageModel cells = PageModel::array();
    for (std::size_t column = 0; column < columns_; ++column) {
      const AccessLayout::Cell& cell = row.cells[column];
      if (cell.lanes == 0) continue;
      cells.push_back({{"colour", kColours[static_cast<std::size_t>(cell.use)]},
                       {"x", X(column)},
                       {"middle", MiddleOf(column)},
                       {"lanes", LaneText(cell.lanes)}});
    }
    return {{"y", Y(number)},
            {"text_y", Y(number) + 12},
            {"label", shared ? std::to_string(number + 1) : '+' + Grouped(row.at)},
            {"cells", std::move(cells)},
            {"used", shared ? "" : fmt::format("{} of {}", row.used, kSectorBytes)}};
  }

  const AccessLayout& layout_;
  const std::size_t rows_;
  const std::size_t columns_;
  const std::size_t left_;
  const std::size_t right_;
};

}  // namespace

PageModel AccessFigureModel(const AccessExample& access) {
  const AccessLayout layout = LayOut(access);
  if (layout.rows.empty()) return {};
  const bool shared = IsShared(layout);
  PageModel model = SvgPicture(layout).Model();
  model["what"] =
      fmt::format("a {} {} of {} by {}: {}, ideally {}", shared ? "shared" : "global",
                  KindText(access.kind), Counted(access.bytes, "byte"),
                  Counted(static_cast<std::uint64_t>(std::popcount(access.mask)), "lane"),
                  Counted(access.cost, shared ? "wavefront" : "sector"), Grouped(access.ideal));
  model["is_shared"] = shared;
  model["has_shared_words"] = layout.has_shared_words;
  return model;
}

}  // namespace warpcheck
