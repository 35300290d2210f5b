// Every instruction, on the emulator, against bits that come from the definitions of the PTX ISA
// (data/make_instructions.py), in both builds and under guards and branches.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "emulator/run_ptx.h"
#include "emulator/test_device.h"
#include "ptx/parser.h"

namespace warpcheck::emulator {
namespace {

const std::vector<PtxCase>& Cases() {
  static const std::vector<PtxCase> cases = ReadPtxCases("instructions.txt");
  return cases;
}

void ExpectRight(const PtxCase& one, Guarding guarding, bool portable) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> wrong = WrongRows(one, guarding, RunPtx(one, guarding, portable));
  const std::size_t count = wrong.size();
  if (count > kShown) wrong.resize(kShown);
  std::string text;
  for (const std::string& line : wrong) text += line + "\n";
  EXPECT_EQ(count, 0u) << text;
}

TEST(Instruction, GivesTheBitsOfItsDefinition) {
  ASSERT_GT(Cases().size(), 100u);
  for (const PtxCase& one : Cases()) ExpectRight(one, Guarding::kNone, false);
}

TEST(Instruction, GivesTheSameBitsInThePortableBuild) {
  for (const PtxCase& one : Cases()) ExpectRight(one, Guarding::kNone, true);
}

TEST(Instruction, ObeysItsGuard) {
  for (const PtxCase& one : Cases()) {
    if (one.whole_warps) continue;
    ExpectRight(one, Guarding::kGuard, false);
    ExpectRight(one, Guarding::kNegatedGuard, true);
  }
}

TEST(Instruction, TouchesOnlyTheLanesOfItsBranch) {
  for (const PtxCase& one : Cases()) {
    if (!one.whole_warps) ExpectRight(one, Guarding::kBranch, false);
  }
}

}  // namespace
}  // namespace warpcheck::emulator
