#include "grading/handouts/bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/files.h"
#include "base/hash.h"
#include "grading/temporary_folder.h"

namespace warpcheck {
namespace {

using testing::HasSubstr;

class BundleTest : public testing::Test {
 protected:
  BundleTest() {
    home_.Write("assignments/saxpy/rubric.toml", "title = \"Saxpy\"");
    home_.Write("assignments/saxpy/saxpy.h", "void saxpy();");
    home_.Write("assignments/saxpy/checks.cpp", "secret");
    home_.Write("reference/saxpy.cu", "secret");
    home_.Write("build/saxpy_checks", "");
    home_.WriteScript("sealed", "exit 7\n");
  }
  std::string Pack(const std::string& version = "warpcheck 1.2") const {
    const auto found = FindAssignment({{home_.path(), home_.path() / "build"}}, "saxpy");
    const auto packed = found.and_then([&](const Assignment& assignment) {
      return PackBundle(assignment, home_.path() / "sealed", version);
    });
    EXPECT_TRUE(packed) << packed.error().Text();
    return packed.value_or("");
  }
  // Opens the bundle saxpy.warp, which consists of these bytes.
  Result<Course> Open(const std::string& bytes, const std::string& trusted) const {
    const auto bundle = student_.Write("saxpy.warp", bytes);
    return OpenBundle(bundle, {.version = "warpcheck 1.2",
                               .trusted = trusted,
                               .cache = student_.path() / "cache",
                               .libraries = "/usr/lib"});
  }
  Result<Course> OpenTrusted(const std::string& bytes) const {
    return Open(bytes, FileDigest(bytes));
  }
  std::string ErrorOf(const Result<Course>& opened) const {
    return opened ? "" : opened.error().Text();
  }

  TemporaryFolder home_;
  TemporaryFolder student_;
};

TEST_F(BundleTest, IsACourseOfOneAssignmentWithoutItsSecrets) {
  const auto course = OpenTrusted(Pack());
  ASSERT_TRUE(course) << course.error().Text();
  const auto found = FindAssignment({*course}, "saxpy");
  ASSERT_TRUE(found) << found.error().Text();
  EXPECT_EQ(found->course, student_.path() / "saxpy.warp");
  EXPECT_EQ(*ReadFile(found->rubric), "title = \"Saxpy\"");
  EXPECT_EQ(*ReadFile(found->header), "void saxpy();");
  EXPECT_EQ(*ReadFile(found->checks), "#!/bin/sh\nexit 7\n");
  EXPECT_EQ(::access(found->checks.c_str(), X_OK), 0);
  EXPECT_EQ(std::filesystem::read_symlink(found->checks.parent_path() / "libs"), "/usr/lib");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(course->home)) {
    if (entry.is_symlink() || !entry.is_regular_file()) continue;
    EXPECT_THAT(*ReadFile(entry.path()), Not(HasSubstr("secret"))) << entry.path();
  }
}

TEST_F(BundleTest, OfEqualContentsIsTheSameFile) { EXPECT_EQ(Pack(), Pack()); }

TEST_F(BundleTest, IsOnlyReadWhenSomebodyVouchesForIt) {
  const std::string bytes = Pack();
  const std::string digest = FileDigest(bytes);
  EXPECT_THAT(ErrorOf(Open(bytes, "")), AllOf(HasSubstr("contains a program"), HasSubstr(digest)));
  std::string changed = bytes;
  changed[bytes.size() / 2] ^= 1;
  EXPECT_THAT(ErrorOf(Open(changed, digest)), HasSubstr("is not the file that is trusted"));
  EXPECT_THAT(ErrorOf(Open(bytes.substr(0, bytes.size() - 1), digest)),
              HasSubstr("is not the file that is trusted"));
  EXPECT_FALSE(std::filesystem::exists(student_.path() / "cache"));
}

TEST_F(BundleTest, OfAnotherWarpcheckIsRefused) {
  EXPECT_THAT(ErrorOf(OpenTrusted(Pack("warpcheck 1.3"))),
              AllOf(HasSubstr("was made by warpcheck 1.3, and this is warpcheck 1.2"),
                    HasSubstr("ask your course for a new handout")));
}

TEST_F(BundleTest, ThatIsNoneIsRefused) {
  const std::string bytes = Pack();
  EXPECT_THAT(ErrorOf(OpenTrusted("")), HasSubstr("is not a bundle of an assignment"));
  EXPECT_THAT(ErrorOf(OpenTrusted("no archive")), HasSubstr("is not a bundle of an assignment"));
  EXPECT_THAT(ErrorOf(OpenTrusted(bytes.substr(0, bytes.size() / 2))),
              HasSubstr("is not a bundle of an assignment"));
}

TEST_F(BundleTest, IsUnpackedAgainWhereSomethingIsMissing) {
  const std::string bytes = Pack();
  const auto first = OpenTrusted(bytes);
  ASSERT_TRUE(first);
  std::filesystem::remove(first->programs / "saxpy_checks");
  const auto second = OpenTrusted(bytes);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->home, first->home);
  EXPECT_TRUE(std::filesystem::exists(second->programs / "saxpy_checks"));
}

}  // namespace
}  // namespace warpcheck
