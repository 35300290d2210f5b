#include "checks/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/counter_matchers.h"
#include "checks/device_source.h"
#include "checks/fakes.h"
#include "checks/launch_records.h"

void idle(float*);  // a student's: it is not defined here

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
    return std::make_shared<const Plan>(MakePlan<&idle>(out));
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

TEST_F(SessionTest, ReportsASandboxThatDoesNotWork) {
  EXPECT_THROW(session_.Call({IdlePlan()}, {}), CaseStopped);
  EXPECT_THAT(CaseLog::Current().Take(),
              ElementsAre(ChargeOf(Verdict::kHarnessFault,
                                   "the submission host did not start: no user namespaces here",
                                   "ask the administrator")));
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

}  // namespace
}  // namespace warpcheck
