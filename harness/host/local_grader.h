// LocalGrader grades submissions with the sandbox, the nvcc and the build cache of this machine.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/scratch_folder.h"
#include "compile/builder.h"
#include "grading/grader.h"
#include "host/interrupt.h"
#include "results/array_dump.h"
#include "sandbox/sandbox.h"

namespace warpcheck {

// It grades only one submission at a time, because it has one scratch folder.
class LocalGrader {
 public:
  struct Settings {
    GradingPlan plan;
    sandbox::Limits compile_limits = compile::CompileLimits();
    std::function<void(const Progress&)> progress;  // may be empty
    std::function<void()> before_checks;  // called before the submission runs; may be empty
    bool doubts_nvcc = false;             // as in compile::Builder::Settings
    // It waits so long for other gradings that read the counters of the GPU; then it compares
    // results alone.
    std::chrono::milliseconds gpu_patience{1'000};
    // If true, SIGINT, SIGTERM and SIGHUP end the program, and its temporary files are removed. A
    // program that handles these signals itself sets this to false.
    bool handles_signals = true;
    std::function<void()> at_interrupt;  // called last in that case; may be empty
  };
  // Fails if nvcc is missing, or if folders cannot be created.
  static Result<std::unique_ptr<LocalGrader>> Make(Settings settings);

  // Grades one submission. If `anew` is true, compiles it even if the build cache has it.
  tl::expected<Grade, compile::Failure> GradeIt(const Assignment& assignment,
                                                const std::filesystem::path& submission,
                                                bool anew = false);

  // Grades a submission under a limit that is made small (Shortage, results/checks_order.h). No GPU
  // is used beside the emulator.
  tl::expected<Grade, compile::Failure> GradeInShortage(const Assignment& assignment,
                                                        const std::filesystem::path& submission,
                                                        Shortage shortage);

  // Lets GradeIt() make experiments after a failure (docs/experiments.md), or not.
  void MakeExperiments(bool wanted) { settings_.plan.experiments = wanted; }

  // Returns the full names of all cases of the assignment.
  Result<std::vector<std::string>> Cases(const Assignment& assignment);
  // Lets GradeIt() keep the arrays of these cases, by their full names; of the first case with a
  // wrong array if there are no names.
  void KeepArraysOf(std::vector<std::string> cases) { kept_cases_ = std::move(cases); }
  // Returns the arrays that the last GradeIt() has kept.
  Result<std::vector<ArrayDump>> ArraysOfCases() const;

  // A folder for temporary files, which is removed with this object.
  const std::filesystem::path& scratch() const { return scratch_.path(); }

 private:
  LocalGrader(Settings settings, ScratchFolder scratch, std::unique_ptr<EndsAtInterrupt> interrupt,
              compile::Builder::Settings build);

  Settings settings_;
  ScratchFolder scratch_;
  std::unique_ptr<EndsAtInterrupt> interrupt_;  // null if handles_signals is false
  std::unique_ptr<sandbox::Sandbox> sandbox_;
  compile::Builder builder_;
  std::unique_ptr<ChecksProgram> checks_;
  std::unique_ptr<ChecksProgram> witness_;
  std::unique_ptr<ChecksProgram> speed_;
  std::optional<std::vector<std::string>> kept_cases_;
};

}  // namespace warpcheck
