// The markup of a page without its texts, to compare the pages that two texts make of one
// template.
#pragma once

#include <string>
#include <string_view>

namespace warpcheck {

// The tags of a page in their order, with their attributes and without the attributes' values:
// <a href="">. <b class="hidden"> and its end are left out: texts may have them. A page that is not
// written as ours are gives "broken at <byte>: <what stands there>" at the end: '<' and '>' only
// around tags, '"' around the values of attributes and nowhere in a tag else.
std::string MarkupOf(std::string_view html);

// Returns true if a reader can see every character of the page (IsPrintable).
bool ShowsAll(std::string_view html);

}  // namespace warpcheck
