// Makes data for any template: all names that templates use, with a text that the test chooses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "report/html/page_template.h"

namespace warpcheck {

// Returns true if a file is a template; the style sheet and the script are not.
bool IsTemplate(const PageFile& file);
// Returns the name by which Rendered() knows a template.
std::string_view NameOf(const PageFile& file);

// Returns a model in which each name has the value `text`. If the bit with a name's number (modulo
// 64) is set in `absent`, the name is false, so that other sections are shown. There is no script
// and no style sheet.
PageModel ModelOfTexts(const std::string& text, std::uint64_t absent);

}  // namespace warpcheck
