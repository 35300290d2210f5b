#include "report/access_picture.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/text.h"
#include "device/counters.h"

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

// Lengths are pixels, as long as there is room.
class SvgPicture {
 public:
  explicit SvgPicture(const AccessLayout& layout)
      : layout_(layout),
        rows_(std::min(layout.rows.size(), kMostRows)),
        columns_(layout.rows.front().cells.size()),
        left_(IsShared(layout) ? 40 : LeftOf(layout)),
        right_(IsShared(layout) ? 0 : 70) {}

  std::string Draw(std::string_view label) {
    const std::size_t width = left_ + columns_ * kCellWidth + right_ + 1;
    const std::size_t height = Y(rows_) + 1;
    svg_ = fmt::format(
        "<svg class=\"access\" role=\"img\" aria-label=\"{}\" width=\"{}\" height=\"{}\" "
        "viewBox=\"0 0 {} {}\">",
        label, width, height, width, height);
    Text(left_ - 6, 12, "end", IsShared(layout_) ? "bank" : "at byte");
    for (std::size_t column = 0; column < columns_; ++column) {
      Text(X(column) + kCellWidth / 2, 12, "middle",
           fmt::format("{}", IsShared(layout_) ? column : column * 4));
    }
    if (!IsShared(layout_)) Text(X(columns_) + 8, 12, "start", "used");
    svg_ += fmt::format("<rect class=\"none\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                        left_, Y(0), columns_ * kCellWidth, rows_ * kCellHeight);
    for (std::size_t row = 0; row < rows_; ++row) DrawRow(row);
    DrawGrid();
    return std::move(svg_) + "</svg>\n";
  }

  std::size_t left_out() const { return layout_.rows.size() - rows_; }

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

  void Text(std::size_t x, std::size_t y, std::string_view anchor, std::string_view text) {
    svg_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>", x, y, anchor, text);
  }

  // The lines between cells.
  void DrawGrid() {
    std::string path;
    for (std::size_t column = 1; column < columns_; ++column) {
      path += fmt::format("M{} {}v{}", X(column), Y(0), rows_ * kCellHeight);
    }
    for (std::size_t row = 1; row < rows_; ++row) {
      path += fmt::format("M{} {}h{}", left_, Y(row), columns_ * kCellWidth);
    }
    svg_ += fmt::format("<path d=\"{}\"/>", path);
  }

  void DrawRow(std::size_t number) {
    const AccessLayout::Row& row = layout_.rows[number];
    const std::size_t base = Y(number) + 12;
    Text(left_ - 6, base, "end",
         IsShared(layout_) ? fmt::format("{}", number + 1) : '+' + Grouped(row.at));
    for (std::size_t column = 0; column < columns_; ++column) {
      const AccessLayout::Cell& cell = row.cells[column];
      if (cell.lanes == 0) continue;
      constexpr const char* kClasses[] = {"none", "good", "part", "bad"};
      svg_ += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                          kClasses[static_cast<std::size_t>(cell.use)], X(column), Y(number),
                          kCellWidth, kCellHeight);
      Text(X(column) + kCellWidth / 2, base, "middle", LaneText(cell.lanes));
    }
    if (!IsShared(layout_)) {
      Text(X(columns_) + 8, base, "start", fmt::format("{} of {}", row.used, kSectorBytes));
    }
  }

  const AccessLayout& layout_;
  const std::size_t rows_;
  const std::size_t columns_;
  const std::size_t left_;
  const std::size_t right_;
  std::string svg_;
};

}  // namespace

std::string_view KindText(AccessExample::Kind kind) {
  constexpr const char* kKinds[] = {"load", "store", "atomic", "atomic", "move of matrix rows"};
  return kKinds[static_cast<std::size_t>(kind)];
}

std::string AccessPicture(const AccessLayout& layout, const TerminalStyle& style) {
  return TextPicture(layout, style.colours).Draw();
}

std::string AccessFigure(const AccessExample& access) {
  const AccessLayout layout = LayOut(access);
  if (layout.rows.empty()) return "";
  const bool shared = IsShared(layout);
  const std::string what =
      fmt::format("a {} {} of {} by {}: {}, {} would do", shared ? "shared" : "global",
                  KindText(access.kind), Counted(access.bytes, "byte"),
                  Counted(static_cast<std::uint64_t>(std::popcount(access.mask)), "lane"),
                  Counted(access.cost, shared ? "wavefront" : "sector"), Grouped(access.ideal));
  SvgPicture picture(layout);
  const std::string svg = picture.Draw("Drawn: " + what);
  std::string text = shared ? "A row is a pass (wavefront), in which each bank gives one word; "
                              "banks are counted from "
                              "that of the lowest word."
                            : "A row is a sector of 32 bytes, which is moved as a whole.";
  text += " Numbers are lanes";
  text += layout.has_shared_words ? "; * where others touch the same word." : ".";
  if (picture.left_out() > 0) text += fmt::format(" And {} more rows.", picture.left_out());
  return fmt::format(
      "<figure>\n<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"The access that "
      "costs "
      "most\">{}</div>\n<figcaption>The access that costs most: {}. <span class=\"soft\">{}</span>"
      "</figcaption>\n</figure>\n",
      svg, what, text);
}

}  // namespace warpcheck
