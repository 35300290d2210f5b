// If root starts `hostile_test .as_user`, it runs as an ordinary user. It exits with 77, and says
// why, if that is impossible.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>

#include "hostile/grading.h"

namespace warpcheck::hostile {
namespace {

constexpr int kSkipped = 77;
constexpr unsigned kOrdinaryUser = 65'534;

int Skip(const std::string& why) {
  fmt::print(stderr, "SKIPPED: the hostile submissions as an ordinary user: {}\n", why);
  return kSkipped;
}

// Checks that other submissions get the same grade before and after all attacks.
class HonestGrade : public testing::Environment {
 public:
  void SetUp() override { before_ = Honest(); }
  void TearDown() override { EXPECT_EQ(Honest(), before_) << "another's grade has changed"; }

 private:
  static std::string Honest() {
    const auto graded =
        GradeInTheWorld("transpose", std::filesystem::path(WARPCHECK_SOURCE_DIR) /
                                         "tests/submissions/transpose/failed/unpadded_tile.cu");
    if (!graded) {
      ADD_FAILURE() << graded.error().Text();
      return {};
    }
    EXPECT_EQ(graded->score.Text(), "80");
    return Comparable(*graded);
  }

  std::string before_;
};

int Main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  if (argc > 1 && std::strcmp(argv[1], ".as_user") == 0) {
    if (::geteuid() != 0) return Skip("that is what the other half has done: this is not root");
    if (::setgroups(0, nullptr) != 0 ||
        ::setresgid(kOrdinaryUser, kOrdinaryUser, kOrdinaryUser) != 0 ||
        ::setresuid(kOrdinaryUser, kOrdinaryUser, kOrdinaryUser) != 0) {
      return Skip("cannot become one");
    }
    for (const char* needed : {WARPCHECK_SOURCE_DIR "/reference/transpose.cu", "/proc/self/exe"}) {
      if (::access(needed, R_OK) != 0) return Skip(fmt::format("it may not read {}", needed));
    }
  }
  testing::AddGlobalTestEnvironment(new HonestGrade);
  return RUN_ALL_TESTS();
}

}  // namespace
}  // namespace warpcheck::hostile

int main(int argc, char** argv) { return warpcheck::hostile::Main(argc, argv); }
