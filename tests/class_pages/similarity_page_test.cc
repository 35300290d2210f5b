// Tests the pages of similar submissions. tests/batch/similar_test.cc tests how a batch makes them.
#include "class_pages/similarity_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "report/pages.h"

namespace warpcheck {
namespace {

using similarity::Comparison;
using similarity::Program;
using testing::HasSubstr;
using testing::Not;

std::string Code(const std::string& name) {
  std::string text;
  for (std::size_t i = 0; i < 12; ++i)
    text += name + "[i] += a * b + c" + std::string(i, '-') + " d;\n";
  return text;
}

TEST(SimilarityPage, ShowsPairsSideBySide) {
  const Comparison comparison({{.id = "anna", .sources = {{"t.cu", Code("x")}}},
                               {.id = "bert", .sources = {{"t.cu", "// mine\n" + Code("total")}}},
                               {.id = "carl", .sources = {{"t.cu", "int* p = q;\n"}}},
                               {.id = "dora"}},
                              {});
  const SimilarityPage page{.title = "Transpose",
                            .comparison = &comparison,
                            .pairs = comparison.Pairs(),
                            .identical = {{"anna", "emil"}}};
  ASSERT_FALSE(page.pairs.empty());
  ASSERT_TRUE(page.pairs[0].named());
  const std::string all = HtmlSimilarityPage(page);
  EXPECT_THAT(all, HasSubstr("1 pair named, of 4 submissions"));
  EXPECT_THAT(all, HasSubstr("<a href=\"similar/1.html\"><bdi>anna</bdi> and <bdi>bert</bdi></a>"));
  EXPECT_THAT(all, HasSubstr("<li><bdi>anna, emil</bdi></li>"));
  // This student wrote nothing beyond the skeleton.
  EXPECT_THAT(all, HasSubstr("<li><bdi>dora</bdi></li>"));
  EXPECT_THAT(all, HasSubstr("not a verdict"));
  const std::string pair = HtmlPairPage(page, 0);
  EXPECT_THAT(pair, HasSubstr("<tr id=\"a0-1\" class=\"marked\"><th scope=\"row\">1</th>"));
  EXPECT_THAT(pair, HasSubstr("<a href=\"#b0-2\">line 2</a>"));
  // The line of the comment.
  EXPECT_THAT(pair, HasSubstr("<tr id=\"b0-1\"><th scope=\"row\">1</th>"));
}

TEST(SimilarityPage, ShowsWhatIsHostileAsText) {
  const std::string source = HostileText() + "\n" + Code("x") + "\xff</td></table>";
  const Comparison comparison({{.id = HostileText(), .sources = {{HostileText(), source}}},
                               {.id = HostileText() + "2", .sources = {{"t.cu", source}}}},
                              {});
  const SimilarityPage page{.title = HostileText(),
                            .comparison = &comparison,
                            .pairs = comparison.Pairs(),
                            .identical = {{HostileText()}}};
  ASSERT_EQ(page.pairs.size(), 1U);
  for (const std::string& html : {HtmlSimilarityPage(page), HtmlPairPage(page, 0)}) {
    EXPECT_THAT(html, Not(HasSubstr("<script")));
    EXPECT_THAT(html, Not(HasSubstr("<img")));
    EXPECT_THAT(html, Not(HasSubstr("\xe2\x80\xae")));
    EXPECT_THAT(html, HasSubstr("default-src 'none'"));
  }
}

}  // namespace
}  // namespace warpcheck
