// Tests the page of `warpcheck run`.
#include "report/html/run_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/page_rules.h"
#include "report/pages.h"

namespace warpcheck {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string PageOf(const std::vector<run::ProcessResult>& processes, const std::string& text) {
  return RunPage(processes, {.program = text,
                             .source = [&](const SourceLocation&) { return text; },
                             .shown_file = [](const std::string& file) { return file; }});
}

TEST(RunPage, ShowsCostsFindingsPicturesAndTheTimeline) {
  const std::string page = PageOf(PicturedRun("tiled"), "tiled");
  for (const char* part :
       {"<h1>warpcheck run: <bdi>tiled</bdi></h1>", "<h2>Process 1</h2>",
        "3 launches, grid 8x8, block 32x32, 4,096 bytes of shared memory",
        "<th scope=\"row\">tiled:17<br><code>tiled</code></th>",
        "<td class=\"number bad\" data-label=\"wavefronts\">131,072</td>",
        "<td class=\"number\" data-label=\"ideal wavefronts\">4,096</td>",
        "first in block (1, 1, 1), thread (1, 1, 1) of tiled; 32 times in total",
        "32 wavefronts, ideally 1", "as far from the ideal: 32 of 32 accesses",
        "<svg class=\"access\"", "Timeline of tiled", "was still running when the program ended",
        "7 bytes of output of kernels were never shown"}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
}

TEST(RunPage, SaysThatNothingWasDone) {
  EXPECT_THAT(PageOf({}, "x"), HasSubstr("made no call of the CUDA runtime"));
  const std::string page = PageOf({run::ProcessResult()}, "x");
  EXPECT_THAT(page, HasSubstr("No kernel was launched"));
  EXPECT_THAT(page, Not(HasSubstr("Findings")));
  EXPECT_THAT(page, Not(HasSubstr("Process 0")));
}

TEST(RunPage, IsHarmless) { ExpectHarmless(PageOf(PicturedRun(HostileText()), HostileText())); }

}  // namespace
}  // namespace warpcheck
