#include "report/page_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <set>

#include "base/files.h"
#include "base/text/utf8.h"
#include "report/html/page_template.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// Returns the elements of a page, each once.
std::set<std::string> Markup(const std::string& html) {
  static const std::regex kTag("<([a-z0-9!]+)((?: [a-z-]+=\"[^\"<>]*\")*)/?>");
  std::set<std::string> markup;
  for (std::sregex_iterator at(html.begin(), html.end(), kTag); at != std::sregex_iterator();
       ++at) {
    markup.insert((*at)[1]);
  }
  return markup;
}

}  // namespace

void ExpectPage(const std::string& html, const fs::path& golden) {
  const std::size_t begin = html.find("<body>");
  const std::string text = html.substr(begin, html.find("<script>") - begin);
  if (std::getenv("WARPCHECK_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(WriteFile(golden, text));
    return;
  }
  const auto expected = ReadFile(golden);
  ASSERT_TRUE(expected) << expected.error().Text();
  EXPECT_EQ(text, *expected);
}

void ExpectHarmless(std::string html) {
  if (const std::size_t ours = html.find(PageText("class.js")); ours != std::string::npos) {
    html.erase(ours - 8, PageText("class.js").size() + 17);
  }
  EXPECT_LT(html.size(), std::size_t{16} << 20);
  EXPECT_TRUE(IsUtf8(html));
  EXPECT_THAT(
      Markup(html),
      testing::IsSubsetOf(
          {"html",    "head",       "meta",    "link",   "title",  "style",  "body",
           "a",       "nav",        "main",    "h1",     "h2",     "p",      "svg",
           "rect",    "table",      "caption", "thead",  "tbody",  "tr",     "th",
           "td",      "blockquote", "code",    "pre",    "span",   "strong", "b",
           "bdi",     "br",         "ul",      "li",     "dl",     "dt",     "dd",
           "details", "summary",    "figure",  "text",   "line",   "div",    "label",
           "input",   "path",       "section", "select", "option", "button", "figcaption"}));
  for (const char* bad :
       {"<script", "<img", "href=\"javascript:", " onerror=\"", "<iframe", "\xe2\x80\xae"}) {
    EXPECT_THAT(html, Not(HasSubstr(bad)));
  }
  // Outside of the style sheet, every '<' must begin a tag that our templates write.
  static const std::regex kForeign("<(?!/?[a-z0-9]+[ >/]|!DOCTYPE)");
  const std::string body = html.substr(html.find("<body>"));
  EXPECT_FALSE(std::regex_search(body, kForeign));
}

}  // namespace warpcheck
