#include "results/array_dump.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "base/scratch_folder.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ArrayDump Dump() {
  return {.case_name = "S/T.Right/2",
          .array = "out",
          .call = 2,
          .type = "<i2",
          .extents = {2, 1},
          .inner = {{.first = 0, .last = 0}, {.first = 0, .last = 0}},
          .expected = std::string("\n\0\1\2", 4),
          .got = "abcd",
          .states = ".x"};
}

TEST(ArrayDump, ComesBackFromItsFile) {
  const auto scratch = ScratchFolder::Make();
  const auto path = scratch->path() / "arrays";
  ArrayDump huge = Dump();
  huge.extents = {1 << 13, 1 << 13};
  huge.expected = huge.got = huge.states = "";
  EXPECT_THAT(ReadArrayDumps(path).value(), IsEmpty());
  ASSERT_TRUE(WriteFile(path, TextOf(Dump()) + TextOf(huge) + TextOf(Dump())));
  EXPECT_THAT(ReadArrayDumps(path).value(), ElementsAre(Dump(), huge, Dump()));
}

TEST(ArrayDump, RefusesAFileThatIsNotWhole) {
  const auto scratch = ScratchFolder::Make();
  const auto path = scratch->path() / "arrays";
  const std::string whole = TextOf(Dump());
  const auto refused = [&](const std::string& text) {
    EXPECT_TRUE(WriteFile(path, text));
    const auto dumps = ReadArrayDumps(path);
    return dumps ? "accepted" : dumps.error().message;
  };
  EXPECT_THAT(refused(whole.substr(0, whole.size() - 1)), HasSubstr("it ends within an array"));
  std::string type = whole;
  type.replace(type.find("<i2"), 3, "<i3");
  EXPECT_THAT(refused(type), HasSubstr("an array that cannot be"));
  std::string state = whole;
  state.back() = 'y';
  EXPECT_THAT(refused(state), HasSubstr("an array that cannot be"));
  EXPECT_THAT(refused("nonsense"), HasSubstr("cannot be read"));
}

}  // namespace
}  // namespace warpcheck
