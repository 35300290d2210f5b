// Turns text that came from a submission into HTML that contains it only as text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpcheck {

// Returns at most `max_bytes` of UTF-8 text, cut between two characters, followed by "..." if it
// was cut.
std::string Shortened(std::string_view text, std::size_t max_bytes);

// Escaping takes two steps, because only the whole page tells where a text stands.
//
// EscapedHtml() escapes markup, and encloses in marks the names of characters that a reader would
// not see. Control characters, and characters that take no space or change the direction of
// writing, are written as U+NNNN, and bytes that are not UTF-8 as \\xNN. Newlines and tabs stay.
//
// FinishedHtml() reads a page, or a part of one, that contains such texts. In the content of an
// element it turns the marks into <b class="hidden">. In the value of an attribute, and in elements
// that contain only text (title, option), it drops the marks, and replaces newlines and tabs by
// spaces. It skips style sheets and scripts.
std::string EscapedHtml(std::string_view text);
std::string FinishedHtml(std::string_view html);

}  // namespace warpcheck
