// Lays out lines of text for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpcheck {

struct TerminalStyle {
  bool colours = false;
  int width = 80;  // in columns; reports use 60 to 100
};

// Returns how many columns UTF-8 text takes. Every character counts as one column, even wide and
// combining ones.
std::size_t Columns(std::string_view text);

// Breaks one line of text at spaces into lines of at most `width` columns, each with a newline at
// its end. The first line is indented by `first_indent` spaces and the others by `indent`, in
// addition to the spaces at the beginning of `line`. A word that is too long has a line of its own.
std::string Wrapped(std::string_view line, std::size_t width, std::size_t first_indent,
                    std::size_t indent);

// Returns at most `max_lines` lines of the text, each after `prefix`, and then a line that says how
// many were left out. Equal lines in a row are shown once, with their number.
std::string Quoted(std::string_view text, std::string_view prefix, std::size_t max_lines);

}  // namespace warpcheck
