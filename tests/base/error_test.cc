#include <gtest/gtest.h>

#include "base/result.h"

namespace warpcheck {
namespace {

TEST(SourceLocation, ShowsAsMuchAsIsKnown) {
  EXPECT_EQ((SourceLocation{"a.cu", 12, 5}.Text()), "a.cu:12:5");
  EXPECT_EQ((SourceLocation{"a.cu", 12, 0}.Text()), "a.cu:12");
  EXPECT_EQ((SourceLocation{"a.cu", 0, 5}.Text()), "a.cu");
  EXPECT_EQ(SourceLocation{}.Text(), "");
}

TEST(Error, ShowsPlaceMessageAndHint) {
  const SourceLocation where{"rubric.toml", 3, 1};
  const Error error{"no such criterion 'a'", where, "the criteria are: b, c"};
  EXPECT_EQ(error.Text(),
            "rubric.toml:3:1: error: no such criterion 'a'\n  the criteria are: b, c");
  EXPECT_EQ((Error{"it broke"}.Text()), "error: it broke");
}

TEST(ErrorSentence, IsTheMessageAndWhatToDo) {
  EXPECT_EQ((Error{.message = "no GPU was found", .hint = "install NVIDIA's driver"}).Sentence(),
            "no GPU was found; install NVIDIA's driver");
  EXPECT_EQ((Error{.message = "no GPU was found", .where = {"a.cu", 3}}).Sentence(),
            "no GPU was found");
}

}  // namespace
}  // namespace warpcheck
