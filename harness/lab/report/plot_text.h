// Breaks the texts of plots into lines, because SVG does not.
#pragma once

#include <cstddef>
#include <sstream>
#include <string>

#include "report/html/page_template.h"
#include "report/terminal/terminal_text.h"

namespace warpcheck {

// Returns "text" and "y" of each line of at most `columns` characters. The first stands at `y`, and
// each other one `line_height` below the one before. All lengths are in units of the picture.
inline PageModel TextLines(const std::string& text, std::size_t columns, int y, int line_height) {
  PageModel lines = PageModel::array();
  std::istringstream wrapped(Wrapped(text, columns, 0, 0));
  for (std::string line; std::getline(wrapped, line); y += line_height) {
    lines.push_back({{"text", line}, {"y", y}});
  }
  return lines;
}

// Returns the lines of a title above a picture that is 780 wide and begins 48 from the top. A title
// of one or two lines fits there.
inline PageModel TitleLines(const std::string& title) {
  constexpr std::size_t kColumns = 68;
  constexpr int kY = 26, kLongY = 18, kLineHeight = 20;
  return TextLines(title, kColumns, Columns(title) > kColumns ? kLongY : kY, kLineHeight);
}

}  // namespace warpcheck
