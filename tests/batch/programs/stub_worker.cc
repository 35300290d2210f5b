// A worker that grades without a compiler: what it does with a submission stands in its text.
//   die       crashes                 die once   the first time only
//   killed    is killed by somebody   killed once
//   held up   could not be graded     held up once
//   fault     says that the machine is at fault
//   hang      never answers           hang once  the first time only
//   slow      takes a few milliseconds
//   hungry    wants a GPU first, and notes which it got
// Everything else is graded: half of the texts are right. STUB_RUBRIC names the rubric's file,
// STUB_NOTES a folder for notes; where STUB_IMMORTAL is set, nothing dies.
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "base/files.h"
#include "base/programs.h"
#include "batch/work/worker.h"
#include "grading/grade.h"

namespace warpcheck::batch {
namespace {

bool Says(const std::string& text, std::string_view word) {
  return text.find(word) != std::string::npos;
}

class StubGrader : public Grader {
 public:
  StubGrader(Rubric rubric, WaitForGpu wait) : rubric_(std::move(rubric)), wait_(std::move(wait)) {}

  tl::expected<Grade, compile::Failure> GradeIt(const Job& job) override {
    using Blame = compile::Failure::Blame;
    const auto failed = [](Error error, Blame blame) {
      return tl::unexpected(compile::Failure{std::move(error), blame});
    };
    const auto text = ReadFile(job.submission);
    if (!text) return failed(text.error(), Blame::kMachine);
    if (Says(*text, "fault")) {
      return failed({.message = "the stub's disk is full", .hint = "empty it"}, Blame::kMachine);
    }
    if (Says(*text, "held up") && (!Says(*text, "once") || IsFirst(job.id))) {
      return failed({.message = "the machine was too busy"}, Blame::kMoment);
    }
    if (Says(*text, "killed") && (!Says(*text, "once") || IsFirst(job.id))) ::raise(SIGKILL);
    if (job.anew) Note("anew " + job.id);
    if (Says(*text, "hang") && (!Says(*text, "once") || IsFirst(job.id))) ::pause();
    if (Says(*text, "die") && Environment("STUB_IMMORTAL").empty() &&
        (!Says(*text, "once") || IsFirst(job.id)))
      ::raise(SIGSEGV);
    if (Says(*text, "hungry")) {
      wait_();
      Note("gpu " + Environment("CUDA_VISIBLE_DEVICES"));
      ::usleep(2000);
      Note("done " + Environment("CUDA_VISIBLE_DEVICES"));
    }
    if (Says(*text, "slow")) ::usleep(3000);
    return GradeText(job, *text);
  }

 private:
  Grade GradeText(const Job& job, const std::string& text) const {
    Attempt attempt;
    attempt.assignment = "transpose";
    attempt.submission = job.shown;
    attempt.device = "emulator";
    attempt.build.artifact.emplace();
    attempt.sources["transpose.cu"] = text;
    for (const Criterion& criterion : rubric_.criteria) {
      for (const std::string& pattern : criterion.tests) {
        CaseResult& result = attempt.report.cases.emplace_back();
        for (const char c : pattern) result.name += c == '*' ? 'x' : c;
        const bool right = std::hash<std::string>()(text + criterion.id) % 2 == 0;
        result.verdict = right ? Verdict::kPassed : Verdict::kFailed;
        if (right) continue;
        Complaint& complaint = result.complaints.emplace_back();
        complaint.message = "the stub does not like it";
        complaint.where.file = "transpose.cu";
        complaint.where.line = 1;
      }
    }
    return GradeOf(rubric_, std::move(attempt));
  }

  static bool IsFirst(const std::string& id) {
    const std::string mark = Environment("STUB_NOTES") + "/died-" + id;
    if (std::ifstream(mark)) return false;
    std::ofstream(mark) << "x";
    return true;
  }

  static void Note(const std::string& text) {
    std::ofstream(Environment("STUB_NOTES") + "/notes", std::ios::app) << text + "\n" << std::flush;
  }

  Rubric rubric_;
  WaitForGpu wait_;
};

Result<std::unique_ptr<Grader>> MakeStub(const BatchIdentity&, const WaitForGpu& wait) {
  if (!Environment("STUB_BROKEN").empty()) return Fail("the stub has no compiler");
  const std::string file = Environment("STUB_RUBRIC");
  const auto toml = ReadFile(file);
  if (!toml) return Fail(toml.error());
  auto rubric = ParseRubric(*toml, file);
  if (!rubric) return Fail(rubric.error());
  return std::make_unique<StubGrader>(*std::move(rubric), wait);
}

}  // namespace
}  // namespace warpcheck::batch

int main() { return warpcheck::batch::ServeAsWorker(warpcheck::batch::MakeStub); }
