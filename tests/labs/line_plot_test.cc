#include "lab/report/line_plot.h"

#include <gmock/gmock.h>
#include <tinyxml2.h>

namespace warpcheck {
namespace {

using testing::HasSubstr;
using testing::Not;

LinePlot Plot() {
  LinePlot plot;
  plot.title = "a < b & c";
  plot.x_label = "n";
  plot.y_label = "GB/s";
  plot.places = {"256", "512", "1024"};
  plot.lines = {{"first", {100, 200, 400}}, {"\"copy\"", {250, std::nullopt, 500}, true}};
  return plot;
}

TEST(LinePlot, IsWellFormedXmlWithEveryName) {
  const std::string svg = SvgOf(Plot());
  tinyxml2::XMLDocument document;
  ASSERT_EQ(document.Parse(svg.c_str()), tinyxml2::XML_SUCCESS) << document.ErrorStr();
  ASSERT_NE(document.FirstChildElement("svg"), nullptr);
  EXPECT_STREQ(document.FirstChildElement("svg")->FirstChildElement("title")->GetText(),
               "a < b & c");
  for (const char* text : {">256<", ">1024<", ">first<", ">&quot;copy&quot;<", ">GB/s<", ">500<"}) {
    EXPECT_THAT(svg, HasSubstr(text));
  }
}

// The value 0 lies at the bottom of the area, 364, and 500 at its top, 48. The three places share
// its width.
TEST(LinePlot, PutsValuesWhereTheyBelong) {
  const std::string svg = SvgOf(Plot());
  EXPECT_THAT(svg, HasSubstr("d=\"M151.3 300.8L310.0 237.6L468.7 111.2\""));
  EXPECT_THAT(svg, HasSubstr("stroke-dasharray=\"6 5\" d=\"M151.3 206.0M468.7 48.0\""));
}

TEST(LinePlot, GivesLinesDifferentMarks) {
  const std::string svg = SvgOf({"t", "x", "y", {"1"}, {{"a", {1}}, {"b", {2}}}});
  EXPECT_THAT(svg, HasSubstr("m-3.6 0a3.6"));
  EXPECT_THAT(svg, HasSubstr("m-3.3 -3.3h6.6"));
}

// Text that does not fit is broken into lines, and what comes below moves down.
TEST(LinePlot, BreaksLongTitlesAndNames) {
  LinePlot plot = Plot();
  plot.title = "Sectors loaded from global memory by shape, version in shared memory: NVIDIA H200";
  plot.lines.front().name = "numbers that are sorted at once = 16";
  const std::string svg = SvgOf(plot);
  EXPECT_THAT(svg, HasSubstr("y=\"18\" class=\"title\">Sectors loaded"));
  EXPECT_THAT(svg, HasSubstr("y=\"38\" class=\"title\">memory: NVIDIA H200</text>"));
  EXPECT_THAT(svg, HasSubstr("y=\"62\">numbers that are sorted</text>"));
  EXPECT_THAT(svg, HasSubstr("y=\"78\">at once = 16</text>"));
  EXPECT_THAT(svg, HasSubstr("y=\"102\">&quot;copy&quot;</text>"));
}

TEST(LinePlot, ReadsOnDarkPagesToo) {
  EXPECT_THAT(SvgOf(Plot()), HasSubstr("prefers-color-scheme: dark"));
}

TEST(LinePlot, DrawsNothingWhereThereIsNothing) {
  const std::string svg = SvgOf({"empty", "x", "y", {}, {{"none", {}}}});
  tinyxml2::XMLDocument document;
  EXPECT_EQ(document.Parse(svg.c_str()), tinyxml2::XML_SUCCESS);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("d=\"\"")));
  EXPECT_THAT(svg, Not(HasSubstr(">none<"))) << "the legend has a line that is not drawn";
}

TEST(LinePlot, ChoosesRoundTicks) {
  EXPECT_DOUBLE_EQ(TickStep(500), 100);
  EXPECT_DOUBLE_EQ(TickStep(4100), 1000);
  EXPECT_DOUBLE_EQ(TickStep(0.7), 0.2);
  EXPECT_DOUBLE_EQ(TickStep(7), 2);
  EXPECT_DOUBLE_EQ(TickStep(21), 5);
  EXPECT_DOUBLE_EQ(TickStep(0), 1);
  EXPECT_DOUBLE_EQ(TickStep(-3), 1);
}

}  // namespace
}  // namespace warpcheck
