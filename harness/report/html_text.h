// Text that came from a submission, as HTML in which it can be nothing but text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpcheck {

// At most `max_bytes` of UTF-8 text, cut between two characters, and "..." where it was cut.
std::string Shortened(std::string_view text, std::size_t max_bytes);

// The content of an element: markup is escaped, and what would not be seen is shown in <b
// class="hidden">: control characters, and those that turn the direction of writing or take no
// room, as U+NNNN, bytes that are not UTF-8 as \xNN. Newlines and tabs stay. The text is
// Shortened() to `max_bytes` first.
std::string HtmlText(std::string_view text, std::size_t max_bytes = 8192);

// The same in two steps, for templates, where only the whole page tells where a text stands.
// EscapedHtml() escapes markup, and puts marks around what would not be seen. FinishedHtml() reads
// a page, or a part of one, that is made of such texts. In the content of an element it makes the
// marks <b class="hidden">. In the value of an attribute, and in elements that hold text alone
// (title, option), it leaves them out, and makes spaces of newlines and tabs. It passes over style
// sheets and scripts.
std::string EscapedHtml(std::string_view text);
std::string FinishedHtml(std::string_view html);

}  // namespace warpcheck
