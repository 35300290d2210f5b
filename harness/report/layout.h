// Lines of text for a terminal of a given width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpcheck {

// Columns that UTF-8 text takes: its characters; wide and combining ones count as one.
std::size_t Columns(std::string_view text);

// One line of text broken at spaces into lines of at most `width` columns, each ended by a newline:
// the first after `first_indent` spaces, the others after `indent`, to which the spaces that `line`
// begins with are added. A word that is too long for a line keeps one to itself.
std::string Wrapped(std::string_view line, std::size_t width, std::size_t first_indent,
                    std::size_t indent);

// At most `max_lines` lines, each after `prefix`, then how many were left out. A line that repeats
// the one before it is counted instead of shown.
std::string Quoted(std::string_view text, std::string_view prefix, std::size_t max_lines);

}  // namespace warpcheck
