// Parses the PTX that nvcc 13 made from data/*.cu.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/files.h"
#include "ptx/parser/parser.h"
#include "ptx/shapes.h"

namespace warpcheck::ptx {
namespace {

class NvccOutput : public testing::TestWithParam<std::string> {};

TEST_P(NvccOutput, Parses) {
  const auto text = ReadFile(std::filesystem::path(WARPCHECK_TEST_DATA) / GetParam());
  ASSERT_TRUE(text.has_value()) << text.error().Text();
  const auto module = ParseModule(*text, GetParam());
  ASSERT_TRUE(module.has_value()) << module.error().Text();
  const auto has_kernel = [](const Function& f) { return f.is_entry && !f.body.empty(); };
  EXPECT_TRUE(std::any_of(module->functions.begin(), module->functions.end(), has_kernel));
}

// If a file is cut at any place, the result is an error or a smaller module, but never a crash.
TEST_P(NvccOutput, SurvivesBeingCut) {
  const auto text = ReadFile(std::filesystem::path(WARPCHECK_TEST_DATA) / GetParam());
  ASSERT_TRUE(text.has_value());
  for (std::size_t size = 0; size < text->size(); size += 1 + text->size() / 97) {
    const auto module = ParseModule(std::string_view(*text).substr(0, size), "cut");
    EXPECT_TRUE(module.has_value() || !module.error().message.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(All, NvccOutput,
                         testing::Values("kernels_sm_90.ptx", "kernels_sm_80_debug.ptx",
                                         "texture.ptx"));

TEST(NvccOutput, TexturesHaveTheirCoordinates) {
  const auto text = ReadFile(std::filesystem::path(WARPCHECK_TEST_DATA) / "texture.ptx");
  const auto module = ParseModule(*text, "texture.ptx");
  ASSERT_TRUE(module.has_value());
  const auto& body = module->functions[0].body;
  const auto fetch = std::find_if(body.begin(), body.end(),
                                  [](const Instruction& i) { return i.opcode == Opcode::kTex; });
  ASSERT_NE(fetch, body.end());
  EXPECT_EQ(fetch->operands[2].elements.size(), GeometryOf(fetch->modifiers).Elements());
}

}  // namespace
}  // namespace warpcheck::ptx
