#include "emulator/parsed_modules.h"

#include <gtest/gtest.h>

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

TEST(ParsedModules, KeepNoMoreThanTheyMay) {
  ParsedModules modules;
  const std::string large = Text(std::string(ParsedModules::kMostBytes, 'x'));
  const auto first = modules.Parse(large);
  ASSERT_TRUE(first) << first.error().Text();
  EXPECT_NE(modules.Parse(large).value(), *first);
  const auto small = modules.Parse(Text("small"));
  EXPECT_EQ(modules.Parse(Text("small")).value(), *small);
}

}  // namespace
}  // namespace warpcheck::emulator
