#include "report/terminal/access_picture.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <bit>

#include "base/text.h"
#include "device/counters.h"
#include "hardware/geometry.h"

namespace warpcheck {
namespace {

using Use = AccessLayout::Use;

class TextPicture {
 public:
  TextPicture(const AccessLayout& layout, bool colours) : layout_(layout), colours_(colours) {}

  std::string Draw() {
    if (layout_.rows.empty()) return "";
    if (layout_.memory == AccessExample::Memory::kShared) {
      DrawBanks();
    } else {
      DrawSectors();
    }
    if (layout_.has_shared_words) Line("  *: this lane and later ones touch the same word");
    return std::move(text_);
  }

 private:
  void Line(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    text_ += line + '\n';
  }

  // Returns the row's cells, each three columns wide.
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

  // Draws a column for each bank and a row for each pass.
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
      Line(fmt::format(
          "  each row is a pass, in which a bank delivers one word; bank {} needs {} passes",
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

}  // namespace

std::string AccessPicture(const AccessLayout& layout, const TerminalStyle& style) {
  return TextPicture(layout, style.colours).Draw();
}

}  // namespace warpcheck
