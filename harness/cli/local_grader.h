// Grades submissions with what this machine has: sandbox, nvcc, build cache.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include "base/result.h"
#include "base/scratch_folder.h"
#include "cli/child_program.h"
#include "compile/builder.h"
#include "grading/grader.h"
#include "sandbox/sandbox.h"

namespace warpcheck {

// One at a time, because of its scratch folder.
class LocalGrader {
 public:
  struct Settings {
    GradingPlan plan;  // without its sandbox: warns on stderr
    sandbox::Limits compile_limits = compile::CompileLimits();
    std::function<void(const Progress&)> progress;  // may be empty
    std::function<void()> before_checks;            // what was built is about to run; may be empty
    bool doubts_nvcc = false;                       // as compile::Builder::Settings has it
  };
  // Fails where nvcc is missing, or folders cannot be made.
  static Result<std::unique_ptr<LocalGrader>> Make(Settings settings);

  // `anew`: past what was built before.
  tl::expected<Grade, compile::Failure> GradeIt(const Assignment& assignment,
                                                const std::filesystem::path& submission,
                                                bool anew = false);

  // For temporary files; it goes away with this object.
  const std::filesystem::path& scratch() const { return scratch_.path(); }

 private:
  LocalGrader(Settings settings, ScratchFolder scratch, std::unique_ptr<EndsAtInterrupt> interrupt,
              compile::Builder::Settings build);

  Settings settings_;
  ScratchFolder scratch_;
  std::unique_ptr<EndsAtInterrupt> interrupt_;
  std::unique_ptr<sandbox::Sandbox> sandbox_;
  compile::Builder builder_;
  std::unique_ptr<ChecksProgram> checks_;
  std::unique_ptr<ChecksProgram> witness_;
};

// A sandbox that is made when something has to run in it. Without isolation it warns on stderr.
std::unique_ptr<sandbox::Sandbox> SandboxWhenNeeded(bool sandboxed);

// Of the random inputs: one that a submission cannot know.
Result<std::uint64_t> RandomSeed();

}  // namespace warpcheck
