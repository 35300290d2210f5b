// Grades submissions whose speed is measured on an emulator that stands for a GPU. The clock of
// this GPU is the number of executed instructions, so that every time is known and the same in each
// run. submissions/<outcome>/ holds the submissions with the outcome that each must have, and among
// them the attacks that timing invites.
#include "report/speed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/files.h"
#include "base/scratch_folder.h"
#include "host/local_grader.h"
#include "report/reports.h"
#include "report/terminal/terminal_report.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using Outcome = SpeedRatio::Outcome;

const fs::path kFolder = WARPCHECK_SPEED_FOLDER;
constexpr char kHalf[] = "Large/ScaleOfLargeArrays.IsAtLeastHalfAsFast/100000";
constexpr char kFull[] = "Large/ScaleOfLargeArrays.IsAsFast/100000";

class SpeedTestOnEmulatedGpu : public testing::Test {
 protected:
  SpeedTestOnEmulatedGpu() {
    assignment_.name = "scale";
    assignment_.home = kFolder / "course";
    assignment_.course = assignment_.home;
    const fs::path folder = assignment_.home / "assignments/scale";
    assignment_.rubric = folder / "rubric.toml";
    assignment_.header = folder / "scale.h";
    assignment_.checks = WARPCHECK_SCALE_CHECKS;
    GpuHost("exec " WARPCHECK_GPU_HOST_PROGRAM " --emulator \"$@\"");
  }
  ~SpeedTestOnEmulatedGpu() override { ::unsetenv("WARPCHECK_GPU_HOST"); }

  // Lets a script stand for the program that serves the GPU.
  void GpuHost(const std::string& script) {
    const fs::path program = scratch_->path() / "gpu_host";
    fs::remove(program);
    std::ofstream(program) << "#!/bin/sh\n" << script << "\n";
    fs::permissions(program, fs::perms::owner_all);
    ::setenv("WARPCHECK_GPU_HOST", program.c_str(), 1);
  }

  Grade Graded(const fs::path& submission, const std::string& device = "auto") {
    LocalGrader::Settings settings;
    settings.plan.device = device == "gpu" ? "gpu" : "emulator";
    settings.plan.speed = device != "emulator";
    settings.plan.seed = 7;
    settings.handles_signals = false;
    auto grader = LocalGrader::Make(std::move(settings));
    if (!grader) {
      ADD_FAILURE() << grader.error().Text();
      return {};
    }
    auto grade = (*grader)->GradeIt(assignment_, submission);
    if (grade) return *std::move(grade);
    ADD_FAILURE() << grade.error().Text();
    return {};
  }

  static CaseResult CaseOf(const Grade& grade, const std::string& name) {
    const auto& cases = grade.attempt.report.cases;
    const auto found = std::ranges::find(cases, name, &CaseResult::name);
    if (found != cases.end() && found->speed) return *found;
    ADD_FAILURE() << "there is no test of speed " << name;
    return {.name = name, .speed = SpeedRatio()};
  }
  static std::string FirstComplaint(const CaseResult& result) {
    return result.complaints.empty() ? "" : result.complaints.front().message;
  }

  void WriteRubric(const std::string& text) {
    assignment_.rubric = scratch_->path() / "rubric.toml";
    std::ofstream(assignment_.rubric) << "title = \"Scaling\"\n" << text;
  }

  Result<ScratchFolder> scratch_ = ScratchFolder::Make();
  Assignment assignment_;
};

// The folder of a submission names the outcome for the target that it is judged by: IsAsFast for
// those that are close to it, IsAtLeastHalfAsFast for all others.
TEST_F(SpeedTestOnEmulatedGpu, JudgesEverySubmission) {
  const std::map<std::string, Outcome> outcomes = {{"met", Outcome::kMet},
                                                   {"missed", Outcome::kMissed},
                                                   {"too_close", Outcome::kTooClose},
                                                   {"wrong", Outcome::kWrong}};
  int graded = 0;
  for (const auto& [folder, outcome] : outcomes) {
    for (const auto& file : fs::directory_iterator(kFolder / "submissions" / folder)) {
      SCOPED_TRACE(file.path().string());
      const Grade grade = Graded(file.path());
      const CaseResult result = CaseOf(grade, outcome == Outcome::kTooClose ? kFull : kHalf);
      EXPECT_EQ(NameOf(result.speed->outcome), NameOf(outcome)) << FirstComplaint(result);
      const bool passes = outcome == Outcome::kMet || outcome == Outcome::kTooClose;
      EXPECT_EQ(result.verdict, passes ? Verdict::kPassed : Verdict::kFailed);
      // Speed has no points: a right submission has all of them, whatever its speed.
      const std::string text = *ReadFile(file.path());
      EXPECT_EQ(grade.score.Text(), text.find("// score: 0\n") == std::string::npos ? "100" : "0");
      EXPECT_TRUE(grade.score_is_final);
      const std::string says = "// says: ";
      if (const auto at = text.find(says); at != std::string::npos) {
        const auto begin = at + says.size();
        EXPECT_THAT(FirstComplaint(result),
                    HasSubstr(text.substr(begin, text.find('\n', at) - begin)));
      }
      ++graded;
    }
  }
  EXPECT_GE(graded, 13);
}

TEST_F(SpeedTestOnEmulatedGpu, GivesTheSameRatioInEveryRun) {
  const fs::path submission = kFolder / "submissions/met/four_numbers_a_thread.cu";
  const SpeedRatio first = *CaseOf(Graded(submission), kHalf).speed;
  EXPECT_GT(first.ratio, 1.2);
  EXPECT_NEAR(first.ratio, first.reference_us / first.submission_us, 1e-9);
  EXPECT_EQ(first.pairs, 12U);
  EXPECT_EQ(first.dropped, 0U);
  EXPECT_EQ(*CaseOf(Graded(submission), kHalf).speed, first);
}

TEST_F(SpeedTestOnEmulatedGpu, IsReportedWithoutPoints) {
  const Grade grade = Graded(kFolder / "submissions/missed/slow.cu");
  const std::string terminal = TerminalReport(grade, {});
  EXPECT_THAT(terminal, HasSubstr("of the reference's speed ("));
  EXPECT_THAT(terminal, HasSubstr("It should be >= 0.5: missed"));
  EXPECT_THAT(JsonReport(grade), HasSubstr("\"outcome\": \"missed\""));
}

TEST_F(SpeedTestOnEmulatedGpu, IsNotMeasuredWithoutAGpu) {
  const Grade grade = Graded(kFolder / "submissions/missed/slow.cu", "emulator");
  const CaseResult result = CaseOf(grade, kHalf);
  EXPECT_EQ(result.verdict, Verdict::kNotMeasured);
  EXPECT_EQ(result.speed->outcome, Outcome::kNotMeasured);
  EXPECT_EQ(FirstComplaint(result),
            "speed: not measured. This needs a GPU, and the reference on the same machine");
  EXPECT_EQ(grade.score.Text(), "100");
  EXPECT_TRUE(grade.score_is_final);
  EXPECT_EQ(grade.verdict, Verdict::kPassed);
}

TEST_F(SpeedTestOnEmulatedGpu, SaysWhyAMachineDoesNotMeasure) {
  const fs::path submission = kFolder / "submissions/missed/slow.cu";
  GpuHost("echo 'the GPU is lost' >&2; exit 1");
  EXPECT_THAT(FirstComplaint(CaseOf(Graded(submission), kHalf)),
              testing::StartsWith("speed: not measured. "));

  GpuHost("exec " WARPCHECK_GPU_HOST_PROGRAM " --emulator \"$@\"");
  assignment_.home = scratch_->path();  // as in a student's bundle
  EXPECT_EQ(FirstComplaint(CaseOf(Graded(submission), kHalf)),
            "speed: not measured. This machine does not have the reference, which only the course "
            "has");
}

// The GPU is there when it is surveyed, and gone when it is used.
TEST_F(SpeedTestOnEmulatedGpu, IsNotMeasuredOnAGpuThatIsLostInTheMiddle) {
  GpuHost("case \" $* \" in *time-once*) exit 1 ;; esac\nexec " WARPCHECK_GPU_HOST_PROGRAM
          " --emulator \"$@\"");
  const Grade grade = Graded(kFolder / "submissions/met/four_numbers_a_thread.cu");
  const CaseResult result = CaseOf(grade, kHalf);
  EXPECT_EQ(result.verdict, Verdict::kNotMeasured);
  EXPECT_THAT(FirstComplaint(result), HasSubstr("speed: not measured. "));
  EXPECT_TRUE(grade.score_is_final);
}

constexpr char kCriteria[] = R"(
[[criterion]]
name = "Right"
points = 60
tests = "*.Scales/*"

[[criterion]]
name = "Fast"
points = 40
tests = "*.IsAtLeastHalfAsFast/*"
)";

TEST_F(SpeedTestOnEmulatedGpu, HasPointsWhereAGpuJudges) {
  WriteRubric(std::string("device = \"gpu\"\n") + kCriteria);
  const Grade fast = Graded(kFolder / "submissions/met/four_numbers_a_thread.cu", "gpu");
  EXPECT_EQ(fast.score.Text(), "100");
  EXPECT_TRUE(fast.score_is_final);
  const Grade slow = Graded(kFolder / "submissions/missed/slow.cu", "gpu");
  EXPECT_EQ(slow.score.Text(), "60");
  const Grade wrong = Graded(kFolder / "submissions/wrong/half_of_the_work.cu", "gpu");
  EXPECT_EQ(wrong.score.Text(), "60");
}

TEST_F(SpeedTestOnEmulatedGpu, CostsNothingWhereItIsTooCloseToTell) {
  std::string criteria = std::string("device = \"gpu\"\n") + kCriteria;
  criteria.replace(criteria.find("IsAtLeastHalfAsFast"), 19, "IsAsFast");
  WriteRubric(criteria);
  const Grade grade = Graded(kFolder / "submissions/too_close/same_kernel.cu", "gpu");
  EXPECT_EQ(grade.score.Text(), "100");
  EXPECT_TRUE(grade.score_is_final);
}

// A grade is the same on every machine, so a rubric for the emulator must not give points for
// speed.
TEST_F(SpeedTestOnEmulatedGpu, HasNoPointsWhereTheEmulatorJudges) {
  WriteRubric(kCriteria);
  const Grade grade = Graded(kFolder / "submissions/met/four_numbers_a_thread.cu");
  ASSERT_EQ(grade.criteria.size(), 2U);
  EXPECT_EQ(grade.criteria[1].verdict, Verdict::kHarnessFault);
  EXPECT_THAT(grade.criteria[1].reason, HasSubstr("device = \"gpu\""));
  EXPECT_FALSE(grade.score_is_final);
}

}  // namespace
}  // namespace warpcheck
