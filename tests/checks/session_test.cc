#include "checks/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "checks/counter_matchers.h"
#include "checks/device_source.h"
#include "checks/fakes.h"
#include "checks/launch_records.h"
#include "grading/temporary_folder.h"

// Linked in as references would be; they write nothing.
void idle_reference(float*) {}
int calls_of_counted_reference = 0;
void counted_reference(const float*) { ++calls_of_counted_reference; }

namespace warpcheck {
namespace {

using testing::ElementsAre;

struct SilentWriter : ResultsWriter {
  void Begin(std::string_view, std::string_view, std::uint64_t) override {}
  void BeginCase(std::string_view) override {}
  void EndCase(const CaseResult&) override {}
  void Launch(const CaseLaunch&) override {}
  void Counted(std::size_t, const LaunchRecord&) override {}
  void Finding(const CaseFinding&) override {}
  void DeviceOutput(std::string_view) override {}
  void HostOutput(std::string_view) override {}
};

struct BrokenSandbox : sandbox::Sandbox {
  Result<std::unique_ptr<sandbox::Process>> Start(const sandbox::Command&) override {
    return Fail("no user namespaces here", {}, "ask the administrator");
  }
};

class SessionTest : public testing::Test {
 protected:
  explicit SessionTest(Session::Settings settings = {}) : session_(runner_, writer_, 7, settings) {}

  std::shared_ptr<const Plan> IdlePlan() const {
    const DeviceArray<float> out{std::make_shared<ArrayStart>(
        ArrayStart{typeid(float), {2}, std::vector<std::byte>(8, std::byte{0xFF}), false})};
    return std::make_shared<const Plan>(MakePlan(&idle_reference, out));
  }

  SilentWriter writer_;
  BrokenSandbox sandbox_;
  EmulatorSource devices_{{}};
  Runner runner_{{.shared_object = "/submission.so",
                  .submission_host = "/submission_host",
                  .student_sources = {}},
                 sandbox_,
                 devices_};
  Session session_;
};

class StoredReferenceTest : private TemporaryFolder, public SessionTest {
 protected:
  StoredReferenceTest() : SessionTest({.references = &store_}) {}

  ReferenceStore store_{path(), "judge"};
};

TEST_F(SessionTest, MakesEachTrialOnce) {
  int made = 0;
  const auto make = [&made] {
    ++made;
    return std::vector{ReturnedTrial()};
  };
  const std::vector<Trial>& first = session_.Once("a", make);
  EXPECT_EQ(&session_.Once("a", make), &first);
  session_.Once("b", make);
  EXPECT_EQ(made, 2);
}

TEST_F(SessionTest, DoesNotKeepWhatFailed) {
  EXPECT_THROW(session_.Once("a", []() -> std::vector<Trial> { throw CaseStopped("no"); }),
               CaseStopped);
  EXPECT_EQ(session_.Once("a", [] { return std::vector{ReturnedTrial()}; }).size(), 1U);
}

TEST_F(SessionTest, CallsTheReferenceOnceForEachPlan) {
  calls_of_counted_reference = 0;
  const DeviceArray<const float> in{std::make_shared<ArrayStart>(
      ArrayStart{typeid(float), {1}, BytesOf(std::vector{1.0F}), true})};
  const auto plan = std::make_shared<const Plan>(MakePlan(&counted_reference, in));
  const Trial& trial = session_.CallReference(plan, {});
  EXPECT_EQ(&session_.CallReference(plan, {}), &trial);
  EXPECT_EQ(&session_.CallReference(Elsewhere(plan), {}), &trial);
  EXPECT_EQ(calls_of_counted_reference, 1);
}

TEST_F(SessionTest, ReportsASandboxThatDoesNotWork) {
  EXPECT_THROW(session_.Call({IdlePlan()}, {}), CaseStopped);
  EXPECT_THAT(CaseLog::Current().Take(),
              ElementsAre(ChargeOf(Verdict::kHarnessFault,
                                   "the submission host did not start: no user namespaces here",
                                   "ask the administrator")));
}

TEST_F(SessionTest, RefusesAReferenceThatLeavesNan) {
  EXPECT_THROW(session_.CallReference(IdlePlan(), {}), CaseStopped);
  EXPECT_THAT(CaseLog::Current().Take(),
              ElementsAre(ChargeOf(Verdict::kInvalidReference,
                                   "the reference solution is wrong: it leaves NaN in its output",
                                   "this is not your fault: tell your instructor")));
}

TEST_F(StoredReferenceTest, MakesEqualCallsOnce) {
  calls_of_counted_reference = 0;
  for (const float value : {1.0F, 1.0F, 2.0F, 1.0F}) {
    const DeviceArray<const float> in{std::make_shared<ArrayStart>(
        ArrayStart{typeid(float), {1}, BytesOf(std::vector{value}), true})};
    const auto plan = std::make_shared<const Plan>(MakePlan(&counted_reference, in));
    const Trial trial = session_.CallReference(plan, {});
    EXPECT_EQ(trial.Before<float>(0).data, std::vector{value});
  }
  EXPECT_EQ(calls_of_counted_reference, 2);
}

TEST_F(StoredReferenceTest, KeepsNoneThatIsWrong) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_THROW(session_.CallReference(IdlePlan(), {}), CaseStopped);
    EXPECT_EQ(CaseLog::Current().Take().size(), 1u);
  }
  EXPECT_FALSE(store_.Find(IdlePlan(), {}));
}

// More kinds of launches than a device counts by line are the program's doing: no reason to leave
// open what it gets.
TEST_F(SessionTest, FailsWhatAProgramKeepsFromBeingMeasured) {
  Trial trial = ReturnedTrial();
  for (std::uint32_t i = 0; i <= kMaxRecounts; ++i) {
    LaunchRecord& launch = trial.launches.emplace_back(LaunchOf("decoy"));
    launch.grid.x = i + 1;
    launch.counters.Set(Counter::kGlobalSectors, 0);
  }
  trial.later = std::make_shared<LaterCounts>();
  trial.later->launches = trial.launches;
  EXPECT_THAT(
      ChargesOf(trial, GlobalStoresWithin(1, 100)),
      ElementsAre(ChargeOf(
          Verdict::kFailed,
          "stores to global memory was not measured: transpose() made 17 different launches, and "
          "this device counts 16 a call",
          "launch fewer kernels, each for more of the data; the emulator counts all")));
  // What the totals tell is known all the same.
  EXPECT_THAT(ChargesOf(trial, GlobalTrafficWithin(1, 100)), testing::IsEmpty());
}

TEST(InvalidReference, MayPassOnTheNanOfItsInputs) {
  const auto array = [](float value, bool is_input) {
    auto start = std::make_shared<ArrayStart>(
        ArrayStart{typeid(float), {1}, BytesOf(std::vector{value}), is_input});
    return ArrayEnd{.start = start, .bytes = start->bytes};
  };
  const float unwritten = std::bit_cast<float>(0xFFFF'FFFFU);
  const auto verdict = [&](float in, float out) {
    Trial trial = ReturnedTrial();
    trial.arrays = {array(in, true), array(out, false)};
    return InvalidReference(trial);
  };
  EXPECT_EQ(verdict(std::nanf(""), std::nanf("")), "");
  EXPECT_EQ(verdict(1, std::nanf("")), "it leaves NaN in its output");
  EXPECT_EQ(verdict(std::nanf(""), unwritten), "it leaves NaN in its output");
}

TEST(InvalidReference, SaysWhatIsWrong) {
  EXPECT_EQ(InvalidReference(ReturnedTrial()), "");
  EXPECT_EQ(InvalidReference(EndedTrial(remote::CallEnd::kException, "std::bad_alloc")),
            "an exception left it: std::bad_alloc");
  Trial trial = ReturnedTrial();
  trial.outcome.last_error = 9;
  EXPECT_EQ(InvalidReference(trial), "it leaves cudaErrorInvalidConfiguration behind");
  trial.launches = {LaunchOf("tiled")};
  trial.launches[0].error = DeviceError::kInvalidConfiguration;
  EXPECT_EQ(InvalidReference(trial), "tiled: cudaErrorInvalidConfiguration");
  Finding finding;
  finding.where = {"reference.cu", 8, 0};
  finding.message = "reads 4 bytes past the end";
  trial.launches[0].findings = {finding};
  EXPECT_EQ(InvalidReference(trial), "reference.cu:8: reads 4 bytes past the end");
}

}  // namespace
}  // namespace warpcheck
