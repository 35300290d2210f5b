#include "grading/assignments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grading/temporary_folder.h"

namespace warpcheck {
namespace {

class AssignmentsTest : public testing::Test {
 protected:
  void Add(const std::string& name) {
    home_.Write("assignments/" + name + "/rubric.toml", "");
    home_.Write("assignments/" + name + "/" + name + ".h", "");
    home_.Write("bin/" + name + "_checks", "");
  }
  std::string ErrorOf(std::string_view name) {
    const auto found = FindAssignment({{home_.path(), home_.path() / "bin"}}, name);
    return found ? "found " + found->name : found.error().Text();
  }
  TemporaryFolder home_;
};

TEST_F(AssignmentsTest, AreFoundByName) {
  Add("transpose");
  Add("reduction");
  home_.Write("assignments/notes/README.md", "no assignment: it has no rubric");
  const auto all = ListAssignments({{home_.path(), "/bin"}});
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 2U);
  EXPECT_EQ(all->front().name, "reduction");
  EXPECT_EQ(all->back().checks, "/bin/transpose_checks");
  EXPECT_EQ(ErrorOf("transpose"), "found transpose");
}

TEST_F(AssignmentsTest, OfOneNameTheFirstCoursesCounts) {
  Add("transpose");
  TemporaryFolder other;
  other.Write("assignments/transpose/rubric.toml", "");
  other.Write("assignments/saxpy/rubric.toml", "");
  const auto all = ListAssignments({{home_.path(), "/bin"}, {other.path(), "/other"}});
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 2U);
  EXPECT_EQ(all->front().name, "saxpy");
  EXPECT_EQ(all->front().checks, "/other/saxpy_checks");
  EXPECT_EQ(all->back().home, home_.path());
  EXPECT_EQ(all->back().checks, "/bin/transpose_checks");
}

TEST_F(AssignmentsTest, AMisspeltNameIsGuessed) {
  Add("transpose");
  Add("reduction");
  EXPECT_EQ(ErrorOf("tranpsose"),
            "error: there is no assignment \"tranpsose\"\n"
            "  did you mean transpose? there are: reduction, transpose");
  EXPECT_EQ(ErrorOf("stencil"),
            "error: there is no assignment \"stencil\"\n  there are: reduction, transpose");
  EXPECT_EQ(ErrorOf(""), "error: there is no assignment \"\"\n  there are: reduction, transpose");
  EXPECT_EQ(ErrorOf("../transpose"),
            "error: there is no assignment \"../transpose\"\n"
            "  did you mean transpose? there are: reduction, transpose");
}

TEST_F(AssignmentsTest, MissingPartsAreNamed) {
  const std::string home = home_.path().string();
  EXPECT_EQ(ErrorOf("transpose"), "error: cannot read the assignments in " + home +
                                      "/assignments: No such file or directory\n"
                                      "  a course is a folder that holds assignments/, or a "
                                      "bundle, NAME.warp");
  std::filesystem::create_directory(home_.path() / "assignments");
  EXPECT_EQ(ErrorOf("transpose"),
            "error: there is no assignment \"transpose\"\n  there are no assignments");
  Add("transpose");
  std::filesystem::remove(home_.path() / "bin/transpose_checks");
  EXPECT_EQ(ErrorOf("transpose"), "error: the checks of transpose are not built: no " + home +
                                      "/bin/transpose_checks\n  run warpcheck build in the "
                                      "course's folder; in warpcheck's own, make build");
  std::filesystem::remove(home_.path() / "assignments/transpose/transpose.h");
  EXPECT_EQ(ErrorOf("transpose"), "error: assignment transpose has no " + home +
                                      "/assignments/transpose/transpose.h\n"
                                      "  every assignment declares the student's interface there");
}

}  // namespace
}  // namespace warpcheck
