// Provides a session whose sandbox cannot start anything, and whose results are not written.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "trial/devices/emulator_source.h"
#include "trial/session.h"

void idle(float*);  // a student would write this function; it is not defined here

namespace warpcheck {

struct SilentWriter : ResultsWriter {
  void Begin(std::string_view, std::string_view, std::uint64_t) override {}
  void BeginCase(std::string_view) override {}
  void EndCase(const CaseResult&) override {}
  void Launch(const CaseLaunch&) override {}
  void Counted(std::size_t, const LaunchRecord&) override {}
  void Finding(const CaseFinding&) override {}
  void Approximation(const CaseApproximation&) override {}
  void Timeline(const CaseTimeline&) override {}
  void Promise(const PromiseResult&) override {}
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

}  // namespace warpcheck
