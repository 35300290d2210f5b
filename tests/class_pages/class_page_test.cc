// Tests the page of a class: its golden file, its script, and that texts of students remain text in
// it. tests/browser opens it in a browser.
#include "class_pages/class_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "class_pages/classes.h"
#include "report/html/page_template.h"
#include "report/page_rules.h"

namespace warpcheck {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ClassPages, AreAsExpected) {
  ExpectPage(HtmlClassPage(TypicalClass()),
             std::filesystem::path(WARPCHECK_TEST_DATA) / "class.html");
  ;
}

TEST(ClassPages, AreThereForNobodyAndForNoPoints) {
  ClassPage page = TypicalClass();
  page.max_score = Points();
  for (ClassPage::Row& row : page.rows) row.score = Points();
  EXPECT_THAT(HtmlClassPage(page), HasSubstr("all points: 5 students"));
  page.rows.clear();
  page.identical.clear();
  EXPECT_THAT(HtmlClassPage(page), HasSubstr("<p>0 students; begun"));
}

TEST(ClassPages, AllowNothingButTheirOwnStyleAndScript) {
  const std::string html = HtmlClassPage(TypicalClass());
  EXPECT_THAT(html, HasSubstr("content=\"default-src 'none'; style-src 'sha256-"));
  EXPECT_THAT(html, HasSubstr("'; script-src 'sha256-"));
  EXPECT_THAT(html, Not(HasSubstr("unsafe")));
  EXPECT_THAT(html, HasSubstr("<title>Matrix transpose</title>"));
}

// Only C++ writes markup; the script must not.
TEST(ClassPages, HaveAScriptThatMakesNoMarkup) {
  for (const char* bad : {"innerHTML", "outerHTML", "insertAdjacentHTML", "eval", "Function(",
                          "document.write", "fetch", "XMLHttpRequest", "</script", "<!--"}) {
    EXPECT_EQ(PageText("class.js").find(bad), std::string_view::npos) << bad;
  }
}

TEST(ClassPages, HoldNothingButTextOfHostileStudents) {
  ExpectHarmless(HtmlClassPage(HostileClass()));
}

}  // namespace
}  // namespace warpcheck
