// What all pages have in common: one look, no script, no network.
#pragma once

#include <string>
#include <string_view>

#include "results/results.h"

namespace warpcheck {

// A whole document. `title` is plain text, `body` HTML. Its policy (CSP) allows its own style sheet
// and nothing else, so that not even what escapes all escaping can run or load anything.
std::string HtmlPage(std::string_view title, std::string_view body);

// "lost", in its colour, as HTML.
std::string HtmlVerdict(Verdict verdict);

// A bar of `part` in `whole`, as HTML that is read to nobody: the numbers stand beside it.
std::string HtmlBar(double part, double whole);

}  // namespace warpcheck
