// Tests that no instruction accesses memory for nothing: each opcode with a memory operand is
// executed, and makes some counter larger that is not a mere count of instructions.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "emulator/test_device.h"
#include "emulator/texture_rig.h"
#include "ptx/opcode.h"
#include "ptx/opcode_row.h"

namespace warpcheck::emulator {
namespace {

using testing::IsEmpty;

// Returns the counters of line 7 of the last launch.
CounterSet Line7(const TestDevice& device) {
  for (const LineCounters& line : device.last().lines) {
    if (line.where.line == 7) return line.counters;
  }
  return {};
}

// Returns the names of the counters that line 7 of the last launch has, without those of all
// instructions.
std::set<std::string> NamesInLine7(const TestDevice& device) {
  std::set<std::string> names;
  const CounterSet counters = Line7(device);
  for (const Counter counter : kAllCounters) {
    if (counters.OrZero(counter) != 0) names.emplace(Info(counter).name);
  }
  for (const char* every : {"warp_instructions", "thread_instructions", "branches_uniform"}) {
    names.erase(every);
  }
  return names;
}

constexpr std::string_view kVariables =
    ".const .align 16 .b8 table[1024];\n.global .align 16 .b8 numbers[1024];\n";

// Runs an instruction with 32 lanes, or with lane 0 alone. It finds the address of the lane's own
// 16 bytes in global memory in %rd2, in shared memory in %r3 and (generic) %rd3, in constant memory
// in %rd4 and (generic) %rd5, in local memory in %rd6 and (generic) %rd7, and of a parameter in
// %rd8 and (generic) %rd9. The shared bytes hold an mbarrier.
void RunOn(TestDevice& device, std::string_view instruction, bool alone = false) {
  constexpr std::string_view kBody = R"(
  .shared .align 16 .b8 smem[1024];
  .local .align 16 .b8 own[64];
  mad.wide.u32 %rd2, %r1, 16, %rd1;
  mov.u32 %r3, smem; mad.lo.u32 %r3, %r1, 16, %r3;
  cvt.u64.u32 %rd3, %r3; cvta.shared.u64 %rd3, %rd3;
  mov.u64 %rd4, table; mad.wide.u32 %rd4, %r1, 16, %rd4; cvta.const.u64 %rd5, %rd4;
  and.b32 %r4, %r1, 3; mov.u64 %rd6, own; mad.wide.u32 %rd6, %r4, 16, %rd6; cvta.local.u64 %rd7, %rd6;
  and.b32 %r4, %r1, 1; mov.u64 %rd8, k_param_0; mad.wide.u32 %rd8, %r4, 4, %rd8; cvta.param.u64 %rd9, %rd8;
  st.local.v2.u64 [%rd6], {0, 0};
  mbarrier.init.shared.b64 [%r3], 1000;
  mov.u32 %r10, 0; mov.u32 %r11, 0; mov.u32 %r12, 0; mov.u32 %r13, 0;
  mov.u32 %r14, 0; mov.u32 %r15, 0; mov.u32 %r16, 0; mov.u32 %r17, 0; mov.f32 %f10, 0f00000000;
  .loc 1 7 1
  )";
  constexpr std::string_view kGuard = "setp.ne.u32 %p9, %r1, 0; @%p9 ret;";
  device.Load(
      SmallKernel(fmt::format("{}{}{}", alone ? kGuard : "", kBody, instruction), kVariables));
  const DeviceAddress memory = device.Upload(std::vector<std::uint64_t>(1024));
  const DeviceError error = device.Launch("k", kSingle, {32, 1, 1}, Parameters().Add(memory));
  EXPECT_EQ(error, DeviceError::kSuccess) << instruction;
  EXPECT_THAT(device.Findings(), IsEmpty()) << instruction;
}

std::set<std::string> CountedBy(std::string_view instruction) {
  TestDevice device;
  RunOn(device, instruction);
  return NamesInLine7(device);
}

// Runs an instruction with a texture or surface of 8 x 8 words in %rd1.
std::set<std::string> CountedAtObject(bool is_surface, const std::string& instruction) {
  TextureRig rig;
  TextureDescriptor object;
  object.width = object.height = 8;
  object.is_surface = is_surface ? 1 : 0;
  const DeviceAddress made = rig.Make(object, std::vector<std::uint32_t>(64));
  rig.Run(instruction, made, std::vector<std::array<std::uint32_t, 4>>(32));
  EXPECT_EQ(rig.error, DeviceError::kSuccess) << instruction;
  return NamesInLine7(rig.device);
}

using Instructions = std::map<std::string, std::vector<std::string>>;

// These are the instructions, by opcode: one for each memory and form that an opcode has.
const Instructions& OfMemory() {
  static const Instructions instructions = {
      {"ld",
       {"ld.global.u32 %r9, [%rd2];", "ld.u32 %r9, [%rd2];", "ld.volatile.global.u32 %r9, [%rd2];",
        "ld.relaxed.gpu.global.u32 %r9, [%rd2];", "ld.acquire.gpu.u32 %r9, [%rd2];",
        "ld.global.nc.v4.u32 {%r5, %r6, %r7, %r8}, [%rd2];", "ld.global.u32 %r9, [numbers];",
        "ld.shared.u32 %r9, [%r3];", "ld.u32 %r9, [%rd3];", "ld.const.u32 %r9, [%rd4];",
        "ld.const.u32 %r9, [table];", "ld.u32 %r9, [%rd5];", "ld.local.u32 %r9, [%rd6];",
        "ld.u32 %r9, [%rd7];", "ld.param.u32 %r9, [%rd8];", "ld.u32 %r9, [%rd9];"}},
      {"ldu", {"ldu.global.u32 %r9, [%rd2];"}},
      {"st",
       {"st.global.u32 [%rd2], %r1;", "st.u32 [%rd2], %r1;", "st.volatile.u32 [%rd3], %r1;",
        "st.release.gpu.global.u32 [%rd2], %r1;", "st.shared.u32 [%r3], %r1;",
        "st.u32 [%rd3], %r1;", "st.local.u32 [%rd6], %r1;", "st.u32 [%rd7], %r1;"}},
      {"prefetch", {"prefetch.global.L2 [%rd2];"}},
      {"prefetchu", {"prefetchu.L1 [%rd2];"}},
      {"cp.async",
       {"cp.async.cg.shared.global [%r3], [%rd2], 16;",
        "cp.async.ca.shared.global [%r3], [%rd2], 4;"}},
      {"discard", {"discard.global.L2 [%rd1], 128;"}},
      {"applypriority", {"applypriority.global.L2::evict_normal [%rd1], 128;"}},
      {"atom",
       {"atom.global.add.u32 %r9, [%rd2], 1;", "atom.add.u32 %r9, [%rd2], 1;",
        "atom.shared.add.u32 %r9, [%r3], 1;", "atom.exch.b32 %r9, [%rd3], 1;"}},
      {"red", {"red.global.add.u32 [%rd2], 1;", "red.add.u32 [%rd3], 1;"}},
      {"mbarrier.init", {"mbarrier.init.shared.b64 [%r3], 5;"}},
      {"mbarrier.inval", {"mbarrier.inval.shared.b64 [%r3];"}},
      {"mbarrier.arrive",
       {"mbarrier.arrive.shared.b64 %rd10, [%r3];",
        "mov.u32 %r3, smem; mbarrier.arrive.shared.b64 "
        "%rd10, [%r3];"}},
      {"mbarrier.arrive_drop", {"mbarrier.arrive_drop.shared.b64 %rd10, [%r3];"}},
      {"mbarrier.test_wait", {"mbarrier.test_wait.parity.shared.b64 %p1, [%r3], 0;"}},
      {"mbarrier.try_wait", {"mbarrier.try_wait.parity.shared.b64 %p1, [%r3], 0;"}},
      {"mbarrier.expect_tx", {"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r3], 16;"}},
      {"mbarrier.complete_tx", {"mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r3], 16;"}},
      {"cp.async.mbarrier.arrive", {"cp.async.mbarrier.arrive.noinc.shared.b64 [%r3];"}},
      {"wmma.load",
       {"mov.u32 %r3, smem; wmma.load.c.sync.aligned.row.m16n16k16.shared.f16 {%r5, %r6, %r7, "
        "%r8}, "
        "[%r3];"}},
      {"wmma.store",
       {"mov.u32 %r3, smem; wmma.store.d.sync.aligned.row.m16n16k16.shared.f16 [%r3], {%r10, %r11, "
        "%r12, %r13};"}},
      {"ldmatrix", {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r5, %r6, %r7, %r8}, [%r3];"}},
      {"stmatrix", {"stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r3], {%r10, %r11, %r12, %r13};"}},
      {"cp.async.bulk", {"cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r3], 16;"}},
      {"cp.async.bulk.prefetch", {"cp.async.bulk.prefetch.L2.global [%rd2], 16;"}},
  };
  return instructions;
}

const Instructions& OfTextures() {
  static const Instructions instructions = {
      {"tex", {"tex.2d.v4.u32.s32 {%r8, %r9, %r10, %r11}, [%rd1, {%r4, %r5}];"}},
      {"tld4", {"tld4.r.2d.v4.u32.f32 {%r8, %r9, %r10, %r11}, [%rd1, {%f4, %f5}];"}},
      {"txq", {"txq.width.b32 %r8, [%rd1];"}},
  };
  return instructions;
}

const Instructions& OfSurfaces() {
  static const Instructions instructions = {
      {"suld", {"suld.b.2d.b32.trap {%r8}, [%rd1, {%r4, %r5}];"}},
      {"sust", {"sust.b.2d.b32.trap [%rd1, {%r4, %r5}], {%r6};"}},
      {"suq", {"suq.width.b32 %r8, [%rd1];"}},
  };
  return instructions;
}

bool HasMemoryOperand(ptx::Opcode opcode) {
  for (const ptx::OpcodeForm& form : ptx::RowOf(opcode).forms) {
    for (const ptx::OperandSlot& operand : form.operands) {
      if (operand.role == 'm' || operand.role == 't') return true;
    }
  }
  return false;
}

TEST(MemoryCosts, CoverEveryOpcodeWithAMemoryOperand) {
  for (std::size_t i = 0; i < ptx::kOpcodeCount; ++i) {
    const auto opcode = static_cast<ptx::Opcode>(i);
    if (!ptx::IsExecuted(opcode)) continue;
    const std::string name(ptx::Text(opcode));
    const bool tested =
        OfMemory().contains(name) || OfTextures().contains(name) || OfSurfaces().contains(name);
    EXPECT_EQ(tested, HasMemoryOperand(opcode)) << name;
  }
}

TEST(MemoryCosts, NoAccessLeavesAllCountersAsTheyWere) {
  for (const auto& [opcode, instructions] : OfMemory()) {
    for (const std::string& instruction : instructions) {
      EXPECT_FALSE(CountedBy(instruction).empty()) << instruction;
    }
  }
  for (const auto& [opcode, instructions] : OfTextures()) {
    EXPECT_FALSE(CountedAtObject(false, instructions[0]).empty()) << instructions[0];
  }
  for (const auto& [opcode, instructions] : OfSurfaces()) {
    EXPECT_FALSE(CountedAtObject(true, instructions[0]).empty()) << instructions[0];
  }
}

// Returns true for an instruction that all lanes execute together, or that one lane is meant to
// execute, or that moves no value.
bool MayBeForOneLane(const std::string& opcode) {
  static const std::set<std::string> opcodes = {"wmma.load",
                                                "wmma.store",
                                                "ldmatrix",
                                                "stmatrix",
                                                "cp.async.bulk",
                                                "prefetch",
                                                "cp.async.bulk.prefetch",
                                                "prefetchu",
                                                "discard",
                                                "applypriority"};
  return opcodes.contains(opcode) || opcode.starts_with("mbarrier.") ||
         opcode == "cp.async.mbarrier.arrive";
}

// Every instruction that moves values of global or shared memory counts its idle lanes, and as an
// instruction of global memory.
TEST(MemoryCosts, LanesThatDoNotTakePartAreIdle) {
  for (const auto& [opcode, instructions] : OfMemory()) {
    if (MayBeForOneLane(opcode)) continue;
    for (const std::string& instruction : instructions) {
      TestDevice device;
      RunOn(device, instruction, true);
      const CounterSet counters = Line7(device);
      const auto of = [&](Counter counter) { return counters.OrZero(counter); };
      if (of(Counter::kConstantRequests) + of(Counter::kLocalSectors) != 0) continue;
      const std::uint64_t requests = of(Counter::kGlobalRequests) + of(Counter::kSharedRequests);
      const std::uint64_t lanes = of(Counter::kGlobalLanes) + of(Counter::kSharedLanes);
      EXPECT_EQ(kLanes * requests - lanes + of(Counter::kAsyncCopyIdleLanes), 31) << instruction;
      EXPECT_EQ(of(Counter::kGlobalInstructions), of(Counter::kGlobalSectors) == 0 ? 0 : 1)
          << instruction;
    }
  }
}

// The address is known to the compiler, and all lanes get the same value: it is an operand of
// another instruction.
TEST(MemoryCosts, ParametersByNameAreNoAccesses) {
  EXPECT_THAT(CountedBy("ld.param.u32 %r9, [k_param_0];"), IsEmpty());
  EXPECT_THAT(CountedBy("mov.u64 %rd11, k_param_0; ld.param.u32 %r9, [%rd11+4];"), IsEmpty());
  EXPECT_THAT(
      CountedBy("mov.u64 %rd11, k_param_0; add.u64 %rd12, %rd11, 4; ld.param.u32 %r9, [%rd12];"),
      IsEmpty());
}

TEST(MemoryCosts, ParametersByIndexAreReadAsConstants) {
  const std::set<std::string> constants = {"constant_requests", "constant_passes"};
  EXPECT_EQ(CountedBy("ld.param.u32 %r9, [%rd8];"), constants);
  EXPECT_EQ(CountedBy("ld.u32 %r9, [%rd9];"), constants);
  // A register that is written twice may have any address.
  EXPECT_EQ(CountedBy("mov.u64 %rd11, k_param_0; @%p1 add.u64 %rd11, %rd11, 4; "
                      "ld.param.u32 %r9, [%rd11];"),
            constants);
}

// As on a GPU: Nsight Compute counts sectors of global memory for them.
TEST(MemoryCosts, ConstantsByGenericAddressesAreReadAsGlobalMemory) {
  const std::set<std::string> names = CountedBy("ld.u32 %r9, [%rd5];");
  EXPECT_TRUE(names.contains("global_load_sectors"));
  EXPECT_FALSE(names.contains("constant_requests"));
}

}  // namespace
}  // namespace warpcheck::emulator
