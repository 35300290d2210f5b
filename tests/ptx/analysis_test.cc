#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "ptx/analysis/address_origins.h"
#include "ptx/analysis/control_dependence.h"
#include "ptx/analysis/flow_graph.h"
#include "ptx/analysis/liveness.h"
#include "ptx/analysis/reaching_writes.h"
#include "ptx/parser/parser.h"

namespace warpcheck::ptx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Returns a module with one kernel of this body.
Module Parsed(const std::string& body) {
  auto module = ParseModule(
      ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 4 .b8 tile[256];\n"
      ".visible .entry k(.param .u64 a, .param .u64 b)\n{\n"
      ".reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n" +
      body + "}\n");
  EXPECT_TRUE(module) << module.error().Text();
  return std::move(*module);
}

Division DividesAtBarriers(const Instruction& instruction) {
  if (instruction.opcode == Opcode::kCall) return Division::kAlone;
  return instruction.opcode == Opcode::kBar ? Division::kAfter : Division::kNone;
}

FlowGraph GraphOf(const Module& module) {
  return FlowGraphOf(module.functions.front(), &DividesAtBarriers);
}

constexpr char kLoop[] = R"(
  mov.u32 %r1, 0;
LOOP:
  setp.lt.u32 %p1, %r1, 4;
  @!%p1 bra DONE;
  bar.sync 0;
  add.u32 %r1, %r1, 1;
  bra LOOP;
DONE:
  ret;
)";

TEST(FlowGraph, SaysWhereControlGoesAfterEachBlock) {
  const Module module = Parsed(kLoop);
  const FlowGraph graph = GraphOf(module);
  ASSERT_EQ(graph.blocks.size(), 5U);
  EXPECT_THAT(graph.successors, ElementsAre(ElementsAre(1), ElementsAre(4, 2), ElementsAre(3),
                                            ElementsAre(1), ElementsAre(5)));
  EXPECT_THAT(graph.block_at, ElementsAre(0, 1, 1, 2, 3, 3, 4, 5));
}

// Instruction 4 is guarded by the branch at 2, instruction 8 is in a loop with its own condition.
constexpr char kGuardAndLoop[] = R"(
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %p1, %r1, 4;
  @%p1 bra BEHIND;
  mov.u32 %r2, 0;
  mov.u32 %r3, 1;
BEHIND:
  mov.u32 %r4, 0;
LOOP:
  setp.lt.u32 %p2, %r4, 4;
  @!%p2 bra DONE;
  add.u32 %r4, %r4, 1;
  bra LOOP;
DONE:
  ret;
)";

std::vector<std::pair<std::uint32_t, bool>> Decisions(const std::string& body,
                                                      std::uint32_t instruction) {
  const Module module = Parsed(body);
  WorkBudget budget(10'000);
  std::vector<std::pair<std::uint32_t, bool>> decisions;
  for (const Decision& one : DecisionsBefore(module.functions.front(), instruction, budget)) {
    decisions.emplace_back(one.branch, one.of_loop);
  }
  return decisions;
}

TEST(DecisionsBefore, AreTheBranchesOnWhichAnInstructionDepends) {
  EXPECT_THAT(Decisions(kGuardAndLoop, 1), IsEmpty());
  EXPECT_THAT(Decisions(kGuardAndLoop, 4), ElementsAre(std::pair(2U, false)));
  // All lanes come here, whatever the branch before decided.
  EXPECT_THAT(Decisions(kGuardAndLoop, 5), IsEmpty());
  EXPECT_THAT(Decisions(kGuardAndLoop, 8), ElementsAre(std::pair(7U, true)));
}

TEST(DecisionsBefore, EndWithTheBudget) {
  const Module module = Parsed(kGuardAndLoop);
  WorkBudget budget(2);
  EXPECT_THAT(DecisionsBefore(module.functions.front(), 4, budget), IsEmpty());
}

TEST(ComparisonsOf, FollowsWhatCombinesPredicates) {
  const Module module = Parsed(R"(
  setp.lt.u32 %p1, %r1, 4;
  setp.lt.u32 %p2, %r2, 4;
  and.pred %p3, %p1, %p2;
  @%p3 bra DONE;
DONE:
  ret;
)");
  const auto& body = module.functions.front().body;
  EXPECT_THAT(ComparisonsOf(module.functions.front(), body[3].guard->predicate),
              ElementsAre(0U, 1U));
}

TEST(FlowGraph, BranchesMeetAgainAtThePostDominator) {
  const Module module = Parsed(kLoop);
  WorkBudget budget(1000);
  EXPECT_THAT(PostDominators(GraphOf(module), budget), ElementsAre(1, 4, 3, 1, 5, 5));
  EXPECT_FALSE(budget.spent());
  const Module endless = Parsed("LOOP:\n  bra LOOP;\n");
  EXPECT_THAT(PostDominators(GraphOf(endless), budget), ElementsAre(1, 1));
  WorkBudget small(3);
  (void)PostDominators(GraphOf(module), small);
  EXPECT_TRUE(small.spent());
}

TEST(Liveness, CountsWordsThatAreLiveAtOnceAndReadsBeforeWrites) {
  const Module module = Parsed(R"(
  add.u32 %r3, %r1, %r2;
  setp.lt.u32 %p1, %r3, 4;
  st.global.u64 [%rd2], %rd1;
  ret;
)");
  WorkBudget budget(1000);
  const Function& function = module.functions.front();
  const Liveness liveness = AnalyseLiveness(function, GraphOf(module), budget);
  std::vector<std::string> at_entry;
  for (const RegisterId id : liveness.at_entry) at_entry.push_back(function.registers[id].name);
  EXPECT_THAT(at_entry, testing::UnorderedElementsAre("%r1", "%r2", "%rd1", "%rd2"));
  EXPECT_EQ(liveness.most_live_words, 6U) << "two numbers and two addresses";
}

// If the guard does not hold, the read gets what the register held before.
TEST(Liveness, AGuardedWriteDoesNotEndWhatTheRegisterHeld) {
  const Module module = Parsed(R"(
  setp.lt.u32 %p1, 1, 4;
  @%p1 mov.u32 %r1, 7;
  mov.u32 %r2, 8;
  add.u32 %r3, %r1, %r2;
  ret;
)");
  WorkBudget budget(1000);
  const Function& function = module.functions.front();
  const Liveness liveness = AnalyseLiveness(function, GraphOf(module), budget);
  ASSERT_EQ(liveness.at_entry.size(), 1U);
  EXPECT_EQ(function.registers[liveness.at_entry.front()].name, "%r1");
}

TEST(ReachingWrites, AreThoseOfAllWaysThatLeadToARead) {
  const Module module = Parsed(kLoop);
  const Function& function = module.functions.front();
  const ReachingWrites writes(function);
  const RegisterId r1 = function.body[0].operands[0].reg;
  const RegisterId p1 = function.body[1].operands[0].reg;
  std::size_t work = 1000;
  EXPECT_THAT(writes.Of(r1, 1, &work), ElementsAre(0, 4)) << "before the loop, and in it";
  EXPECT_THAT(writes.Of(p1, 2, &work), ElementsAre(1));
  EXPECT_GT(work, 900U);
  EXPECT_LT(work, 1000U);
  work = 0;
  EXPECT_THAT(writes.Of(r1, 1, &work), IsEmpty());

  const Module guarded =
      Parsed("  mov.u32 %r1, 1;\n  @%p1 mov.u32 %r1, 2;\n  mov.u32 %r2, %r1;\n  ret;\n");
  const ReachingWrites both(guarded.functions.front());
  work = 1000;
  EXPECT_THAT(both.Of(guarded.functions.front().body[0].operands[0].reg, 2, &work),
              ElementsAre(0, 1));
}

TEST(AddressOrigins, FollowsAddressesThroughSumsAndChoices) {
  const Module module = Parsed(R"(
  mov.u32 %r1, tile;
  add.u32 %r2, %r1, 16;
  mul.lo.u32 %r3, %r2, 2;
  selp.b32 %r4, %r1, %r2, %p1;
  mov.u32 %r5, 3;
  ret;
)");
  AddressOrigins origins(module,
                         [](const Symbol& symbol) { return symbol.space == Space::kShared; });
  WorkBudget budget(100'000);
  const Function& function = module.functions.front();
  ASSERT_TRUE(origins.Find(function, budget));
  const auto symbols_of = [&](std::string_view name) {
    std::vector<std::string> symbols;
    for (RegisterId id = 0; id < function.registers.size(); ++id) {
      if (function.registers[id].name != name) continue;
      for (const SymbolId symbol : origins.Of(id)) symbols.push_back(module.symbols[symbol].name);
    }
    return symbols;
  };
  EXPECT_THAT(symbols_of("%r2"), ElementsAre("tile"));
  EXPECT_THAT(symbols_of("%r4"), ElementsAre("tile"));
  EXPECT_THAT(symbols_of("%r3"), IsEmpty()) << "no address";
  EXPECT_THAT(symbols_of("%r5"), IsEmpty());
  WorkBudget nothing(0);
  EXPECT_FALSE(AddressOrigins(module, [](const Symbol&) { return true; }).Find(function, nothing));
}

}  // namespace
}  // namespace warpcheck::ptx
