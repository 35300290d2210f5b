#include "emulator/decode/parsed_modules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "emulator/code/isa.h"
#include "ptx/parser/parser.h"

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

// Returns a text with large initial values of variables.
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

// A kernel that stores the address of a variable.
constexpr char kKernel[] =
    ".global .u64 place;\n"
    ".visible .entry Store()\n{\n.reg .b64 %rd<2>;\n"
    "mov.u64 %rd1, place;\nst.global.u64 [place], %rd1;\nret;\n}\n";

TEST(ParsedModules, DecodeAgainOnlyForOtherPlacesOrRegisters) {
  ParsedModules modules;
  const auto module = modules.Parse(Text("kernel") + kKernel).value();
  const DecodedFor wanted{.isa = &BestIsa(), .addresses = {4096}, .registers = {8}};
  const auto first = modules.Decoded(module, wanted);
  ASSERT_EQ(first->kernels().size(), 1U);
  EXPECT_EQ(first->Find("Store")->error, "");
  EXPECT_EQ(first->Find("Store")->registers, 8U);
  EXPECT_EQ(modules.Decoded(module, wanted), first);
  DecodedFor other = wanted;
  other.addresses = {8192};
  EXPECT_NE(modules.Decoded(module, other), first);
  other = wanted;
  other.registers = {9};
  EXPECT_EQ(modules.Decoded(module, other)->Find("Store")->registers, 9U);
  other = wanted;
  other.isa = &baseline::kIsa;
  EXPECT_NE(modules.Decoded(module, other), first);
}

TEST(ParsedModules, DropKernelsThatNobodyUsesBeforeTheyMakeOthers) {
  ParsedModules modules;
  const auto one = modules.Parse(Text("one") + kKernel).value();
  const auto two = modules.Parse(Text("two") + kKernel).value();
  const DecodedFor wanted{.isa = &BestIsa(), .addresses = {4096}, .registers = {0}};
  std::weak_ptr<const DecodedModule> idle = modules.Decoded(one, wanted);
  EXPECT_FALSE(idle.expired());
  const auto used = modules.Decoded(two, wanted);
  EXPECT_TRUE(idle.expired());
  idle = modules.Decoded(one, wanted);
  EXPECT_EQ(modules.Decoded(two, wanted), used);
  EXPECT_FALSE(idle.expired());
}

}  // namespace
}  // namespace warpcheck::emulator
