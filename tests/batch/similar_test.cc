// Tests `warpcheck batch --similar` as a person uses it. A stub grades by the words of the texts,
// and nvcc makes the PTX.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <filesystem>
#include <string>

#include "base/files.h"
#include "batch/command_rig.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class SimilarTest : public BatchProgramTest {
 protected:
  // Returns the text of a file of the project.
  static std::string Text(const std::string& path) {
    return ReadFile(fs::path(WARPCHECK_SOURCE_DIR) / path).value();
  }

  void HandInAll() {
    const std::string original = Text("tests/submissions/transpose/passed/persistent_blocks.cu");
    HandIn("anna", original);
    HandIn("bert", Text("tests/similarity/data/disguised/transpose/persistent_blocks.renamed.cu"));
    HandIn("carl", Text("tests/submissions/transpose/passed/large_tile.cu"));
    HandIn("dora", Text("student_template/transpose.cu"));
    HandIn("emil", Text("student_template/transpose.cu") + "// not begun yet\n");
    HandIn("fred", original);
    HandIn("gina", original + "</script><script>alert(1)</script> does not compile");
  }
};

TEST_F(SimilarTest, NamesPairsForInstructorsAlone) {
  HandInAll();
  ASSERT_EQ(StatusOf(Start("out", {"--similar", "--jobs", "2"})), 0) << Output("log");
  const std::string table = Output("out/similar.csv");
  EXPECT_THAT(table, HasSubstr("anna,bert,yes,1.000,1.000,"));
  EXPECT_THAT(table, HasSubstr("anna,gina,yes,1.000,,"));  // only their texts are compared
  EXPECT_THAT(table, Not(ContainsRegex("carl,([a-z]+,)?yes")));
  EXPECT_THAT(table, Not(HasSubstr("dora")));
  const std::string page = Output("out/similar.html");
  EXPECT_THAT(page, HasSubstr("<li><bdi>anna, fred</bdi></li>"));
  EXPECT_THAT(page, HasSubstr("Nothing of their own"));
  EXPECT_THAT(page, HasSubstr("not a verdict"));
  const std::string pair = Output("out/similar/1.html");
  EXPECT_THAT(pair, HasSubstr("class=\"marked\""));
  for (const auto& file : fs::directory_iterator(folder_.path() / "out/similar")) {
    EXPECT_THAT(ReadFile(file.path()).value(), Not(HasSubstr("<script")));
  }
  EXPECT_THAT(Output("out/index.html"), HasSubstr("href=\"similar.html\""));
  for (const char* const folder : {"students", "class", "feedback", "junit", "json"}) {
    for (const auto& file : fs::directory_iterator(folder_.path() / "out" / folder)) {
      EXPECT_THAT(ReadFile(file.path()).value(), Not(HasSubstr("imilar"))) << file.path();
    }
  }
}

TEST_F(SimilarTest, IsOffUnlessAskedFor) {
  HandInAll();
  ASSERT_EQ(StatusOf(Start("out")), 0) << Output("log");
  EXPECT_FALSE(fs::exists(folder_.path() / "out/similar.html"));
  EXPECT_THAT(Output("out/index.html"), Not(HasSubstr("similar")));
  // This is a later run, which grades no student again.
  const std::string grades = Output("out/grades.csv");
  const std::string journal = Output("out/journal");
  ASSERT_EQ(StatusOf(Start("out", {"--resume", "--similar"})), 0) << Output("log");
  EXPECT_TRUE(fs::exists(folder_.path() / "out/similar.html"));
  EXPECT_EQ(Output("out/grades.csv"), grades);
  EXPECT_EQ(Output("out/journal"), journal);
}

TEST_F(SimilarTest, SaysThatOneStudentIsLikeNobody) {
  HandIn("anna", Text("tests/submissions/transpose/passed/large_tile.cu"));
  ASSERT_EQ(StatusOf(Start("out", {"--similar"})), 0) << Output("log");
  EXPECT_THAT(Output("out/similar.html"), HasSubstr("0 pairs named, of 1 submission"));
  EXPECT_THAT(Output("out/similar.csv"), Not(HasSubstr(",yes,")));
}

TEST_F(SimilarTest, NamesWhoHasTheReference) {
  std::string taken = Text("reference/transpose.cu");
  RE2::GlobalReplace(&taken, "//.*", "");
  RE2::GlobalReplace(&taken, R"(\btile\b)", "words");
  HandIn("hans", taken);
  HandIn("carl", Text("tests/submissions/transpose/passed/large_tile.cu"));
  ASSERT_EQ(StatusOf(Start("out", {"--similar"})), 0) << Output("log");
  const std::string table = Output("out/similar.csv");
  EXPECT_THAT(table, HasSubstr("hans,(the reference),yes,1.000,1.000,"));
  EXPECT_THAT(table, Not(ContainsRegex("carl,([^,]+,)?yes")));
  EXPECT_THAT(Output("out/similar.html"), HasSubstr("1 pair named, of 2 submissions"));
}

}  // namespace
}  // namespace warpcheck::batch
