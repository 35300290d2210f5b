#include "lab/run/fit_arguments.h"

#include <gmock/gmock.h>

namespace warpcheck::lab {
namespace {

using testing::HasSubstr;

// Plans launches of a kernel by hand: no file and no device is needed.
class FitArgumentsTest : public testing::Test {
 protected:
  FitArgumentsTest() {
    lab_.variants.emplace_back().name = "plain";
    lab_.variants[0].call.arguments.where = {.file = "lab.toml", .line = 7};
    lab_.check.emplace();
    lab_.check->arguments.where = {.file = "lab.toml", .line = 9};
    kernels_.parameters["copy"] = {{.bytes = 8}, {.bytes = 4}, {.bytes = 4, .is_float = true}};
  }

  // Fits one launch. Returns its arguments in `made_`.
  std::string ErrorOf(std::vector<CallArgument> arguments,
                      std::vector<CallArgument> checked = {BufferPointer{}, 1, 0.5}) {
    Planned planned;
    planned.row.variant = "plain";
    planned.buffers = {{.name = "in"}};
    planned.textures = {{.name = "image"}};
    planned.pieces.emplace_back();
    planned.pieces[0].call.kernel = "copy";
    planned.pieces[0].call.arguments = std::move(arguments);
    planned.check = planned.pieces[0].call;
    planned.check->arguments = std::move(checked);
    std::vector<Planned> plan = {planned};
    const auto fitted = FitArguments(lab_, kernels_, plan);
    made_ = plan[0].call().arguments;
    return fitted ? "none" : fitted.error().Text();
  }

  Lab lab_;
  Kernels kernels_;
  std::vector<CallArgument> made_;
};

TEST_F(FitArgumentsTest, TakesWhatFits) {
  EXPECT_EQ(ErrorOf({BufferPointer{}, std::int64_t{-2147483648}, 0.5}), "none");
  EXPECT_EQ(ErrorOf({TextureArgument{}, std::int64_t{4294967295}, 0.5}), "none");
  EXPECT_EQ(ErrorOf({std::int64_t{1} << 40, 0, 0.5}), "none") << "a whole number of 8 bytes";
}

TEST_F(FitArgumentsTest, MakesAWholeNumberAFloat) {
  EXPECT_EQ(ErrorOf({BufferPointer{}, 5, 2}), "none");
  EXPECT_EQ(std::get<std::int64_t>(made_[1]), 5);
  EXPECT_EQ(std::get<double>(made_[2]), 2.0);
}

TEST_F(FitArgumentsTest, SaysWhatDoesNotFitAndWhere) {
  EXPECT_EQ(ErrorOf({BufferPointer{}, 1}),
            "lab.toml:7: error: the kernel copy has 3 parameters, and the variant plain gives it 2 "
            "arguments\n  write one argument for each parameter, in their order");
  EXPECT_EQ(
      ErrorOf({BufferPointer{}, 0.5, 0.5}),
      "lab.toml:7: error: parameter 2 of copy is a whole number of 4 bytes, and argument 2 of "
      "the variant plain is 0.5\n  write a whole number, without a point");
  EXPECT_THAT(
      ErrorOf({BufferPointer{}, std::int64_t{4294967296}, 0.5}),
      HasSubstr("argument 2 of the variant plain is 4294967296\n  choose a number that fits"));
  EXPECT_THAT(ErrorOf({1, BufferPointer{}, 0.5}),
              HasSubstr("argument 2 of the variant plain is the buffer in\n  compare the order"));
  EXPECT_THAT(
      ErrorOf({BufferPointer{}, 1, TextureArgument{}}),
      HasSubstr("parameter 3 of copy is a float, and argument 3 of the variant plain is the "
                "texture image"));
  EXPECT_THAT(ErrorOf({0.5, 1, 0.5}),
              HasSubstr("parameter 1 of copy is a pointer or a whole number of 8 bytes"));
  EXPECT_THAT(ErrorOf({BufferPointer{}, 1, 0.5}, {BufferPointer{}, 1}), HasSubstr("lab.toml:9: "));
}

TEST_F(FitArgumentsTest, SaysThatAStructIsNotOffered) {
  kernels_.parameters["copy"] = {{.bytes = 12}};
  EXPECT_THAT(ErrorOf({1}), HasSubstr("parameter 1 of copy is a struct of 12 bytes"));
  EXPECT_THAT(ErrorOf({1}), HasSubstr("a lab gives kernels only numbers, buffers and textures"));
}

TEST_F(FitArgumentsTest, LeavesTheDeviceWhatItDoesNotKnow) {
  kernels_.parameters.clear();
  EXPECT_EQ(ErrorOf({1, 2, 3, 4}), "none");
}

}  // namespace
}  // namespace warpcheck::lab
