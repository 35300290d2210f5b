// Compares every instruction with bits that are computed from the definitions of the PTX ISA
// (data/make_instructions.py), in both builds, and under guards and branches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "emulator/run_ptx.h"
#include "emulator/test_device.h"
#include "ptx/parser/parser.h"

namespace warpcheck::emulator {
namespace {

const std::vector<PtxCase>& PtxCases() {
  static const std::vector<PtxCase> cases = [] {
    std::vector<PtxCase> all;
    for (const char* file :
         {WARPCHECK_EMULATOR_COMPILED "/instructions.txt", WARPCHECK_EMULATOR_COMPILED "/video.txt",
          WARPCHECK_EMULATOR_COMPILED "/packed.txt", WARPCHECK_EMULATOR_COMPILED "/async.txt",
          WARPCHECK_TEST_DATA "/h200_matrix.txt"}) {
      for (PtxCase& one : ReadPtxCases(file)) all.push_back(std::move(one));
    }
    return all;
  }();
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
  ASSERT_GT(PtxCases().size(), 100u);
  for (const PtxCase& one : PtxCases()) ExpectRight(one, Guarding::kNone, false);
}

// The bits must be the same in both builds, even in cases for which any NaN is right.
TEST(Instruction, GivesTheSameBitsInThePortableBuild) {
  for (const PtxCase& one : PtxCases()) {
    const PtxRun fast = RunPtx(one, Guarding::kNone, false);
    const PtxRun portable = RunPtx(one, Guarding::kNone, true);
    EXPECT_EQ(fast.results, portable.results) << one.text;
    EXPECT_EQ(portable.error, "") << one.text;
  }
}

TEST(Instruction, ObeysItsGuard) {
  for (const PtxCase& one : PtxCases()) {
    if (one.whole_warps) continue;
    ExpectRight(one, Guarding::kGuard, false);
    ExpectRight(one, Guarding::kNegatedGuard, true);
  }
}

TEST(Instruction, TouchesOnlyTheLanesOfItsBranch) {
  for (const PtxCase& one : PtxCases()) {
    if (!one.whole_warps) ExpectRight(one, Guarding::kBranch, false);
  }
}

// The comparison itself must find a wrong row.
TEST(Instruction, TellsWhatIsWrong) {
  const PtxCase one{"add.u32 %rx, %ra, %rb;", false, 12, {{{1, 2}, {4}}, {{1, 2}, {3}}}};
  const PtxRun run = RunPtx(one, Guarding::kNone, false);
  const auto wrong = WrongRows(one, Guarding::kNone, run);
  ASSERT_EQ(wrong.size(), 16u);  // every other thread has it
  EXPECT_EQ(wrong[0], "line 12: add.u32 %rx, %ra, %rb;: row 0 (1 2): expected 4 in %rx, got 3");
  const PtxCase unknown{"add.q32 %rx, %ra, %rb;", false, 13, {{{1, 2}, {3}}}};
  EXPECT_NE(RunPtx(unknown, Guarding::kNone, false).error, "");
}

TEST(Instruction, LoadsAStructParameterInParts) {
  TestDevice test;
  test.Load(R"(
.visible .entry k(.param .align 8 .b8 s[32], .param .u64 out)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  ld.param.v2.u32 {%r1, %r2}, [s+8];
  ld.param.s8 %r3, [s+1];
  ld.param.u16 %r4, [s+2];
  ld.param.v4.u8 {%r5, %r6, %r7, _}, [s+4];
  ld.param.s8 %rd2, [s+16];
  st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};
  st.global.v2.u32 [%rd1+16], {%r5, %r6};
  st.global.u64 [%rd1+24], %rd2;
  ret;
}
)");
  const DeviceAddress out = test.Upload(std::vector<std::uint64_t>(4));
  Parameters parameters;
  parameters.Add(std::uint64_t{0x8786858483828180}).Add(std::uint64_t{0x8f8e8d8c8b8a8988});
  parameters.Add(std::uint64_t{0x90}).Add(std::uint64_t{0}).Add(out);
  ASSERT_EQ(test.Launch("k", {1, 1, 1}, {1, 1, 1}, parameters), DeviceError::kSuccess);
  EXPECT_EQ(test.Download<std::uint64_t>(out, 4),
            (std::vector<std::uint64_t>{0x8f8e8d8c8b8a8988, 0x00008382ffffff81, 0x0000008500000084,
                                        0xffffffffffffff90}));
}

// Returns the opcodes in the text of a case, which is line 7 of its kernel.
std::set<ptx::Opcode> OpcodesOf(const PtxCase& one) {
  std::set<ptx::Opcode> opcodes;
  const auto module = ptx::ParseModule(PtxOf(one, Guarding::kNone));
  if (!module) return opcodes;  // in this case the other tests fail
  for (const ptx::Instruction& instruction : module->functions.at(0).body) {
    if (module->locations[instruction.location].line == 7) opcodes.insert(instruction.opcode);
  }
  return opcodes;
}

TEST(Instruction, HasACaseForEveryRow) {
  const std::map<std::string, std::string> untested = {
      {"call", "needs a function: control_flow_test.cc"},
      {"trap", "ends the launch: findings_test.cc"},
      {"tex", "needs an object: texture_access_test.cc"},
      {"tld4", "the same"},
      {"txq", "the same"},
      {"suld", "the same"},
      {"sust", "the same"},
      {"suq", "the same"},
      {"setmaxnreg", "needs the four warps of a warpgroup; nothing happens here"},
      {"brkpt", "stops a GPU for its debugger; nothing happens here"},
  };
  std::set<ptx::Opcode> tested;
  for (const PtxCase& one : PtxCases()) tested.merge(OpcodesOf(one));
  for (std::size_t i = 0; i < ptx::kOpcodeCount; ++i) {
    const auto opcode = static_cast<ptx::Opcode>(i);
    if (!ptx::IsExecuted(opcode)) continue;
    const std::string name(Text(opcode));
    EXPECT_NE(tested.contains(opcode), untested.contains(name)) << name;
  }
}

// Returns true if a case only moves an input to a temporary, because it needs none.
bool IsUnused(const PtxCase& one, char letter) {
  for (const char* const temporary : {"%rt", "%rv"}) {
    const std::string input = std::string("%r") + letter;
    const std::string move = "mov.b32 " + std::string(temporary) + ", " + input + ";";
    if (one.text.find(move) != one.text.npos && one.text.find(input) == one.text.rfind(input)) {
      return true;
    }
  }
  return false;
}

// Each operand of each instruction must matter to the checker: if nothing has written it, there is
// a finding, at the instruction or where its result is stored.
TEST(Instruction, KeepsUndefinedValues) {
  const std::map<std::string, std::string> exempt = {
      {"lop3.b32 %rx, %ra, %rb, %rc, 0;", "the result is 0"},
      {"lop3.b32 %rx, %ra, %rb, %rc, 255;", "the result has all bits set"},
      {"lop3.or.b32 %rx|%py, %ra, %rb, %rc, 0x80, %pd;", "the rows decide by other operands"},
      {"set.neu.or.f32.f64 %rx, %la, %lb, %pc;", "the same"},
      {"set.eq.and.s32.f16 %rx, %ha, %hb, %pc;", "the same"},
      {"prmt.b32.rc8 %rx, %ra, %rb, %rc;", "this mode uses the first operand alone"},
      {"prmt.b32.rc16 %rx, %ra, %rb, %rc;", "the same"},
      {"prmt.b32.ecl %rx, %ra, %rb, %rc;", "the same"},
      {"prmt.b32.ecr %rx, %ra, %rb, %rc;", "the same"},
      {"st.shared.v2.b64 [%rs], {%la, %lb};", "ldmatrix loads rows of which one half is written"},
      {"st.shared.v2.b32 [%rs], {%ra, 3};", "bulk copies move 16 bytes, of which some are written"},
      {".reg .b32 %q<4>;", "stmatrix .x1 uses half of its inputs"},
  };
  for (const PtxCase& one : PtxCases()) {
    const bool is_exempt = std::ranges::any_of(
        exempt, [&](const auto& entry) { return one.text.starts_with(entry.first); });
    for (const char letter : InputLettersOf(one)) {
      if (is_exempt || IsUnused(one, letter)) continue;
      EXPECT_THAT(FindingsWithUndefined(one, letter), testing::Contains("uninitialised_use"))
          << letter << " of line " << one.line << ": " << one.text;
    }
  }
}

}  // namespace
}  // namespace warpcheck::emulator
