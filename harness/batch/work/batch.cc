#include "batch/work/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text/glob.h"
#include "batch/course/student_names.h"
#include "batch/intake/submission_files.h"
#include "batch/work/ungraded.h"
#include "grading/rubric.h"

namespace warpcheck::batch {
namespace {

constexpr int kMaxDeaths = 2;
constexpr std::chrono::milliseconds kTick{250};

std::string ShownAs(const Entry& entry) {
  const std::string student = StudentOf(entry.id);
  const std::string& which = student == entry.id ? entry.id : entry.what;
  return entry.name.empty() || entry.name == which ? which
                                                   : fmt::format("{} ({})", entry.name, which);
}

}  // namespace

BatchEnd Batch::Run() {
  BatchEnd end;
  auto done = Plan();
  if (done) done = Grade();
  tools_.executor->Stop();
  if (done && !stopped_ && tools_.before_finish) tools_.before_finish();
  const auto finished = tools_.outputs->Finish(journal_.state(), digests_);
  if (done && !finished) done = finished;
  if (!done) {
    end.cause = BatchEnd::Cause::kMachineFault;
    end.fault = done.error();
  } else if (stopped_) {
    end.cause = BatchEnd::Cause::kStopped;
  }
  end.held_up = held_up_;
  end.progress = progress_;
  return end;
}

Result<> Batch::Plan() {
  WARPCHECK_TRY(tools_.outputs->Prepare());
  progress_.total = journal_.state().roster.entries.size();
  // This loop runs over a copy, because grades are added meanwhile.
  const std::vector<Entry> entries = journal_.state().roster.entries;
  const std::set<std::string> unfinished = journal_.state().unfinished;
  for (const Entry& entry : entries) {
    if (tools_.stopped()) {
      stopped_ = true;
      return {};
    }
    WARPCHECK_TRY(PlanOne(entry));
  }
  // Submissions that were being graded when an earlier run died are graded last, because they may
  // have caused its death.
  std::stable_partition(waiting_.begin(), waiting_.end(), [&](const std::string& digest) {
    return !unfinished.contains(tasks_.at(digest).job.id);
  });
  progress_.to_grade = waiting_.size();
  Show();
  return {};
}

Result<> Batch::PlanOne(const Entry& entry) {
  const JournalState& state = journal_.state();
  const auto sources = ReadSubmission(entry.submission, state.identity->assignment);
  const std::string digest = sources ? DigestOf(*sources) : "";
  shown_[entry.id] = ShownAs(entry);
  digests_[entry.id] = digest;
  const auto graded = state.graded.find(entry.id);
  if (graded != state.graded.end() && graded->second.digest == digest) {
    const auto grade = WARPCHECK_TRY(journal_.GradeOf(entry.id));
    ++progress_.done;
    ++progress_.known;
    progress_.not_final += grade.score_is_final ? 0 : 1;
    return tools_.outputs->Publish(entry, grade);
  }
  if (!GlobMatches(only_, StudentOf(entry.id))) return {};
  if (!sources) {
    ++progress_.known;
    return Keep(
        entry.id, digest,
        RefusalGrade(rubric_, AttemptOf(*state.identity, shown_[entry.id]), sources.error()));
  }
  if (state.by_digest.contains(digest)) {
    auto grade = WARPCHECK_TRY(journal_.GradeOfFiles(digest));
    ++progress_.known;
    return Keep(entry.id, digest, std::move(grade));
  }
  const auto [task, is_new] = tasks_.try_emplace(digest);
  if (!is_new) {
    task->second.same.push_back(entry.id);
    return {};
  }
  task->second.job = {.id = entry.id,
                      .shown = shown_[entry.id],
                      .submission = entry.submission,
                      .digest = digest,
                      .anew = state.anew.contains(digest)};
  waiting_.push_back(digest);
  return {};
}

Result<> Batch::Grade() {
  while (!stopped_ && !tasks_.empty()) {
    if (tools_.stopped()) {
      stopped_ = true;
      break;
    }
    WARPCHECK_TRY(FillRoom());
    std::vector<Delivery> deliveries = tools_.executor->Wait(kTick);
    // Gives the executor new jobs before grades are written, so that no worker waits for the disk.
    const bool good = std::ranges::all_of(deliveries, [](const Delivery& delivery) {
      return std::holds_alternative<warpcheck::Grade>(delivery.what);
    });
    if (good && !tools_.stopped()) {
      WARPCHECK_TRY(FillRoom());
    }
    if (deliveries.empty()) Show();
    WARPCHECK_TRY(TakeAll(std::move(deliveries)));
  }
  return {};
}

// Handles grades first, so that they are kept even if another delivery ends the batch.
Result<> Batch::TakeAll(std::vector<Delivery> deliveries) {
  std::ranges::stable_partition(deliveries, [](const Delivery& delivery) {
    return std::holds_alternative<warpcheck::Grade>(delivery.what);
  });
  for (Delivery& delivery : deliveries) {
    WARPCHECK_TRY(Take(std::move(delivery)));
  }
  return {};
}

Result<> Batch::FillRoom() {
  if (waiting_.empty() && running_.empty() && !retries_.empty()) {
    waiting_.push_back(std::move(retries_.front()));
    retries_.pop_front();
  }
  while (!waiting_.empty() && tools_.executor->Room() > 0) {
    WARPCHECK_TRY(BeginNext());
  }
  return {};
}

Result<> Batch::BeginNext() {
  const std::string digest = std::move(waiting_.front());
  waiting_.pop_front();
  const Job& job = tasks_.at(digest).job;
  WARPCHECK_TRY(journal_.Started(job.id));
  running_[job.id] = digest;
  tools_.executor->Begin(job);
  Show();
  return {};
}

Result<> Batch::Take(Delivery delivery) {
  if (auto* const fault = std::get_if<MachineFault>(&delivery.what)) {
    return Fail(std::move(fault->error));
  }
  const std::string digest = running_.at(delivery.id);
  running_.erase(delivery.id);
  if (std::holds_alternative<Preempted>(delivery.what)) {
    waiting_.push_back(digest);
    Show();
    return {};
  }
  if (auto* const grade = std::get_if<warpcheck::Grade>(&delivery.what)) {
    const auto task = tasks_.extract(digest);
    return KeepForAll(task.mapped(), *grade);
  }
  if (const auto* const held_up = std::get_if<HeldUp>(&delivery.what)) {
    TakeHeldUp(delivery.id, held_up->how);
    return {};
  }
  return TakeDeath(delivery.id, std::get<Died>(delivery.what).how);
}

// The journal gets no record, so that the next run grades this submission.
void Batch::TakeHeldUp(const std::string& id, const std::string& how) {
  const std::string& digest = digests_.at(id);
  if (retried_.insert(digest).second) {
    retries_.push_back(digest);
  } else {
    const auto task = tasks_.extract(digest);
    --progress_.to_grade;
    held_up_[id] = how;
    for (const std::string& same : task.mapped().same) held_up_[same] = how;
  }
  Show();
}

Result<> Batch::TakeDeath(const std::string& id, const std::string& how) {
  const std::string& digest = digests_.at(id);
  WARPCHECK_TRY(journal_.Died(id, digest, how));
  if (journal_.state().deaths.at(digest).count < kMaxDeaths) {
    waiting_.push_back(digest);
    Show();
    return {};
  }
  const auto task = tasks_.extract(digest);
  Attempt attempt = AttemptOf(*journal_.state().identity, shown_.at(id));
  if (auto sources = ReadSubmission(task.mapped().job.submission, attempt.assignment)) {
    for (compile::SourceFile& file : sources->files) {
      attempt.sources[file.name] = std::move(file.bytes);
    }
  }
  const std::string reason =
      fmt::format("its grader ended {} times without a grade; the last time {}", kMaxDeaths, how);
  return KeepForAll(task.mapped(), FaultGrade(rubric_, std::move(attempt), reason));
}

Result<> Batch::KeepForAll(const Task& task, const warpcheck::Grade& grade) {
  --progress_.to_grade;
  const std::string& digest = task.job.digest;
  WARPCHECK_TRY(Keep(task.job.id, digest, grade));
  for (const std::string& id : task.same) {
    WARPCHECK_TRY(Keep(id, digest, grade));
  }
  Show(true);
  return {};
}

// Writes the journal before the outputs, which can be made again from it.
Result<> Batch::Keep(const std::string& id, const std::string& digest, warpcheck::Grade grade) {
  grade.attempt.submission = shown_.at(id);
  WARPCHECK_TRY(journal_.Graded(id, digest, grade));
  ++progress_.done;
  progress_.not_final += grade.score_is_final ? 0 : 1;
  const std::vector<Entry>& entries = journal_.state().roster.entries;
  return tools_.outputs->Publish(*std::ranges::lower_bound(entries, id, {}, &Entry::id), grade);
}

void Batch::Show(bool graded) {
  progress_.running = running_.size();
  progress_.held_up = held_up_.size();
  progress_.graded = graded;
  if (tools_.show) tools_.show(progress_);
}

Result<std::size_t> Reopen(Journal& journal, const std::string& glob) {
  std::vector<std::string> open;
  for (const auto& [id, graded] : journal.state().graded) {
    if (GlobMatches(glob, StudentOf(id))) open.push_back(id);
  }
  const std::size_t before = journal.state().graded.size();
  for (const std::string& id : open) {
    if (!journal.state().graded.contains(id))
      continue;  // the grade was forgotten with another id that has the same files
    WARPCHECK_TRY(journal.Reopened(id));
  }
  return before - journal.state().graded.size();
}

}  // namespace warpcheck::batch
