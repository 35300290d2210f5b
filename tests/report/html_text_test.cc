// Tests texts of submissions in HTML: they must be escaped, and invisible characters must be shown.
#include "report/html/html_text.h"

#include <gtest/gtest.h>

#include <string>

namespace warpcheck {
namespace {

std::string InElement(const std::string& text) { return FinishedHtml(EscapedHtml(text)); }

std::string InAttribute(const std::string& text) {
  return FinishedHtml("<a b=\"" + EscapedHtml(text) + "\">");
}

TEST(EscapedHtml, EscapesMarkup) {
  EXPECT_EQ(InElement("<a href=\"x\" b='y'>&amp;</a>"),
            "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;");
  EXPECT_EQ(InAttribute("\"><script>\n"), "<a b=\"&quot;&gt;&lt;script&gt; \">");
}

TEST(EscapedHtml, ShowsWhatWouldNotBeSeen) {
  EXPECT_EQ(InElement(std::string("\0\x1b[2J\x7f", 6)),
            "<b class=\"hidden\">U+0000</b><b class=\"hidden\">U+001B</b>[2J<b "
            "class=\"hidden\">U+007F</b>");
  EXPECT_EQ(InElement("a\xe2\x80\xae"
                      "b\xe2\x80\x8b\xef\xbb\xbf"),
            "a<b class=\"hidden\">U+202E</b>b<b class=\"hidden\">U+200B</b><b "
            "class=\"hidden\">U+FEFF</b>");
  EXPECT_EQ(InElement("\xff\xc0\x80"),
            "<b class=\"hidden\">\\xff</b><b class=\"hidden\">\\xc0</b><b "
            "class=\"hidden\">\\x80</b>");
  EXPECT_EQ(InAttribute("\xe2\x80\xae\x01"), "<a b=\"U+202EU+0001\">");
}

TEST(EscapedHtml, LeavesTextAlone) {
  EXPECT_EQ(InElement("J\xc3\xb6rg \xe7\x8e\x8b\tx\ny"), "J\xc3\xb6rg \xe7\x8e\x8b\tx\ny");
  EXPECT_EQ(InElement("a\r\nb\rc"), "a\nb<b class=\"hidden\">U+000D</b>c");
}

TEST(Shortened, CutsBetweenCharacters) {
  EXPECT_EQ(Shortened("abc", 3), "abc");
  EXPECT_EQ(Shortened("abcd", 3), "abc...");
  EXPECT_EQ(Shortened("ab\xc3\xb6", 3), "ab...");
  EXPECT_EQ(Shortened("ab\r\nc", 3), "ab...") << "half of a line's end is not shown";
}

// Marks in a text must not be read as the marks of EscapedHtml().
TEST(FinishedHtml, TakesNoMarksFromTexts) {
  EXPECT_EQ(InElement("\x01x\x02"),
            "<b class=\"hidden\">U+0001</b>x<b class=\"hidden\">U+0002</b>");
}

TEST(FinishedHtml, MakesNoElementsWhereOnlyTextMayStand) {
  const std::string text = EscapedHtml("a\x7f\nb");
  EXPECT_EQ(FinishedHtml("<title>" + text + "</title><p>" + text + "</p>"),
            "<title>aU+007F b</title><p>a<b class=\"hidden\">U+007F</b>\nb</p>");
  EXPECT_EQ(FinishedHtml("<option value=\"" + text + "\">" + text + "</option>" + text),
            "<option value=\"aU+007F b\">aU+007F b</option>a<b class=\"hidden\">U+007F</b>\nb");
}

TEST(FinishedHtml, PassesOverStyleSheetsAndScripts) {
  const std::string html =
      "<style>a::after { content: \"\n\" }</style><script>if (a<b) '\"'\n</script>";
  EXPECT_EQ(FinishedHtml(html + "<i title=\"" + EscapedHtml("\x7f\n") + "\">"),
            html + "<i title=\"U+007F \">");
  EXPECT_EQ(FinishedHtml("<script>a\n<b"), "<script>a\n<b") << "without an end";
}

}  // namespace
}  // namespace warpcheck
