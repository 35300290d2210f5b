// Tests what the race checker knows of scopes, fences and locks. Every kernel of data/scopes.cu
// races at the lines that say so, and nowhere else, in any order of blocks.
#include <gmock/gmock.h>

#include <algorithm>
#include <string_view>

#include "emulator/checkers/checkers.h"
#include "emulator/speaking_kernels.h"

namespace warpcheck::emulator {
namespace {

std::vector<Finding> RacesOf(const SpeakingKernel& kernel, std::optional<std::uint64_t> seed) {
  Options options;
  options.checkers.push_back(CheckerNamed("races"));
  options.order_seed = seed;
  return Speak("scopes.cu", kernel, options).findings;
}

class Scopes : public testing::TestWithParam<SpeakingKernel> {};

TEST_P(Scopes, OrderOrRaceAtTheirLinesAlone) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto findings = RacesOf(GetParam(), seed == 0 ? std::nullopt : std::optional(seed));
    EXPECT_EQ(LinesOf(findings), GetParam().expected) << "with seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Scopes,
                         testing::ValuesIn(SpeakingKernels(WARPCHECK_TEST_DATA "/scopes.cu")),
                         [](const testing::TestParamInfo<SpeakingKernel>& kernel) {
                           return kernel.param.name;
                         });

// Returns the first finding of a kernel, its message without the array and the threads, and its
// hint: "at line 88: atomicExch_block() ... | use atomicExch() ...".
std::string TextOf(const std::string& name) {
  const auto kernels = SpeakingKernels(WARPCHECK_TEST_DATA "/scopes.cu");
  const auto kernel = std::ranges::find(kernels, name, &SpeakingKernel::name);
  if (kernel == kernels.end()) return "no kernel";
  std::vector<Finding> findings = RacesOf(*kernel, std::nullopt);
  if (findings.empty()) return "no finding";
  const std::string message = MessageOf(findings.back());
  const std::size_t from = message.rfind(" at ");
  const std::size_t to = message.find("; here");
  return message.substr(from + 1, to == std::string::npos ? to : to - from - 1) + " | " +
         HintFor(findings.back());
}

constexpr const char* kOrdersNothing =
    ": the scope of a block orders nothing for the threads of another block";

TEST(ScopeText, NamesTheScopeThatWouldOrderTheAtomics) {
  EXPECT_EQ(TextOf("counter_of_a_block"),
            std::string("at this line: atomicAdd_block() reaches only the threads of its own block "
                        "| use atomicAdd() instead of atomicAdd_block() in line 15") +
                kOrdersNothing);
  EXPECT_EQ(TextOf("counter_of_two_scopes"),
            std::string("at line 38: atomicMax_block() reaches only the threads of its own block | "
                        "use atomicMax() instead of atomicMax_block() in line 40") +
                kOrdersNothing);
  EXPECT_EQ(TextOf("atomic_ref_of_a_block"),
            std::string("at this line: cuda::thread_scope_block reaches only the threads of its "
                        "own block | use cuda::thread_scope_device instead of "
                        "cuda::thread_scope_block in line 72") +
                kOrdersNothing);
}

TEST(ScopeText, NamesTheScopeThatWouldOrderWhatAFlagStandsFor) {
  EXPECT_EQ(TextOf("flag_of_a_block"),
            std::string("at line 88: atomicExch_block() reaches only the threads of its own block; "
                        "so nothing orders line 86 before line 93 | use atomicExch() instead of "
                        "atomicExch_block() in line 88") +
                kOrdersNothing);
  EXPECT_EQ(TextOf("acquired_for_a_block"),
            std::string("at line 238: cuda::thread_scope_block reaches only the threads of its own "
                        "block; so nothing orders line 237 before line 242 | use "
                        "cuda::thread_scope_device instead of cuda::thread_scope_block in line "
                        "240") +
                kOrdersNothing);
}

TEST(ScopeText, NamesTheFenceWithTheScopeOfABlock) {
  EXPECT_EQ(TextOf("flag_behind_the_fence_of_a_block"),
            std::string("at line 116, with only a __threadfence_block() between the write and the "
                        "signal | use __threadfence() instead of __threadfence_block() in line "
                        "117") +
                kOrdersNothing);
  EXPECT_EQ(TextOf("flag_with_the_fence_of_a_block_behind_it"),
            std::string("at line 161, with only a __threadfence_block() between the flag and the "
                        "read | use __threadfence() instead of __threadfence_block() in line 167") +
                kOrdersNothing);
  EXPECT_EQ(TextOf("relaxed_flag_between_fences_of_a_block"),
            std::string("at line 304, with only a fence of cuda::thread_scope_block between the "
                        "write and the signal | use cuda::thread_scope_device instead of "
                        "cuda::thread_scope_block in line 305") +
                kOrdersNothing);
  EXPECT_EQ(TextOf("lock_with_block_fences"),
            std::string("at this line, with only a __threadfence_block() before the lock is "
                        "released in line 486 | use __threadfence() instead of "
                        "__threadfence_block() in line 483 and in line 485") +
                kOrdersNothing);
}

TEST(ScopeText, NamesTheFenceThatIsMissingBehindAFlag) {
  EXPECT_EQ(TextOf("flag_without_a_fence_behind_it"),
            "at line 131, with no __threadfence() between the flag and the read | put a "
            "__threadfence() between line 135, which reads the flag, and line 137, which reads the "
            "data that the flag announces: without the fence the data may be read first");
  EXPECT_EQ(TextOf("last_thread_without_a_second_fence"),
            "at line 418, with no __threadfence() between the flag and the read | put a "
            "__threadfence() after the atomic in line 420, in a line of its own, and before the "
            "data is read that the atomic announces: without it the data may be read first");
}

TEST(ScopeText, NamesTheOrderThatARelaxedFlagLacks) {
  EXPECT_EQ(TextOf("relaxed_flag"),
            "at line 276, with a relaxed signal | use cuda::memory_order_release in line 277, "
            "which signals the write in line 276 to other blocks: after a relaxed store they may "
            "see the flag, and still read old data");
}

TEST(ScopeText, TakesVolatileDataForData) {
  EXPECT_EQ(TextOf("volatile_sums_without_a_fence"),
            "at line 580, with no __threadfence() between the write and the signal | put a "
            "__threadfence() between the write in line 580 and the atomic or flag in line 581 that "
            "signals it to other blocks: without the fence they may see the flag, and still read "
            "old data");
}

TEST(ScopeText, NamesTheFenceThatATicketLockLacks) {
  EXPECT_EQ(TextOf("ticket_lock_without_a_fence"),
            "at this line, with no __threadfence() between the write and the signal | put a "
            "__threadfence() between the write in line 640 and the atomic or flag in line 641 that "
            "signals it to other blocks: without the fence they may see the flag, and still read "
            "old data");
}

TEST(ScopeText, SaysHowALockIsTakenAndGivenBack) {
  EXPECT_EQ(TextOf("lock_of_a_block"),
            std::string("at line 450: atomicExch_block() reaches only the threads of its own "
                        "block; so nothing orders what two blocks do in line 453 | use "
                        "atomicCAS() instead of atomicCAS_block() in line 450, and use "
                        "atomicExch() instead of atomicExch_block() in line 455") +
                kOrdersNothing);
  EXPECT_EQ(TextOf("lock_without_a_fence_behind_taking"),
            "at this line, with no __threadfence() after the lock is taken in line 471 | put a "
            "__threadfence() after line 471, which takes the lock: without it the accesses under "
            "the lock may be made before it is taken");
  EXPECT_EQ(TextOf("lock_given_back_by_a_store"),
            "at this line, under a lock that line 508 gives back by a plain store | give the lock "
            "back by atomicExch() in line 508, behind a __threadfence(): a plain store is not "
            "ordered with the atomics that take the lock");
}

TEST(ScopeText, SaysWhatIsNoAtomic) {
  EXPECT_EQ(TextOf("atomics_of_two_sizes"),
            "at line 546: the two atomics have different sizes | access this memory by atomics of "
            "one size: atomics of different sizes are not atomic to each other");
  EXPECT_EQ(TextOf("plain_read_of_an_atomic"),
            "at line 365: nothing orders the blocks of a grid | read it by an atomic, atomicAdd(p, "
            "0), in line 367, or cuda::atomic_ref: a plain access races with the atomics of other "
            "threads");
  EXPECT_EQ(
      TextOf("total_set_by_a_block"),
      "at line 627: nothing orders the blocks of a grid | set it before the launch, by "
      "cudaMemset() or in an earlier kernel, if line 627 gives it its first value: within one "
      "launch other threads may update it before that. Else use an atomic there too");
  EXPECT_EQ(TextOf("volatile_flag"),
            "at line 323: volatile is no atomic of CUDA C++ | access it by atomics, such as "
            "atomicExch(&flag, 1) and atomicAdd(&flag, 0), or by cuda::atomic_ref: GPUs keep "
            "volatile accesses of one word apart (PTX says so), but CUDA C++ does not promise it");
}

// A note costs nothing.
TEST(ScopeText, HasNoNoteOnTheCodeOfALibrary) {
  const auto kernels = SpeakingKernels(WARPCHECK_TEST_DATA "/scopes.cu");
  const auto kernel = std::ranges::find(kernels, "volatile_flag", &SpeakingKernel::name);
  ASSERT_NE(kernel, kernels.end());
  Options options;
  options.checkers.push_back(CheckerNamed("races"));
  options.is_student_file = [](std::string_view) { return false; };
  EXPECT_THAT(Speak("scopes.cu", *kernel, options).findings, testing::IsEmpty());
}

TEST(ScopeText, OfVolatileIsANote) { EXPECT_TRUE(IsInformation(FindingKind::kVolatileRace)); }

}  // namespace
}  // namespace warpcheck::emulator
