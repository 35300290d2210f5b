// What all pages have in common: one look, no network, and a script where it is one of ours.
#pragma once

#include <string>
#include <string_view>

#include "results/results.h"

namespace warpcheck {

struct PageExtras {
  std::string_view script{};  // runs once the page is there; empty for none
  int refresh = 0;            // the page reads itself again after so many seconds; 0: never
};

// A whole document. `title` is plain text, `body` HTML. Its policy (CSP) allows its own style sheet
// and script by their hashes, and nothing else, so that not even what escapes all escaping can run
// or load anything.
std::string HtmlPage(std::string_view title, std::string_view body, const PageExtras& extras = {});

// "lost"; and in its colour, as HTML.
std::string_view VerdictWord(Verdict verdict);
std::string HtmlVerdict(Verdict verdict);

// A bar of `part` in `whole`, as HTML that is read to nobody: the numbers stand beside it.
std::string HtmlBar(double part, double whole);

}  // namespace warpcheck
