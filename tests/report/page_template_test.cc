// Tests the templates of pages: every value that fills them must remain text.
#include "report/html/page_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <regex>
#include <string>
#include <vector>

#include "report/markup.h"
#include "report/pages.h"
#include "report/template_model.h"

namespace warpcheck {
namespace {

using testing::HasSubstr;

// Returns the names of templates that Rendered() accepts.
std::vector<std::string> Templates() {
  std::vector<std::string> names;
  for (const PageFile& file : PageFiles()) {
    if (IsTemplate(file)) names.emplace_back(NameOf(file));
  }
  return names;
}

std::string TextOf(const std::string& name) {
  return std::string(PageText(name.find('.') == std::string::npos ? name + ".html" : name));
}

// These masks show different sections.
constexpr std::uint64_t kAbsent[] = {0,
                                     0x5555555555555555,
                                     0xaaaaaaaaaaaaaaaa,
                                     0x0f0f0f0f33333333,
                                     0xffffffff00000000,
                                     0xfffffffffffffff0};

TEST(PageTemplates, MakeTextOfWhatIsHostile) {
  const std::vector<std::string> texts = {
      HostileText(),   "\"",          "'",   "<", ">", "</title>", "{{name}}", "{{{name}}}",
      "\" onload=\"x", "\x01<b>\x02", "&lt;"};
  ASSERT_GE(Templates().size(), 25U);
  for (const std::string& name : Templates()) {
    for (const std::uint64_t absent : kAbsent) {
      const std::string expected = MarkupOf(Rendered(name, ModelOfTexts("x", absent)));
      EXPECT_THAT(expected, testing::Not(HasSubstr("broken"))) << name;
      for (const std::string& text : texts) {
        const std::string html = Rendered(name, ModelOfTexts(text, absent));
        EXPECT_EQ(MarkupOf(html), expected) << name << " with " << text;
        EXPECT_TRUE(ShowsAll(html)) << name << " with " << text;
      }
    }
  }
}

TEST(PageTemplates, HaveValuesOnlyInTextsAndInQuotes) {
  const std::regex section(R"(\{\{[#^/][^}]*\}\}|\{\{> [^}]*\}\}|\{\{\{[^}]*\}\}\})");
  const std::regex value(R"(\{\{[^}]*\}\})");
  for (const std::string& name : Templates()) {
    const std::string text =
        std::regex_replace(std::regex_replace(TextOf(name), section, ""), value, "VALUE");
    EXPECT_THAT(MarkupOf(text), testing::Not(HasSubstr("VALUE"))) << name;
  }
  EXPECT_THAT(MarkupOf("<p class=VALUE>"), HasSubstr("VALUE"));
}

// Looks for markup through which a text could become code, or which a browser's policy would block.
TEST(PageTemplates, EscapeEveryValueAndRunNothing) {
  const std::regex bad(
      R"(\{\{\{|\{\{ *&|<script| style=| on[a-z]+=|javascript:|(href|src)=.https?:)");
  for (const std::string& name : Templates()) {
    std::string text = TextOf(name);
    if (name == "head")
      text = std::regex_replace(text, std::regex(R"(\{\{\{document\.style\}\}\})"), "");
    if (name == "foot") {
      text = std::regex_replace(text, std::regex(R"(<script>\{\{\{document\.script\}\}\})"), "");
    }
    EXPECT_FALSE(std::regex_search(text, bad)) << name;
  }
}

TEST(PageTemplates, LeaveNoEmptyLineForASection) {
  PageModel model = {{"sentences", {"a", "b"}}};
  EXPECT_EQ(Rendered("sentences", model), "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n");
  model["sentences"] = PageModel::array();
  EXPECT_EQ(Rendered("sentences", model), "<ul>\n</ul>\n");
}

TEST(PageTemplates, TakeAnEmptyTextForNo) {
  PageModel place = {{"anchor", ""}, {"text", "t.cu:1"}, {"code", "x"}};
  EXPECT_EQ(Rendered("place", place), "<p>t.cu:1 <code>x</code></p>\n");
  place["anchor"] = "f1-1";
  EXPECT_EQ(Rendered("place", place), "<p><a href=\"#f1-1\">t.cu:1</a> <code>x</code></p>\n");
}

TEST(PageTemplatesDeathTest, WantEveryName) {
  EXPECT_DEATH(Rendered("bar", PageModel::object()), "a template uses the name bar");
  EXPECT_DEATH(Rendered("no_such", PageModel::object()), "no_such");
}

}  // namespace
}  // namespace warpcheck
