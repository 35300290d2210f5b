// Text that came from a submission, as HTML in which it can be nothing but text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpcheck {

// At most `max_bytes` of UTF-8 text, cut between two characters, and "..." where it was cut.
std::string Shortened(std::string_view text, std::size_t max_bytes);

// A text as HTML takes two steps, since only the whole page tells where the text stands.
// EscapedHtml() escapes markup, and puts marks around what would not be seen: control characters,
// and those that turn the direction of writing or take no room, written as U+NNNN, bytes that are
// not UTF-8, written as \xNN. Newlines and tabs stay. FinishedHtml() reads a page, or a part of
// one, that is made of such texts. In the content of an element it makes the marks <b
// class="hidden">. In the value of an attribute, and in elements that hold text alone (title,
// option), it leaves them out, and makes spaces of newlines and tabs. It passes over style sheets
// and scripts.
std::string EscapedHtml(std::string_view text);
std::string FinishedHtml(std::string_view html);

}  // namespace warpcheck
