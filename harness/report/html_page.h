// What all pages have in common: one look, no network, and a script where it is one of ours.
#pragma once

#include <string>
#include <string_view>

#include "report/page_template.h"
#include "results/results.h"

namespace warpcheck {

struct PageExtras {
  std::string_view script{};  // a file of pages/, which runs once the page is there; may be empty
  int refresh = 0;            // the page reads itself again after so many seconds; 0: never
};

// A whole document: the template `<name>.html`, which begins with {{> head}} and ends with {{>
// foot}}, filled with `model`, to which "document" is added, what these two need. `title` is plain
// text. The page's policy (CSP) allows its own style sheet and script by their hashes, and nothing
// else, so that not even what escapes all escaping can run or load anything.
std::string HtmlPage(std::string_view name, std::string_view title, PageModel model,
                     const PageExtras& extras = {});

// "lost"; and with its colour, for {{> verdict}}, which needs it under the name "result".
std::string_view VerdictWord(Verdict verdict);
PageModel VerdictModel(Verdict verdict);

// How long a bar of `part` in `whole` is, in percent: "bar" of {{> bar}}. The picture is read to
// nobody: the numbers stand beside it.
std::string BarLength(double part, double whole);

}  // namespace warpcheck
