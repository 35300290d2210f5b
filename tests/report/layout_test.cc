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

CaseResult Lost(const std::string& name, ComplaintKind kind, int line, const std::string& message,
                const std::string& about = {}) {
  CaseResult result;
  result.name = name;
  result.verdict = Verdict::kFailed;
  Complaint& complaint = result.complaints.emplace_back();
  complaint.message = message;
  complaint.kind = kind;
  complaint.about = about;
  complaint.where.file = "a.cu";
  complaint.where.line = line;
  return result;
}

TEST(Folds, PutOneMistakeTogether) {
  CriterionGrade criterion;
  using enum ComplaintKind;
  // No two sentences have a word in common, and two that are two mistakes are equal.
  criterion.cases = {Lost("S/T.A/1x1", kOutOfBoundsRead, 3, "reads 4 bytes past the end\nmore"),
                     Lost("S/T.A/2x2", kOutOfBoundsRead, 3, "liest hinter dem Ende"),
                     Lost("S/T.A/3x3", kOutOfBoundsRead, 4, "reads 4 bytes past the end\nmore"),
                     Lost("T.Plain", kOutOfBoundsWrite, 3, "reads 4 bytes past the end\nmore"),
                     Lost("T.Slow", kMissedTarget, 3, "too much", "global memory"),
                     Lost("T.Slower", kMissedTarget, 3, "zu viel", "global memory"),
                     Lost("T.Banks", kMissedTarget, 3, "too much", "shared memory")};
  const std::vector<ComplaintGroup> groups = GroupComplaints(criterion);
  ASSERT_EQ(groups.size(), 5U);
  EXPECT_THAT(groups[0].cases, testing::ElementsAre("Plain")) << "the cause comes first";
  EXPECT_THAT(groups[1].cases, testing::ElementsAre("1x1", "2x2"));
  EXPECT_EQ(groups[1].complaint, &criterion.cases[0].complaints[0]);
  EXPECT_THAT(groups[2].cases, testing::ElementsAre("3x3"));
  EXPECT_THAT(groups[3].cases, testing::ElementsAre("Slow", "Slower"));
  EXPECT_THAT(groups[4].cases, testing::ElementsAre("Banks"));
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
