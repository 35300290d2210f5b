#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/clean_text.h"
#include "report/complaint_groups.h"
#include "report/terminal/terminal_text.h"

namespace warpcheck {
namespace {

TEST(Layout, WrapsAtSpacesWithHangingIndents) {
  EXPECT_EQ(Wrapped("one two three four", 12, 2, 4), "  one two\n    three\n    four\n");
  EXPECT_EQ(Wrapped("  one two", 8, 0, 2), "  one\n    two\n");
  EXPECT_EQ(Wrapped("unbreakable", 4, 0, 2), "unbreakable\n");
  EXPECT_EQ(Wrapped("\xc3\xa4\xc3\xa4 \xc3\xb6\xc3\xb6", 5, 0, 0),
            "\xc3\xa4\xc3\xa4 \xc3\xb6\xc3\xb6\n");
  EXPECT_EQ(Wrapped("", 10, 0, 2), "\n");
}

TEST(Layout, QuotesWithinBoundsAndCountsRepeats) {
  EXPECT_EQ(Quoted("a\na\nb\n\nc\n", "| ", 3), "| a  (2 times)\n| b\n|\n| ... and 1 more\n");
  EXPECT_EQ(Quoted("", "| ", 3), "");
}

TEST(CleanText, DropsEscapeSequencesAndWhatTurnsTheText) {
  EXPECT_EQ(CleanText("\x1b[2Jred \x1b[1;31mtext\x1b[0m\x1b"), "red text");
  EXPECT_EQ(CleanText("a\xe2\x80\xae"
                      "b\r\n\tc"),
            "ab\n\tc");
  EXPECT_EQ(CleanText("pa\xe2\x80\x8bssed\xf3\xa0\x81\xa1"), "passed") << "as on a page";
  EXPECT_EQ(CleanText("\x1b[31"), "");
  EXPECT_EQ(CleanText("abcdef", 3), "abc...");
}

CaseResult Lost(const std::string& name, const std::string& message, int line) {
  CaseResult result;
  result.name = name;
  result.verdict = Verdict::kFailed;
  Complaint& complaint = result.complaints.emplace_back();
  complaint.message = message;
  complaint.where.file = "a.cu";
  complaint.where.line = line;
  return result;
}

TEST(Folds, PutOneMistakeTogether) {
  CriterionGrade criterion;
  criterion.cases = {Lost("S/T.A/1x1", "reads 4 bytes at 0xff00, 12 past the end\nmore", 3),
                     Lost("S/T.A/2x2", "reads 8 bytes at 0xabc, 1,004 past the end", 3),
                     Lost("S/T.A/3x3", "reads 8 bytes at 0xabc, 1,004 past the end", 4),
                     Lost("T.Plain", "writes 8 bytes at 0xabc, 1,004 past the end", 3)};
  const std::vector<ComplaintGroup> groups = GroupComplaints(criterion);
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_THAT(groups[0].cases, testing::ElementsAre("1x1", "2x2"));
  EXPECT_EQ(groups[0].complaint, &criterion.cases[0].complaints[0]);
  EXPECT_THAT(groups[1].cases, testing::ElementsAre("3x3"));
  EXPECT_THAT(groups[2].cases, testing::ElementsAre("Plain"));
}

TEST(SourceLine, FindsFilesInFolders) {
  Attempt attempt;
  attempt.sources["src/a.cu"] = "one;\n\tout[i]\t= 0;  \r\n";
  const auto line = [&](const std::string& file, int number) {
    SourceLocation where;
    where.file = file;
    where.line = number;
    return SourceLine(attempt, where);
  };
  EXPECT_EQ(line("src/a.cu", 2), "out[i] = 0;");
  EXPECT_EQ(line("a.cu", 1), "one;");
  EXPECT_EQ(line("/submission/src/a.cu", 1), "one;");
  EXPECT_EQ(line("ba.cu", 1), "");
  EXPECT_EQ(line("u", 1), "");
  EXPECT_EQ(line("a.cu", 9), "");
  EXPECT_EQ(line("a.cu", 0), "");
  EXPECT_EQ(line("", 1), "");
}

}  // namespace
}  // namespace warpcheck
