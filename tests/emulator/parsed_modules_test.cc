#include "emulator/parsed_modules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "ptx/parser.h"

namespace warpcheck::emulator {
namespace {

std::string Text(const std::string& remark) {
  return ".version 8.0\n.target sm_90\n.address_size 64\n// " + remark + "\n";
}

TEST(ParsedModules, ParseATextOnce) {
  ParsedModules modules;
  const auto first = modules.Parse(Text("one"));
  ASSERT_TRUE(first) << first.error().Text();
  EXPECT_EQ(modules.Parse(Text("one")).value(), *first);
  EXPECT_NE(modules.Parse(Text("other")).value(), *first);
}

TEST(ParsedModules, SayTheSameOfAWrongTextEachTime) {
  ParsedModules modules;
  const std::string wrong = Text("wrong") + "nonsense\n";
  const std::string message = ptx::ParseModule(wrong).error().Text();
  EXPECT_EQ(modules.Parse(wrong).error().Text(), message);
  EXPECT_EQ(modules.Parse(wrong).error().Text(), message);
}

// A text whose variables' initial values take that much.
std::string Large(const std::string& name) {
  return Text(name) + ".global .b8 " + name + "[120000000] = {1};\n";
}

TEST(ParsedModules, DropWhatNobodyUses) {
  ParsedModules modules;
  for (int i = 0; i < 8; ++i) {
    const auto module = modules.Parse(Large("v" + std::to_string(i)));
    ASSERT_TRUE(module) << module.error().Text();
  }
}

TEST(ParsedModules, RefuseWhatDoesNotFitBesideThoseInUse) {
  ParsedModules modules;
  std::vector<std::shared_ptr<const ptx::Module>> used;
  std::string refusal;
  for (int i = 0; i < 8 && refusal.empty(); ++i) {
    const auto module = modules.Parse(Large("v" + std::to_string(i)));
    if (module) used.push_back(*module);
    if (!module) refusal = module.error().message;
  }
  EXPECT_EQ(used.size(), 3U);
  EXPECT_THAT(refusal, testing::HasSubstr("of the grader's memory"));
  used.clear();
  EXPECT_TRUE(modules.Parse(Large("w")));
}

TEST(ParsedModules, ReadNoMoreThanTheyMay) {
  ParsedModules modules;
  const std::string remark(std::size_t{60} << 20, 'x');
  std::string refusal;
  for (int i = 0; i < 8 && refusal.empty(); ++i) {
    const auto module = modules.Parse(Text(std::to_string(i) + remark));
    if (!module) refusal = module.error().message;
  }
  EXPECT_THAT(refusal, testing::StartsWith("this program loads more PTX than the grader reads"));
}

}  // namespace
}  // namespace warpcheck::emulator
