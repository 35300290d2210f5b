// Makes the frame that all pages have: one style, no network access, and at most one script of
// ours.
#pragma once

#include <string>
#include <string_view>

#include "report/html/page_template.h"
#include "results/results.h"

namespace warpcheck {

struct PageExtras {
  std::string_view script{};  // a file of pages/ that runs when the page has loaded; may be empty
  int refresh = 0;            // the page reloads itself after so many seconds; 0: never
};

// Returns a whole document: the template `<name>.html` filled with `model`. The template begins
// with {{> head}} and ends with {{> foot}}, for which "document" is added to the model. `title` is
// plain text. The page's policy (CSP) allows only its own style sheet and script, by their hashes.
// Therefore even text that was not escaped cannot run or load anything.
std::string HtmlPage(std::string_view name, std::string_view title, PageModel model,
                     const PageExtras& extras = {});

// Returns the verdict in one word, such as "lost".
std::string_view VerdictWord(Verdict verdict);
PageModel VerdictModel(Verdict verdict);

// Returns the length of a bar for `part` of `whole` in percent, for "bar" of {{> bar}}. Screen
// readers skip the bar, because the numbers stand beside it.
std::string BarLength(double part, double whole);

}  // namespace warpcheck
