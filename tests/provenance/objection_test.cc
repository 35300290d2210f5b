#include "provenance/objection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpcheck {
namespace {

using testing::HasSubstr;

constexpr ArraySizes kLarge = {.inputs = 1 << 20, .outputs = 1 << 20};
constexpr ArraySizes kSmall = {.inputs = 1000, .outputs = 1000};

// Returns the message of the objection; empty if there is none.
std::string Message(const HostTraffic& traffic, const ArraySizes& sizes = kLarge) {
  const auto objection = ObjectionTo(traffic, sizes);
  return objection ? objection->message : "";
}

TEST(Objection, NoneToACallWhoseHostMovedNothing) { EXPECT_EQ(Message({}), ""); }

TEST(Objection, ToAnyByteOfAResultThatTheHostWroteOrCopied) {
  EXPECT_THAT(Message({.written_to_outputs = 1}), HasSubstr("the host wrote 1 byte of the result"));
  EXPECT_THAT(Message({.copied_input_to_output = 1}), HasSubstr("cudaMemcpy wrote 1 byte"));
}

TEST(Objection, ToAnEighthOfTheDataBroughtIntoOrder) {
  EXPECT_EQ(Message({.rearranged_in_outputs = kLarge.outputs / 8}), "");
  EXPECT_THAT(Message({.rearranged_in_outputs = kLarge.outputs / 8 + 1}),
              HasSubstr("of the result into the right order"));
  EXPECT_EQ(Message({.rearranged = kLarge.inputs / 8 - 1}), "");
  EXPECT_THAT(Message({.rearranged = kLarge.inputs / 8}),
              HasSubstr("rearranged 131,072 bytes before the kernel"));
  EXPECT_EQ(Message({.rearranged = kSmall.inputs}, kSmall), "");
}

TEST(Objection, ToAHostThatComputesFromMoreThanAShareOfTheResult) {
  EXPECT_EQ(Message({.read_back = kLarge.outputs}), "") << "it asks for the same";
  EXPECT_EQ(Message({.read_back = kLarge.outputs / 8 - 1, .differs = "copies less"}), "");
  EXPECT_THAT(Message({.read_back = kLarge.outputs / 8, .differs = "copies less"}),
              HasSubstr("with other data it copies less; the kernel must do the work"));
  EXPECT_EQ(Message({.read_back = kSmall.outputs - 1, .differs = "copies less"}, kSmall), "");
  EXPECT_NE(Message({.read_back = kSmall.outputs, .differs = "copies less"}, kSmall), "");
  const ArraySizes one_number = {.inputs = 1000, .outputs = 8};
  EXPECT_EQ(Message({.read_back = 8, .differs = "copies less"}, one_number), "") << "a flag";
  EXPECT_NE(Message({.read_back = 9, .differs = "copies less"}, one_number), "");
}

TEST(Objection, NoneToALoopThatStopsByAFewBytes) {
  const auto message = [](std::uint64_t read, std::uint64_t places, const ArraySizes& sizes) {
    return Message({.read_back = read,
                    .differs = "launches a kernel less often than here",
                    .differs_in_rounds = true,
                    .read_places = places},
                   sizes);
  };
  const ArraySizes one_number = {.inputs = 1 << 20, .outputs = 4};
  EXPECT_EQ(message(1 << 20, 8, kLarge), "");
  EXPECT_EQ(message(1 << 20, 8, one_number), "");
  EXPECT_EQ(message(1000, 256, kLarge), "") << "partial sums of a large grid";
  EXPECT_NE(message(1 << 20, 9, one_number), "");
  EXPECT_NE(message(1 << 20, kLarge.outputs, kLarge), "") << "the host looks at all of it";
  EXPECT_NE(message(kSmall.outputs, kSmall.outputs, kSmall), "");
}

TEST(Objection, ToManyConstantsAndToMorePiecesThanAreFollowed) {
  EXPECT_EQ(Message({.copied_to_constants = 16'383}), "");
  EXPECT_THAT(Message({.copied_to_constants = 16'384}), HasSubstr("constant memory"));
  EXPECT_THAT(Message({.too_many_pieces = true}), HasSubstr("1,048,576 separate pieces"));
}

TEST(Objection, IsUnsureIfTheDeviceDoesNotTellWhatKernelsStored) {
  const auto unsure = ObjectionTo({.unsure_in_outputs = 4}, kLarge);
  ASSERT_TRUE(unsure);
  EXPECT_FALSE(unsure->sure);
  EXPECT_THAT(unsure->hint, HasSubstr("--device emulator"));
  EXPECT_TRUE(ObjectionTo({.copied_input_to_output = 4}, kLarge)->sure);
}

}  // namespace
}  // namespace warpcheck
