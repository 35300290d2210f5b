// Tests what is proposed for small kernels, and what a change makes of a module.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "experiments/change.h"
#include "experiments/proposals.h"
#include "ptx/parser/parser.h"

namespace warpcheck::experiments {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

std::shared_ptr<const ptx::Module> ModuleOf(const std::string& body) {
  const std::string text =
      ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"/in/x.cu\"\n"
      ".visible .entry k(.param .u64 p, .param .u32 rows, .param .u32 cols)\n{\n"
      "  .reg .pred %p<9>;\n  .reg .b32 %r<19>;\n  .reg .b64 %rd<19>;\n  .reg .f32 %f<9>;\n"
      "  .shared .align 4 .b8 tile[256];\n" +
      body + "}\n";
  auto module = ptx::ParseModule(text, "test");
  EXPECT_TRUE(module) << (module ? "" : module.error().Text());
  return std::make_shared<const ptx::Module>(*std::move(module));
}

Scope ScopeOf(bool has_race = false, std::vector<std::string> kernels = {}) {
  return {.is_student_file = [](std::string_view file) { return file == "/in/x.cu"; },
          .ran = [](const SourceLocation&) { return true; },
          .kernels = std::move(kernels),
          .has_race = has_race};
}

// Returns each change as "kind line: text".
std::vector<std::string> TextsOf(const std::vector<Change>& changes) {
  std::vector<std::string> texts;
  for (const Change& change : changes) {
    texts.push_back(std::string(Text(change.kind)) + " " + std::to_string(change.where.line) +
                    ": " + change.text);
  }
  return texts;
}

const Change& Find(const std::vector<Change>& changes, const std::string& text) {
  const auto texts = TextsOf(changes);
  const auto found = std::ranges::find(texts, text);
  EXPECT_NE(found, texts.end()) << text;
  return changes[static_cast<std::size_t>(found - texts.begin())];
}

LaunchRequest LaunchOf(const std::string& kernel, const Dim3& grid) {
  LaunchRequest request;
  request.kernel = kernel;
  request.grid = grid;
  request.block = {8, 4, 1};
  return request;
}

TEST(Proposals, ComparisonsBeginWithTheOneThatDiffersForEqualValues) {
  const auto module = ModuleOf(
      "  ld.param.u32 %r1, [rows];\n  .loc 1 7 3\n  mov.u32 %r2, %tid.x;\n"
      "  .loc 1 8 3\n  setp.lt.s32 %p1, %r2, %r1;\n  ret;\n");
  const auto texts = TextsOf(ChangesOf({module}, ScopeOf()));
  ASSERT_THAT(texts, Contains("comparison 8: `<=` in place of `<`"));
  EXPECT_EQ(texts.front(), "comparison 8: `<=` in place of `<`");
  EXPECT_THAT(texts, Contains("coordinate 7: threadIdx.y in place of threadIdx.x"));
}

TEST(Proposals, AnotherParameterOfTheSameType) {
  const auto module = ModuleOf(
      "  ld.param.u32 %r1, [rows];\n  ld.param.u32 %r2, [cols];\n  mov.u32 %r3, %tid.x;\n"
      "  .loc 1 9 3\n  mul.lo.s32 %r4, %r3, %r1;\n  ret;\n");
  const auto changes = ChangesOf({module}, ScopeOf());
  const Change& change = Find(changes, "variable 9: another variable of this type");
  ASSERT_EQ(change.edits.size(), 1U);
  EXPECT_EQ(change.edits[0].instruction.operands[2].reg,
            module->functions[0].body[1].operands[0].reg);
}

// Numbers that the kernel computes from its place and from parameters can stand for each other.
TEST(Proposals, AnotherNumberThatIsComputed) {
  const auto module = ModuleOf(
      "  ld.param.u32 %r1, [rows];\n  .loc 1 4 3\n  mov.u32 %r2, %ctaid.x;\n"
      "  div.s32 %r3, %r2, %r1;\n  rem.s32 %r4, %r2, %r1;\n  .loc 1 9 3\n"
      "  add.s32 %r5, %r3, 7;\n  ret;\n");
  const ptx::RegisterId remainder = module->functions[0].body[3].operands[0].reg;
  bool found = false;
  for (const Change& change : ChangesOf({module}, ScopeOf())) {
    if (change.kind != Kind::kVariable || change.where.line != 9) continue;
    found = found || change.edits.at(0).instruction.operands[1].reg == remainder;
  }
  EXPECT_TRUE(found);
}

TEST(Proposals, TwoVariablesOfALineExchanged) {
  const auto module = ModuleOf(
      "  ld.param.u32 %r1, [rows];\n  ld.param.u32 %r2, [cols];\n  .loc 1 9 3\n"
      "  setp.lt.s32 %p1, %r3, %r1;\n  setp.lt.s32 %p2, %r4, %r2;\n  ret;\n");
  const auto changes = ChangesOf({module}, ScopeOf());
  const Change& change = Find(changes, "exchange 9: two variables exchanged");
  EXPECT_EQ(change.edits.size(), 2U) << "both comparisons";
}

// The compiler's sums of addresses are no operations of the program; a program's 64-bit sums are.
TEST(Proposals, NothingForAddresses) {
  const auto module = ModuleOf(
      "  ld.param.u64 %rd1, [p];\n  .loc 1 5 3\n  cvt.u64.u32 %rd2, %r1;\n"
      "  add.s64 %rd3, %rd2, %rd4;\n  shl.b64 %rd5, %rd3, 2;\n  add.s64 %rd6, %rd1, %rd5;\n"
      "  ld.global.f32 %f1, [%rd6];\n  ret;\n");
  int sums = 0;
  for (const std::string& text : TextsOf(ChangesOf({module}, ScopeOf()))) {
    if (text == "operation 5: `-` in place of `+`") ++sums;
    EXPECT_THAT(text, Not(testing::HasSubstr("in place of 2")));
  }
  EXPECT_EQ(sums, 1);
}

TEST(Proposals, ConstantsBelongToTheLineThatReadsThem) {
  const auto module =
      ModuleOf("  .loc 1 4 3\n  mov.u32 %r1, 85;\n  .loc 1 6 3\n  mov.u32 %r2, %r1;\n  ret;\n");
  EXPECT_THAT(TextsOf(ChangesOf({module}, ScopeOf())), Contains("constant 6: 128 in place of 85"));
}

TEST(Proposals, BarriersOnlyAfterARace) {
  const auto module = ModuleOf("  .loc 1 4 3\n  st.shared.f32 [tile], %f1;\n  ret;\n");
  const std::string barrier = "barrier 4: a __syncthreads() after it";
  EXPECT_THAT(TextsOf(ChangesOf({module}, ScopeOf(false))), Not(Contains(barrier)));
  EXPECT_THAT(TextsOf(ChangesOf({module}, ScopeOf(true))), Contains(barrier));
}

TEST(Proposals, ASumInPlaceOfAMovedValue) {
  const auto module = ModuleOf(
      "  .loc 1 4 3\n  mov.f32 %f1, 0f00000000;\n$L:\n  .loc 1 5 3\n  mul.f32 %f2, %f3, %f3;\n"
      "  .loc 1 6 3\n  mov.f32 %f1, %f2;\n  @%p1 bra $L;\n  ret;\n");
  const auto changes = ChangesOf({module}, ScopeOf());
  const Change& change = Find(changes, "operation 5: `+=` in place of `=`");
  EXPECT_EQ(change.edits.at(0).at, 2U);
  EXPECT_EQ(change.edits.at(0).instruction.opcode, ptx::Opcode::kAdd);
}

// A guard that is missing beside another one belongs to its line.
TEST(Proposals, APartOfAConditionThatIsMissing) {
  const auto module = ModuleOf(
      "  ld.param.u32 %r1, [rows];\n  .loc 1 4 3\n  mov.u32 %r2, %tid.x;\n  .loc 1 5 3\n"
      "  mov.u32 %r3, %tid.y;\n  .loc 1 6 3\n  setp.ge.s32 %p1, %r3, %r1;\n  @%p1 ret;\n  ret;\n");
  for (const Change& change : ChangesOf({module}, ScopeOf())) {
    if (change.kind == Kind::kMissingGuard) {
      EXPECT_EQ(change.where.line, 6);
    }
  }
}

// if (i >= rows) return; after the sum, and not after the product, which is a part of it.
TEST(Proposals, AGuardAfterThePlaceOfTheThread) {
  const auto module = ModuleOf(
      "  .loc 1 4 3\n  mov.u32 %r1, %ctaid.x;\n  mul.lo.s32 %r2, %r1, 64;\n"
      "  mov.u32 %r3, %tid.x;\n  add.s32 %r4, %r2, %r3;\n  .loc 1 5 3\n  ret;\n");
  const auto changes = ChangesOf({module}, ScopeOf());
  std::vector<const Change*> guards;
  for (const Change& change : changes) {
    if (change.kind == Kind::kMissingGuard) guards.push_back(&change);
  }
  ASSERT_EQ(guards.size(), 2U) << "rows and cols";
  EXPECT_EQ(guards[0]->where.line, 4);
  const ptx::Module changed = Changed(*module, *guards[0]);
  const auto& body = changed.functions[0].body;
  ASSERT_EQ(body.size(), 8U);
  EXPECT_EQ(body[4].opcode, ptx::Opcode::kLd);
  EXPECT_EQ(body[5].opcode, ptx::Opcode::kSetp);
  EXPECT_EQ(body[6].opcode, ptx::Opcode::kRet);
  ASSERT_TRUE(body[6].guard);
  EXPECT_EQ(changed.functions[0].registers[body[6].guard->predicate].type, ptx::Type::kPred);
}

TEST(Proposals, NothingForOtherFilesAndForLinesThatDidNotRun) {
  const auto module = ModuleOf("  .loc 1 8 3\n  setp.lt.s32 %p1, %r2, %r1;\n  ret;\n");
  Scope elsewhere = ScopeOf();
  elsewhere.is_student_file = [](std::string_view) { return false; };
  EXPECT_THAT(ChangesOf({module}, elsewhere), IsEmpty());
  Scope idle = ScopeOf();
  idle.ran = [](const SourceLocation&) { return false; };
  EXPECT_THAT(ChangesOf({module}, idle), IsEmpty());
}

// A branch to the instruction goes to what was inserted before it.
TEST(Changes, InsertionsKeepTheBranches) {
  const auto module = ModuleOf(
      "  .loc 1 4 3\n  mov.u32 %r1, 0;\n$L:\n  .loc 1 5 3\n  add.s32 %r1, %r1, 1;\n"
      "  setp.lt.s32 %p1, %r1, 9;\n  @%p1 bra $L;\n  ret;\n");
  const ptx::Function& function = module->functions[0];
  Change change;
  for (const std::uint32_t at : {1U, 4U}) {
    change.edits.push_back({.module = module.get(),
                            .function = 0,
                            .at = at,
                            .inserts = true,
                            .instruction = function.body[0]});
  }
  const ptx::Module changed = Changed(*module, change);
  const auto& body = changed.functions[0].body;
  ASSERT_EQ(body.size(), function.body.size() + 2);
  EXPECT_EQ(body[1].opcode, ptx::Opcode::kMov);
  EXPECT_EQ(body[4].opcode, ptx::Opcode::kBra);
  EXPECT_EQ(body[4].operands[0].target, 1U);
  EXPECT_EQ(body[5].opcode, ptx::Opcode::kMov);
}

TEST(Changes, ALaunchOfThisKernelAlone) {
  const auto changes = ChangesOf({}, ScopeOf(false, {"k"}));
  const Change& more = Find(changes, "launch 0: one block more in x");
  LaunchRequest request = LaunchOf("k", {3, 2, 1});
  ChangeLaunch(more, request);
  EXPECT_EQ(request.grid, (Dim3{4, 2, 1}));
  LaunchRequest other = LaunchOf("other", {3, 2, 1});
  ChangeLaunch(more, other);
  EXPECT_EQ(other.grid, (Dim3{3, 2, 1}));
  ChangeLaunch(Find(changes, "launch 0: x and y of the block exchanged"), request);
  EXPECT_EQ(request.block, (Dim3{4, 8, 1}));
  ChangeLaunch(Find(changes, "launch 0: one thread more in x"), request);
  EXPECT_EQ(request.block, (Dim3{5, 8, 1}));
  LaunchRequest smallest = LaunchOf("k", {1, 1, 1});
  ChangeLaunch(Find(changes, "launch 0: one block less in x"), smallest);
  EXPECT_EQ(smallest.grid, (Dim3{1, 1, 1}));
}

TEST(Changes, ArgumentsOfALaunch) {
  const auto module = ModuleOf("  ret;\n");
  const auto changes = ChangesOf({module}, ScopeOf(false, {"k"}));
  LaunchRequest request = LaunchOf("k", {1, 1, 1});
  request.dynamic_shared_bytes = 100;
  request.parameters.resize(16);
  request.parameters[8] = std::byte{7};
  request.parameters[12] = std::byte{9};
  ChangeLaunch(Find(changes, "argument 0: two arguments exchanged"), request);
  EXPECT_EQ(request.parameters[8], std::byte{9});
  EXPECT_EQ(request.parameters[12], std::byte{7});
  ChangeLaunch(Find(changes, "argument 0: an argument that is larger by 1"), request);
  EXPECT_EQ(request.parameters[8], std::byte{10});
  ChangeLaunch(Find(changes, "shared_size 0: more dynamic shared memory"), request);
  EXPECT_EQ(request.dynamic_shared_bytes, 200U);
}

}  // namespace
}  // namespace warpcheck::experiments
