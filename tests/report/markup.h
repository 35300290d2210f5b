// Finds the markup of a page without its texts, to compare two pages that a template makes from
// different texts.
#pragma once

#include <string>
#include <string_view>

namespace warpcheck {

// Returns the tags of a page in their order, with their attributes but without the attributes'
// values: <a href="">. Leaves out <b class="hidden"> and its end, because texts may have them. In a
// page of ours, '<' and '>' occur only around tags, and '"' only around the values of attributes.
// For any other page, the result ends with "broken at <byte>: <what stands there>".
std::string MarkupOf(std::string_view html);

// Returns true if a reader can see every character of the page (IsPrintable).
bool ShowsAll(std::string_view html);

}  // namespace warpcheck
