// Text that came from a submission, as HTML in which it can be nothing but text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpcheck {

// For the content of an element: markup is escaped, and what would not be seen is shown in <b
// class="hidden">: control characters, and those that turn the direction of writing or take no
// room, as U+NNNN, bytes that are not UTF-8 as \xNN. Newlines and tabs stay. At most `max_bytes` of
// the text, then "...".
std::string HtmlText(std::string_view text, std::size_t max_bytes = 8192);

// For the value of an attribute between '"': the same without elements, on one line.
std::string HtmlAttribute(std::string_view text, std::size_t max_bytes = 1024);

}  // namespace warpcheck
