#include "checks/trial_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "trial/fakes.h"

namespace warpcheck {
namespace {

// Returns the failure as one that tells a finding of this kind.
CaseFailure OfKind(FindingKind kind, CaseFailure failure) {
  failure.complaint.kind = ComplaintKindOf(kind);
  return failure;
}

using remote::CallEnd;
using sandbox::Cause;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

ArrayEnd ArrayOf(bool is_input, std::vector<std::byte> before, std::vector<std::byte> after) {
  return {.start = std::make_shared<ArrayStart>(
              ArrayStart{typeid(char), {before.size()}, std::move(before), is_input}),
          .bytes = std::move(after)};
}

// Returns a trial with one launch, whose input is unchanged and whose output is written.
Trial CleanTrial() {
  Trial trial = ReturnedTrial();
  trial.launches = {LaunchOf("tiled(float*)")};
  trial.arrays = {ArrayOf(true, {std::byte{1}}, {std::byte{1}}),
                  ArrayOf(false, {std::byte{0xFF}}, {std::byte{1}})};
  return trial;
}

Finding FindingOf(FindingKind kind, int line, std::string message) {
  Finding finding;
  finding.kind = kind;
  finding.where = {"transpose.cu", line, 0};
  finding.kernel = "tiled(float*)";
  finding.message = std::move(message);
  finding.thread = ThreadPosition{.block = {3, 0, 0}, .thread = {31, 7, 0}, .lane = 31};
  finding.count = 1200;
  return finding;
}

Trial DisconnectedTrial(Cause cause, int exit_code, int signal) {
  Trial trial = EndedTrial(CallEnd::kDisconnected);
  trial.ending.cause = cause;
  trial.ending.exit_code = exit_code;
  trial.ending.signal = signal;
  return trial;
}

TEST(RunsCleanly, IsSilentForACleanTrial) {
  EXPECT_THAT(FailuresOf(CleanTrial(), RunsCleanly()), IsEmpty());
}

TEST(RunsCleanly, LeavesAccessesOutOfBoundsToStaysInBounds) {
  Trial trial = CleanTrial();
  trial.launches[0].findings = {FindingOf(FindingKind::kOutOfBoundsRead, 9, "reads 4 bytes")};
  EXPECT_THAT(FailuresOf(trial, RunsCleanly()), IsEmpty());
}

TEST(RunsCleanly, NamesWhoseProgramEnded) {
  EXPECT_THAT(
      FailuresOf(DisconnectedTrial(Cause::kExited, 0, 0), RunsCleanly()),
      ElementsAre(FailureOf(Verdict::kError,
                            "transpose() ended the program (exit status 0) instead of returning",
                            "return from the function, and do not call exit()")));
}

// Returns the failure of a call whose host crashed after this last output.
std::vector<CaseFailure> FailuresOfCrash(int signal, std::string words) {
  Trial trial = DisconnectedTrial(Cause::kSignaled, 0, signal);
  trial.ending.stderr_text = std::move(words);
  return FailuresOf(trial, RunsCleanly());
}

TEST(RunsCleanly, NamesTheSignalAndTheLastWords) {
  EXPECT_THAT(
      FailuresOfCrash(SIGSEGV,
                      "host code read or wrote address 0x1000001000000, which is device memory\n"),
      ElementsAre(FailureOf(
          Verdict::kError,
          "transpose() crashed on the host: it was killed by signal 11 (segmentation fault)\nits "
          "last output: host code read or wrote address 0x1000001000000, which is device memory",
          "host code cannot read or write through device pointers, only kernels can; cudaMemcpy() "
          "copies what they point to")));
}

TEST(RunsCleanly, TellsCrashesOfTheHostApart) {
  const auto hint = [](const std::string& words) {
    return FailuresOfCrash(SIGSEGV, words).at(0).complaint.hint;
  };
  EXPECT_EQ(hint("host code ran out of stack\n"),
            "look in host code for a function that calls itself without end, or for a local array "
            "that is too large for the stack: use a std::vector instead");
  EXPECT_EQ(hint("host code read or wrote address 0x0, which is a null pointer\n"),
            "look in host code for a pointer that was never set, or whose allocation failed");
  EXPECT_EQ(hint(""),
            "look in host code for an index out of bounds, or a pointer that is no longer valid");
  EXPECT_EQ(FailuresOfCrash(SIGABRT, "").at(0).complaint.hint, "");
}

TEST(RunsCleanly, NamesTheLimit) {
  Trial loops = EndedTrial(CallEnd::kDisconnected);
  loops.ending.cause = Cause::kCpuTime;
  EXPECT_THAT(FailuresOf(loops, RunsCleanly()),
              ElementsAre(FailureOf(Verdict::kError,
                                    "transpose() was stopped: it used more than 10 s of CPU time",
                                    "look in host code for a loop that never ends")));
  Trial sleeps = EndedTrial(CallEnd::kGivenUp);
  sleeps.ending.cause = Cause::kIdle;
  EXPECT_THAT(
      FailuresOf(sleeps, RunsCleanly()),
      ElementsAre(FailureOf(
          Verdict::kError,
          "transpose() was stopped: it waited longer than 10 s for something that never came",
          "look for a sleep, a read from stdin, a lock that is never released, or a wait for a "
          "thread that does not end")));
}

TEST(RunsCleanly, NamesTheBudgetOfAllCalls) {
  EXPECT_THAT(
      FailuresOf(EndedTrial(CallEnd::kSpent, "1000000 requests to the device"), RunsCleanly()),
      ElementsAre(FailureOf(Verdict::kError,
                            "transpose() was stopped: all calls together may use at most 1000000 "
                            "requests to the device",
                            "look for a loop that calls the CUDA runtime and never ends")));
  Trial early = ReturnedTrial();
  early.stopped_early = true;
  early.outcome.text = "20 s on the host (100 %)";
  EXPECT_THAT(
      FailuresOf(early, RunsCleanly()),
      ElementsAre(FailureOf(Verdict::kError,
                            "transpose() was not called, because earlier calls have reached the "
                            "limit of all calls together: 20 s on the host (100 %)",
                            "look at the tests before this one: correct the call that ran "
                            "longest, or the call that reached a limit")));
}

TEST(RunsCleanly, NamesWhatTheSubmissionLacks) {
  EXPECT_THAT(
      FailuresOf(EndedTrial(CallEnd::kNoSuchFunction,
                            "transpose(float const*, float*, int, int) is not defined; found "
                            "transpose(float*, float*, int, int) instead"),
                 RunsCleanly()),
      ElementsAre(FailureOf(
          Verdict::kError,
          "transpose(float const*, float*, int, int) is not defined; found transpose(float*, "
          "float*, int, int) instead",
          "name, parameter types and their order must be the same as in the assignment's header")));
  EXPECT_THAT(
      FailuresOf(EndedTrial(CallEnd::kLoadFailed, "undefined symbol: cublasSgeam"), RunsCleanly()),
      ElementsAre(FailureOf(Verdict::kError,
                            "the submission cannot be loaded: undefined symbol: cublasSgeam",
                            "only the CUDA runtime is available, no other library")));
}

TEST(RunsCleanly, NamesABrokenProtocol) {
  EXPECT_THAT(FailuresOf(EndedTrial(CallEnd::kProtocolError, "no such message"), RunsCleanly()),
              ElementsAre(FailureOf(
                  Verdict::kError,
                  "transpose() broke the protocol between host and device: no such message",
                  "do not write to file descriptors that you did not open")));
}

TEST(RunsCleanly, ShowsAFindingOnceForEachLine) {
  Trial trial = CleanTrial();
  const Finding finding =
      FindingOf(FindingKind::kBarrierDivergence, 11, "a barrier that 8 of 32 lanes reach");
  trial.launches[0].findings = {finding};
  trial.launches.push_back(trial.launches[0]);
  EXPECT_THAT(FailuresOf(trial, RunsCleanly()),
              ElementsAre(OfKind(
                  FindingKind::kBarrierDivergence,
                  FailureOf(Verdict::kFailed,
                            "a barrier that 8 of 32 lanes reach\n  first in block (3, 0, 0), "
                            "thread (31, 7, 0) of tiled(float*); 2,400 times in all",
                            "every thread of the block must reach __syncthreads(): move it out "
                            "of the if, and return only after the last barrier",
                            {"transpose.cu", 11, 0}))));
}

// Another function makes a race between lines 10 and 11 in two instantiations, and leaves values
// unwritten.
TEST(RunsCleanly, ShowsAMissingBarrierOnce) {
  Trial trial = CleanTrial();
  Finding race = FindingOf(FindingKind::kSharedRace, 3, "thread (1,0,0) reads element 3 of tile");
  race.gap = Gap{{"transpose.cu", 10, 0}, {"transpose.cu", 11, 0}, "__syncthreads()"};
  race.caller = {"transpose.cu", 11, 0};
  race.hint = "put a __syncthreads() there";
  trial.launches[0].findings = {
      FindingOf(FindingKind::kUninitialisedUse, 11, "reads element 3 of tile"), race};
  trial.launches.push_back(trial.launches[0]);
  trial.launches[1].findings[1].kernel = "tiled<8>(float*)";
  EXPECT_THAT(
      FailuresOf(trial, RunsCleanly()),
      ElementsAre(OfKind(
          FindingKind::kSharedRace,
          FailureOf(
              Verdict::kFailed,
              "no __syncthreads() between line 10 and line 11: thread (1,0,0) reads element 3 "
              "of tile; the function called there does so in line 3\n  first in block (3, 0, "
              "0), thread (31, 7, 0) of tiled(float*); 2,400 times in all",
              "put a __syncthreads() there", {"transpose.cu", 11, 0}))));
}

TEST(RunsCleanly, ShowsTheCauseFirst) {
  Trial trial = CleanTrial();
  Finding beyond = FindingOf(FindingKind::kSharedOutOfBounds, 5, "writes past the end of tile");
  Finding race = FindingOf(FindingKind::kSharedRace, 8, "reads sums");
  race.thread.reset();
  beyond.thread.reset();
  trial.launches[0].findings = {beyond, race};
  EXPECT_THAT(
      FailuresOf(trial, RunsCleanly()),
      ElementsAre(
          OfKind(FindingKind::kSharedOutOfBounds,
                 FailureOf(Verdict::kFailed, "writes past the end of tile",
                           "make the __shared__ array large enough for all that the block keeps "
                           "there, with halo and padding, or guard the access: a thread without an "
                           "element there must not access it",
                           {"transpose.cu", 5, 0})),
          OfKind(FindingKind::kSharedRace,
                 FailureOf(
                     Verdict::kFailed,
                     "reads sums\n  this may be a consequence of the access out of bounds in line "
                     "5: correct that first",
                     "", {"transpose.cu", 8, 0}))));
  // The order of blocks decides which is found first.
  trial.launches[0].findings = {race, beyond};
  ASSERT_THAT(FailuresOf(trial, RunsCleanly()), testing::SizeIs(2));
  EXPECT_EQ(FailuresOf(trial, RunsCleanly())[0].complaint.message, "writes past the end of tile");
}

TEST(RunsCleanly, ShowsABarrierThatThreadsMissBeforeWhatFollowsFromIt) {
  Trial trial = CleanTrial();
  Finding unwritten = FindingOf(FindingKind::kUninitialisedUse, 12, "reads tile");
  Finding race = FindingOf(FindingKind::kSharedRace, 8, "reads sums");
  Finding barrier = FindingOf(FindingKind::kBarrierNotReached, 7, "only 1 of 8 warps");
  for (Finding* finding : {&unwritten, &race, &barrier}) finding->thread.reset();
  trial.launches[0].findings = {unwritten, race, barrier};
  const std::vector<CaseFailure> failures = FailuresOf(trial, RunsCleanly());
  ASSERT_THAT(failures, testing::SizeIs(3));
  constexpr char kFollows[] =
      "\n  this may be a consequence of the barrier that not all threads reach in line 7: correct "
      "that first";
  EXPECT_EQ(failures[0].complaint.message, "only 1 of 8 warps");
  EXPECT_EQ(failures[1].complaint.message, std::string("reads sums") + kFollows);
  EXPECT_EQ(failures[2].complaint.message, std::string("reads tile") + kFollows);
  EXPECT_EQ(failures[1].complaint.hint, "");
}

// Another kernel has run before, so the barrier cannot have misled it.
TEST(RunsCleanly, KeepsTheOrderOfKernels) {
  Trial trial = CleanTrial();
  Finding race = FindingOf(FindingKind::kSharedRace, 8, "reads sums");
  Finding barrier = FindingOf(FindingKind::kBarrierNotReached, 7, "only 1 of 8 warps");
  barrier.kernel = "second(float*)";
  for (Finding* finding : {&race, &barrier}) finding->thread.reset();
  trial.launches[0].findings = {race, barrier};
  ASSERT_THAT(FailuresOf(trial, RunsCleanly()), testing::SizeIs(2));
  EXPECT_EQ(FailuresOf(trial, RunsCleanly())[0].complaint.message, "reads sums");
}

std::vector<std::string> MessagesOf(const Trial& trial) {
  std::vector<std::string> messages;
  for (const CaseFailure& failure : FailuresOf(trial, RunsCleanly())) {
    messages.push_back(failure.complaint.message);
  }
  return messages;
}

TEST(RunsCleanly, ShowsWhyAProgramEndedItselfFirst) {
  Finding refused;
  refused.kind = FindingKind::kInvalidLaunch;
  refused.message = "the launch fails";
  Trial exits = DisconnectedTrial(Cause::kExited, 1, 0);
  exits.findings = {refused};
  EXPECT_THAT(MessagesOf(exits),
              ElementsAre("the launch fails",
                          "transpose() ended the program (exit status 1) instead of returning"));
  Trial throws = EndedTrial(CallEnd::kException);
  throws.outcome.text = "std::runtime_error: cuda";
  throws.findings = {refused};
  EXPECT_THAT(
      MessagesOf(throws),
      ElementsAre("the launch fails", "an exception left transpose(): std::runtime_error: cuda"));
  // A crash comes first, because it has another cause.
  Trial crashes = DisconnectedTrial(Cause::kSignaled, 0, SIGSEGV);
  crashes.findings = {refused};
  EXPECT_THAT(MessagesOf(crashes).back(), "the launch fails");
}

TEST(RunsCleanly, ShowsACallThatIsNotOfferedBeforeWhatFails) {
  Finding call;
  call.kind = FindingKind::kUnsupportedCall;
  call.message = "cudaGraphCreate is not offered";
  Trial trial = CleanTrial();
  trial.findings = {call};
  EXPECT_THAT(MessagesOf(trial), IsEmpty()) << "nothing fails";
  Trial exits = DisconnectedTrial(Cause::kExited, 1, 0);
  exits.findings = {call};
  const std::vector<CaseFailure> failures = FailuresOf(exits, RunsCleanly());
  ASSERT_EQ(failures.size(), 2u);
  EXPECT_EQ(failures[0].complaint.message, "cudaGraphCreate is not offered");
  EXPECT_EQ(failures[0].verdict, failures[1].verdict);
}

TEST(RunsCleanly, CallsADeviceFaultAnError) {
  Trial trial = CleanTrial();
  trial.launches[0].error = DeviceError::kIllegalAddress;
  trial.launches[0].findings = {FindingOf(FindingKind::kIllegalAddress, 12, "a host pointer")};
  const auto failures = FailuresOf(trial, RunsCleanly());
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].verdict, Verdict::kError);
}

TEST(RunsCleanly, NamesErrorsThatNobodyChecked) {
  Trial trial = CleanTrial();
  trial.outcome.last_error = 9;
  EXPECT_THAT(
      FailuresOf(trial, RunsCleanly()),
      ElementsAre(FailureOf(
          Verdict::kFailed,
          "transpose() returned with an error that it did not check: cudaErrorInvalidConfiguration "
          "(9)",
          "check what every CUDA call returns, and call cudaGetLastError() after a launch")));
  trial.launches[0].error = DeviceError::kLaunchOutOfResources;
  EXPECT_THAT(FailuresOf(trial, RunsCleanly()),
              ElementsAre(FailureOf(
                  Verdict::kFailed,
                  "the launch of tiled(float*) failed with cudaErrorLaunchOutOfResources (701)")));
}

TEST(RunsCleanly, WatchesTheInputs) {
  Trial trial = CleanTrial();
  trial.arrays[0].bytes = std::vector{std::byte{2}};
  EXPECT_THAT(FailuresOf(trial, RunsCleanly()),
              ElementsAre(FailureOf(Verdict::kFailed,
                                    "transpose() changed its input (array 1, element [0])",
                                    "inputs are const: write to the output only")));
}

TEST(LaunchesAKernel, IsSilentForACleanTrial) {
  EXPECT_THAT(FailuresOf(CleanTrial(), LaunchesAKernel()), IsEmpty());
}

TEST(LaunchesAKernel, TellsASkeletonWhatToDo) {
  Trial trial = CleanTrial();
  trial.launches.clear();
  trial.arrays[1].bytes = std::vector{std::byte{0xFF}};
  EXPECT_THAT(FailuresOf(trial, LaunchesAKernel()),
              ElementsAre(FailureOf(
                  Verdict::kFailed,
                  "transpose() never launched a kernel and no element of the output was written",
                  "write a __global__ function and launch it: kernel<<<grid, block>>>(...)")));
}

TEST(LaunchesAKernel, SaysWhyNoLaunchRan) {
  Trial trial = CleanTrial();
  trial.launches[0].error = DeviceError::kInvalidValue;
  trial.arrays[1].bytes = std::vector{std::byte{0xFF}};
  EXPECT_EQ(FailuresOf(trial, LaunchesAKernel()), FailuresOf(trial, RunsCleanly()));
}

TEST(LaunchesAKernel, RefusesAResultOfTheHost) {
  const std::string hint =
      "leave the data on the device: kernels read the input and write the output";
  Trial trial = CleanTrial();
  trial.traffic.written_to_outputs = 4096;
  EXPECT_THAT(
      FailuresOf(trial, LaunchesAKernel()),
      ElementsAre(FailureOf(
          Verdict::kFailed,
          "the host wrote 4,096 bytes of the result with cudaMemcpy; the kernel must do that",
          hint)));
  trial.traffic = {.copied_input_to_output = 4};
  EXPECT_THAT(
      FailuresOf(trial, LaunchesAKernel()),
      ElementsAre(FailureOf(Verdict::kFailed,
                            "cudaMemcpy wrote 4 bytes of the result; the kernel must do that",
                            "kernels read the input and write the output")));
}

Trial TrialOf(std::size_t input_bytes, std::size_t output_bytes) {
  Trial trial = CleanTrial();
  const std::vector<std::byte> in(input_bytes), out(output_bytes);
  trial.arrays = {ArrayOf(true, in, in), ArrayOf(false, out, out)};
  return trial;
}

TEST(LaunchesAKernel, RefusesWhatHangsOnWhatTheHostRead) {
  Trial trial = TrialOf(65'536, 4096);
  trial.traffic = {.read_back = 4096};  // the host reads it back to look at it
  EXPECT_THAT(FailuresOf(trial, LaunchesAKernel()), IsEmpty());
  trial.traffic.differs = "passes other arguments to tell()";
  EXPECT_THAT(FailuresOf(trial, LaunchesAKernel()),
              ElementsAre(FailureOf(
                  Verdict::kFailed,
                  "the host read back 4,096 bytes, and its CUDA calls depend on them: with other "
                  "data it passes other arguments to tell(); the kernel must do the work",
                  "let kernels do the work: the host may print or check what it reads, but its "
                  "later CUDA calls must not depend on it")));
}

// A count that stops a loop is not a part of a large result. A flag is not a part of small data.
TEST(LaunchesAKernel, LetsTheHostDecideByFarLessThanTheResult) {
  const auto failures = [](std::size_t input_bytes, std::size_t output_bytes, std::uint64_t read) {
    Trial trial = TrialOf(input_bytes, output_bytes);
    trial.traffic = {.read_back = read, .differs = "launches a kernel less often than here"};
    return FailuresOf(trial, LaunchesAKernel()).size();
  };
  EXPECT_EQ(failures(65'536, 33, 4), 0u);
  EXPECT_EQ(failures(65'536, 32, 4), 1u);
  EXPECT_EQ(failures(65'535, 4, 8), 0u);
  EXPECT_EQ(failures(65'535, 4, 9), 1u);
  EXPECT_EQ(failures(65'535, 64, 63), 0u);
  EXPECT_EQ(failures(65'535, 64, 64), 1u);
}

TEST(LaunchesAKernel, RefusesInputsInConstantMemory) {
  Trial trial = CleanTrial();
  trial.traffic.copied_to_constants = 16'383;  // these bytes may be coefficients
  EXPECT_THAT(FailuresOf(trial, LaunchesAKernel()), IsEmpty());
  trial.traffic.copied_to_constants = 16'384;
  EXPECT_THAT(FailuresOf(trial, LaunchesAKernel()),
              ElementsAre(FailureOf(
                  Verdict::kFailed,
                  "cudaMemcpy moved 16,384 bytes on the device to constant memory, where no "
                  "counter sees the loads; the kernel must load them from global memory",
                  "let kernels read the input from global memory, and use constant memory only for "
                  "a few coefficients")));
}

TEST(LaunchesAKernel, RefusesWhatCopiesPutInOrder) {
  Trial trial = CleanTrial();
  const std::vector<std::byte> in(65'536), out(64);
  trial.arrays = {ArrayOf(true, in, in), ArrayOf(false, out, out)};
  const std::string hint = "kernels read the input and write the output";
  trial.traffic = {.rearranged_in_outputs = 8, .rearranged = 8191};  // these bytes may be edges
  EXPECT_THAT(FailuresOf(trial, LaunchesAKernel()), IsEmpty());
  trial.traffic = {.rearranged_in_outputs = 12};
  EXPECT_THAT(
      FailuresOf(trial, LaunchesAKernel()),
      ElementsAre(FailureOf(
          Verdict::kFailed,
          "cudaMemcpy put 12 bytes of the result into the right order; the kernel must do that",
          hint)));
  trial.traffic = {.rearranged = 8192};
  EXPECT_THAT(
      FailuresOf(trial, LaunchesAKernel()),
      ElementsAre(FailureOf(
          Verdict::kFailed,
          "many small copies rearranged 8,192 bytes before the kernel; the kernel must do that",
          hint)));
  trial.traffic = {.too_many_pieces = true};
  EXPECT_THAT(FailuresOf(trial, LaunchesAKernel()),
              ElementsAre(FailureOf(Verdict::kFailed,
                                    "the host copied more than 1,048,576 separate pieces of "
                                    "memory, and warpcheck cannot follow more",
                                    "copy whole arrays, or let a kernel do it")));
  trial.traffic = {.unsure_in_outputs = 64};
  EXPECT_THAT(
      FailuresOf(trial, LaunchesAKernel()),
      ElementsAre(FailureOf(Verdict::kNotMeasured,
                            "cudaMemcpy wrote 64 bytes of the result before the last kernel, and "
                            "this device does not tell whether a kernel wrote them again",
                            "remove that copy, or grade on the emulator: --device emulator")));
}

TEST(LaunchesAKernel, RefusesKernelsOfLibraries) {
  Trial trial = CleanTrial();
  trial.launches[0].kernel = "void mine::tiled<cub::Sum>(float*)";
  EXPECT_THAT(FailuresOf(trial, LaunchesAKernel()), IsEmpty());
  trial.launches.push_back(LaunchOf("void cub::detail::DeviceReduceKernel<float>(float*)"));
  EXPECT_THAT(FailuresOf(trial, LaunchesAKernel()),
              ElementsAre(FailureOf(Verdict::kFailed,
                                    "cub::detail::DeviceReduceKernel is a kernel of a library; the "
                                    "exercise is to write one yourself",
                                    "write a __global__ function of your own and launch it")));
}

TEST(StaysInBounds, IsSilentForOtherFindings) {
  Trial trial = CleanTrial();
  trial.launches[0].findings = {FindingOf(FindingKind::kBarrierDivergence, 11, "a barrier")};
  EXPECT_THAT(FailuresOf(trial, StaysInBounds()), IsEmpty());
}

TEST(StaysInBounds, NamesTheLineAndTheThread) {
  Trial trial = CleanTrial();
  trial.launches[0].findings = {
      FindingOf(FindingKind::kOutOfBoundsRead, 9, "reads 4 bytes, 8 bytes past the end")};
  EXPECT_THAT(
      FailuresOf(trial, StaysInBounds()),
      ElementsAre(OfKind(
          FindingKind::kOutOfBoundsRead,
          FailureOf(Verdict::kFailed,
                    "reads 4 bytes, 8 bytes past the end\n  first in block (3, 0, 0), "
                    "thread (31, 7, 0) of tiled(float*); 1,200 times in all",
                    "guard the access with an if: threads of the last blocks can have an index "
                    "outside the array. Compare every index with the extent of its own dimension",
                    {"transpose.cu", 9, 0}))));
}

TEST(StaysInBounds, IsNoPassWhereNothingRan) {
  Trial trial = CleanTrial();
  trial.launches.clear();
  EXPECT_THAT(
      FailuresOf(trial, StaysInBounds()),
      ElementsAre(FailureOf(Verdict::kSkipped, "not judged: transpose() launched no kernel")));
}

TEST(StaysInBounds, IsNotLostForWhatIsLostElsewhere) {
  Trial trial = CleanTrial();
  trial.launches.push_back(LaunchOf("tiled(float*)"));
  trial.launches[1].error = DeviceError::kInvalidValue;
  EXPECT_THAT(FailuresOf(trial, StaysInBounds()), IsEmpty()) << "what ran can be judged";
  trial.launches.erase(trial.launches.begin());
  EXPECT_THAT(FailuresOf(trial, StaysInBounds()),
              ElementsAre(FailureOf(Verdict::kSkipped,
                                    "not judged: the launch of tiled(float*) was refused")));
  EXPECT_THAT(FailuresOf(EndedTrial(CallEnd::kDisconnected), StaysInBounds()),
              ElementsAre(FailureOf(Verdict::kSkipped, "not judged: transpose() did not return")));
  trial.launches[0].error = DeviceError::kMisalignedAddress;
  for (const TrialMatcher& matcher : {StaysInBounds(), RanAKernel()}) {
    EXPECT_THAT(FailuresOf(trial, matcher),
                ElementsAre(Field(&CaseFailure::verdict, Verdict::kSkipped)))
        << "a misaligned access lies inside the arrays, or nobody knows";
  }
  trial = CleanTrial();
  EXPECT_THAT(FailuresOf(trial, RanAKernel()), IsEmpty());
  trial.traffic = {.copied_input_to_output = 4};
  EXPECT_THAT(FailuresOf(trial, StaysInBounds()),
              ElementsAre(FailureOf(
                  Verdict::kSkipped,
                  "not judged: cudaMemcpy wrote 4 bytes of the result; the kernel must do that")));
}

TEST(ReleasesEverything, NamesWhatIsLeft) {
  Trial trial = CleanTrial();
  EXPECT_THAT(FailuresOf(trial, ReleasesEverything()), IsEmpty());
  trial.findings = {FindingOf(FindingKind::kUnfinishedKernel, 9, "nobody waits"),
                    FindingOf(FindingKind::kLeak, 5, "allocates 64 bytes, and nothing frees them"),
                    FindingOf(FindingKind::kLeakedHandle, 6, "the texture object is left")};
  const auto failures = FailuresOf(trial, ReleasesEverything());
  ASSERT_EQ(failures.size(), 2U);
  EXPECT_EQ(failures[0].complaint.where.line, 5);
  EXPECT_EQ(failures[1].complaint.where.line, 6);
}

TEST(ReleasesEverything, JudgesNoCallThatDidNotReturn) {
  const auto failures =
      FailuresOf(DisconnectedTrial(Cause::kSignaled, 0, SIGSEGV), ReleasesEverything());
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures[0].verdict, Verdict::kSkipped);
}

TEST(RunsCleanly, SaysFirstThatALaunchWasRefused) {
  Trial trial = CleanTrial();
  trial.findings = {FindingOf(FindingKind::kUncheckedLaunch, 0, "nobody asks")};
  trial.launches[0].error = DeviceError::kInvalidValue;
  trial.launches[0].findings = {FindingOf(FindingKind::kInvalidLaunch, 0, "the launch fails")};
  const std::vector<CaseFailure> failures = FailuresOf(trial, RunsCleanly());
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_THAT(failures[0].complaint.message,
              testing::StartsWith("the launch fails\n  the program did not check this error: "
                                  "cudaGetLastError() after a launch returns it"));
}

TEST(RunsCleanly, BlamesNobodyForALostDevice) {
  Trial trial = CleanTrial();
  trial.launches[0].findings = {FindingOf(FindingKind::kDeviceLost, 0, "the process ended")};
  EXPECT_THAT(FailuresOf(trial, RunsCleanly()),
              ElementsAre(testing::Field(&CaseFailure::verdict, Verdict::kHarnessFault)));
}

TEST(Output, CarriesWhatMayExplainWrongElements) {
  Trial trial = CleanTrial();
  trial.launches[0].findings = {FindingOf(FindingKind::kOutOfBoundsWrite, 14, "writes 4 bytes")};
  const Values<char> output = trial.Output<char>();
  EXPECT_THAT(output.data, ElementsAre('\1'));
  ASSERT_EQ(output.cause.notes.size(), 1U);
  EXPECT_EQ(output.cause.notes[0].Text(), "transpose.cu:14: writes 4 bytes");
  EXPECT_EQ(output.cause.where, (SourceLocation{"transpose.cu", 14, 0}));
}

// With n = 0 there is nothing to do, and a kernel that is launched for it is refused.
TEST(StaysInBounds, AsksForNoLaunchWhereThereIsNothingToDo) {
  Trial trial = ReturnedTrial();
  trial.arrays = {ArrayOf(true, {}, {}), ArrayOf(false, {}, {})};
  EXPECT_THAT(FailuresOf(trial, StaysInBounds()), IsEmpty());
  EXPECT_THAT(FailuresOf(trial, LaunchesAKernel()), IsEmpty());
  EXPECT_THAT(FailuresOf(trial, RunsCleanly()), IsEmpty());
  trial.launches = {LaunchOf("empty(float*)")};
  trial.launches[0].error = DeviceError::kInvalidConfiguration;
  trial.launches[0].findings = {FindingOf(FindingKind::kInvalidLaunch, 9, "asks for 0 blocks")};
  EXPECT_THAT(FailuresOf(trial, RunsCleanly()), testing::SizeIs(1));
  trial = ReturnedTrial();
  trial.arrays = {ArrayOf(true, {}, {}), ArrayOf(false, {std::byte{0xFF}}, {std::byte{0xFF}})};
  EXPECT_THAT(FailuresOf(trial, StaysInBounds()), testing::SizeIs(1));
  EXPECT_THAT(FailuresOf(trial, LaunchesAKernel()), testing::SizeIs(1));
}

// Returns a trial that has changed so many bytes of an array in host memory, all of one kernel.
Trial HostResultOf(std::size_t bytes, std::uint64_t read_back) {
  Trial trial = ReturnedTrial();
  Plan plan;
  plan.arguments.emplace_back(
      std::in_place_index<1>,
      remote::HostArray{std::vector<std::byte>(bytes), remote::HostArray::Memory::kPinned, true});
  trial.plan = std::make_shared<const Plan>(std::move(plan));
  trial.outcome.host_arrays = {std::vector<std::byte>(bytes, std::byte{7})};
  trial.launches = {LaunchOf("scale(float*)")};
  trial.traffic.read_back = read_back;
  return trial;
}

TEST(LaunchesAKernel, WantsResultsInHostMemoryToComeFromTheDevice) {
  EXPECT_THAT(FailuresOf(HostResultOf(400, 400), LaunchesAKernel()), IsEmpty());
  EXPECT_THAT(FailuresOf(HostResultOf(400, 4), LaunchesAKernel()),
              ElementsAre(FailureOf(Verdict::kFailed,
                                    "400 bytes of the result in host memory were changed, and only "
                                    "4 bytes came from the device",
                                    "the kernel has to do the work: copy its result to the host")));
  EXPECT_EQ(HostResultOf(8, 8).HostOutput<std::uint8_t>().data, std::vector<std::uint8_t>(8, 7));
}

}  // namespace
}  // namespace warpcheck
