// Data for any template: every name that templates use, with a text of a test's own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "report/page_template.h"

namespace warpcheck {

// Whether a file is a template: the style sheet and the script are not.
bool IsTemplate(const PageFile& file);
// As Rendered() takes it.
std::string_view NameOf(const PageFile& file);

// Each name is `text`, but for those whose number has its bit set in `absent` (modulo 64): they are
// false, so that other sections are shown. There is no script and no style sheet.
PageModel ModelOfTexts(const std::string& text, std::uint64_t absent);

}  // namespace warpcheck
