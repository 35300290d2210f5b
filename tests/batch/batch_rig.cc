#include "batch/batch_rig.h"

#include "base/files.h"

namespace warpcheck::batch {

Rubric TestRubric() {
  Rubric rubric;
  rubric.title = "Test";
  Criterion& criterion = rubric.criteria.emplace_back();
  criterion.id = "right";
  criterion.name = "Right";
  criterion.points = Points::FromHundredths(10'000);
  criterion.tests = {"*"};
  return rubric;
}

BatchIdentity TestTerms() {
  BatchIdentity identity;
  identity.assignment = "transpose";
  identity.version = "test";
  identity.plan.seed = 7;
  return identity;
}

Grade TestGrade(const Job& job) {
  Attempt attempt;
  attempt.assignment = "transpose";
  attempt.submission = job.shown;
  attempt.device = "emulator";
  attempt.build.artifact.emplace();
  CaseResult& result = attempt.report.cases.emplace_back();
  result.name = "Transpose.IsRight";
  result.verdict = Verdict::kPassed;
  if (*ReadFile(job.submission) != "right") {
    result.verdict = Verdict::kFailed;
    result.complaints.push_back({.message = "it is wrong", .where = {}, .hint = ""});
  }
  return GradeOf(TestRubric(), std::move(attempt));
}

void FakeExecutor::Begin(Job job) {
  begun_.push_back(job.id);
  beside_.push_back(running_.size());
  running_.push_back(std::move(job));
}

std::vector<Delivery> FakeExecutor::Wait(std::chrono::milliseconds) {
  std::vector<Delivery> deliveries;
  while (!running_.empty()) {
    const Job job = std::move(running_.front());
    running_.erase(running_.begin());
    Delivery& delivery = deliveries.emplace_back();
    delivery.id = job.id;
    std::visit([&](auto what) { delivery.what = std::move(what); }, act_(job));
    if (!all_at_once_) break;
  }
  return deliveries;
}

void ClassRoom::HandIn(const std::string& id, const std::string& text) {
  folder_.Write("class/" + id + ".cu", text);
}

std::string ClassRoom::Output(const std::string& name) const {
  return ReadFile(out() / name).value_or("");
}

BatchEnd ClassRoom::Run(Executor& executor, const std::string& only,
                        const std::function<bool()>& stopped) {
  std::filesystem::create_directories(out());
  auto journal = Journal::Open(out());
  EXPECT_TRUE(journal) << journal.error().Text();
  const Rubric rubric = TestRubric();
  if (!journal->state().identity) {
    EXPECT_TRUE(journal->Begin(TestTerms()));
  }
  auto roster = ReadRoster(submissions(), folder_.path() / "scratch");
  EXPECT_TRUE(roster) << roster.error().Text();
  roster->entries.insert(roster->entries.end(), enrolled_.begin(), enrolled_.end());
  EXPECT_TRUE(journal->SetRoster(*roster));
  Outputs outputs(out(), rubric, journal->state());
  BatchTools tools;
  tools.executor = &executor;
  tools.outputs = &outputs;
  tools.stopped = stopped;
  return Batch(*journal, rubric, only, tools).Run();
}

}  // namespace warpcheck::batch
