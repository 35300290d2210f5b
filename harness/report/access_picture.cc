#include "report/access_picture.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <utility>

#include "base/text.h"
#include "device/counters.h"
#include "device/lanes.h"
#include "hardware/bank_passes.h"
#include "hardware/geometry.h"

namespace warpcheck {
namespace {

using Use = AccessLayout::Use;

bool IsShared(const AccessLayout& layout) {
  return layout.memory == AccessExample::Memory::kShared;
}

// "3", or "3*" where others share the word.
std::string LaneText(std::uint32_t lanes) {
  return fmt::format("{}{}", std::countr_zero(lanes), std::popcount(lanes) > 1 ? "*" : "");
}

class TextPicture {
 public:
  TextPicture(const AccessLayout& layout, bool colours) : layout_(layout), colours_(colours) {}

  std::string Draw() {
    if (layout_.rows.empty()) return "";
    if (IsShared(layout_)) {
      DrawBanks();
    } else {
      DrawSectors();
    }
    if (layout_.has_shared_words) Line("  *: this lane and others after it touch the same word");
    return std::move(text_);
  }

 private:
  void Line(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    text_ += line + '\n';
  }

  // Three columns each.
  std::string Cells(const AccessLayout::Row& row) const {
    std::string text;
    for (const AccessLayout::Cell& cell : row.cells) text += Cell(cell);
    return text;
  }

  std::string Cell(const AccessLayout::Cell& cell) const {
    if (cell.lanes == 0) return colours_ ? fmt::format(fmt::emphasis::faint, " . ") : " . ";
    const std::string text = fmt::format("{:>2}{}", std::countr_zero(cell.lanes),
                                         std::popcount(cell.lanes) > 1 ? '*' : ' ');
    const auto colour = cell.use == Use::kGood   ? fmt::terminal_color::green
                        : cell.use == Use::kPart ? fmt::terminal_color::yellow
                                                 : fmt::terminal_color::red;
    return colours_ ? fmt::format(fg(colour), "{}", text) : text;
  }

  // What one bank cannot give in one pass stands in one column.
  void DrawBanks() {
    std::string head = "bank";
    for (std::size_t bank = 0; bank < layout_.rows.front().cells.size(); ++bank) {
      head += fmt::format("{:>2} ", bank);
    }
    Line(head);
    for (std::size_t i = 0; i < layout_.rows.size(); ++i) {
      Line(fmt::format("{:>3} {}", i + 1, Cells(layout_.rows[i])));
    }
    if (layout_.rows.size() > 1) {
      Line(fmt::format("  rows: passes, in which a bank gives one word; bank {} takes {}",
                       layout_.fullest, layout_.passes));
    }
  }

  void DrawSectors() {
    Line("sector    at byte     0  4  8 12 16 20 24 28   bytes used");
    for (std::size_t i = 0; i < layout_.rows.size(); ++i) {
      const AccessLayout::Row& row = layout_.rows[i];
      Line(fmt::format("{:>6} {:>12}    {}  {:>2} of {}", i + 1, '+' + Grouped(row.at), Cells(row),
                       row.used, kSectorBytes));
    }
  }

  const AccessLayout& layout_;
  const bool colours_;
  std::string text_;
};

// The parts of the SVG picture. Lengths are pixels, as long as there is room.
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

  // Room for what stands before the sectors.
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

  // What stands above the columns.
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

  // The lines between cells, as a path.
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

std::string_view KindText(AccessExample::Kind kind) {
  constexpr const char* kKinds[] = {"load", "store", "atomic", "atomic", "move of matrix rows"};
  return kKinds[static_cast<std::size_t>(kind)];
}

std::string AccessPicture(const AccessLayout& layout, const TerminalStyle& style) {
  return TextPicture(layout, style.colours).Draw();
}

PageModel AccessFigureModel(const AccessExample& access) {
  const AccessLayout layout = LayOut(access);
  if (layout.rows.empty()) return {};
  const bool shared = IsShared(layout);
  PageModel model = SvgPicture(layout).Model();
  model["what"] =
      fmt::format("a {} {} of {} by {}: {}, {} would do", shared ? "shared" : "global",
                  KindText(access.kind), Counted(access.bytes, "byte"),
                  Counted(static_cast<std::uint64_t>(std::popcount(access.mask)), "lane"),
                  Counted(access.cost, shared ? "wavefront" : "sector"), Grouped(access.ideal));
  model["is_shared"] = shared;
  model["has_shared_words"] = layout.has_shared_words;
  return model;
}

namespace {

constexpr std::uint64_t kSectorWords = kSectorBytes / kBankBytes;

class Layout {
 public:
  Layout(const AccessExample& access, std::uint64_t base) : access_(access), base_(base) {
    made_.memory = access.memory;
  }

  AccessLayout Make() {
    if (access_.mask == 0 || access_.bytes == 0 || access_.bytes > AccessExample::kMostBytes) {
      return made_;
    }
    made_.has_shared_words = std::ranges::any_of(
        WordsOf(access_, base_), [](const auto& word) { return std::popcount(word.second) > 1; });
    if (access_.memory == AccessExample::Memory::kGlobal) {
      LayOutSectors();
    } else {
      LayOutBanks();
    }
    return std::move(made_);
  }

 private:
  void LayOutBanks() {
    const BankPasses laid = PassesOf(access_, base_);
    made_.fullest = laid.fullest;
    made_.passes = laid.most_passes;
    for (const auto& pass : laid.passes) {
      AccessLayout::Row& row = made_.rows.emplace_back();
      for (const BankWord& word : pass) {
        row.cells.push_back({.lanes = word.lanes,
                             .use = word.lanes == 0     ? Use::kNone
                                    : word.has_conflict ? Use::kBad
                                                        : Use::kGood});
      }
    }
  }

  void LayOutSectors() {
    std::uint64_t first = 0;
    std::uint64_t sector = 0;
    for (const auto& [word, lanes] : WordsOf(access_, base_)) {
      if (made_.rows.empty()) first = word / kSectorWords;
      if (made_.rows.empty() || word / kSectorWords != sector) {
        sector = word / kSectorWords;
        made_.rows.push_back({.cells = std::vector<AccessLayout::Cell>(kSectorWords),
                              .at = (sector - first) * kSectorBytes,
                              .used = UsedBytes(sector)});
      }
      AccessLayout::Row& row = made_.rows.back();
      row.cells[word % kSectorWords] = {.lanes = lanes,
                                        .use = row.used == kSectorBytes      ? Use::kGood
                                               : row.used * 2 > kSectorBytes ? Use::kPart
                                                                             : Use::kBad};
    }
  }

  // Bytes of the sector that some lane touches.
  std::uint64_t UsedBytes(std::uint64_t sector) const {
    std::uint32_t used = 0;  // a bit a byte
    const std::uint64_t begin = sector * kSectorBytes;
    EachLane(access_.mask, [&](std::size_t lane) {
      const std::uint64_t first = base_ + access_.offsets[lane];
      for (std::uint64_t at = std::max(first, begin);
           at < std::min(first + access_.bytes, begin + kSectorBytes); ++at) {
        used |= 1U << (at - begin);
      }
    });
    return static_cast<std::uint64_t>(std::popcount(used));
  }

  const AccessExample& access_;
  const std::uint64_t base_;
  AccessLayout made_;
};

}  // namespace

AccessLayout LayOut(const AccessExample& access, std::uint64_t base) {
  return Layout(access, base).Make();
}

}  // namespace warpcheck
