// The journal of a batch: the one truth from which every output is made. It says what is graded and
// how, and what became of each submission, as it happens.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "base/descriptor.h"
#include "base/record.h"
#include "base/result.h"
#include "batch/checked_file.h"
#include "batch/class_rules.h"
#include "batch/marks.h"
#include "batch/roster.h"
#include "grading/grade.h"
#include "results/checks_order.h"

// What every grade of a batch depends on: one batch has one of each.

namespace warpcheck::batch {

struct BatchIdentity {
  std::string assignment;
  std::string version;        // of warpcheck
  std::string checks_digest;  // of the rubric, the interface and the checks program
  GradingPlan plan;           // with one seed for all submissions
  std::int64_t begun = 0;     // seconds since 1970, UTC

  // Why grades of this batch and of the other must not stand side by side, as a sentence
  // without a period: "it was begun with seed 5, not 7". Nothing where they may.
  std::optional<std::string> Conflict(const BatchIdentity& now) const;

  friend bool operator==(const BatchIdentity&, const BatchIdentity&) = default;
};

WARPCHECK_FIELDS(BatchIdentity, assignment, version, checks_digest, plan, begun);

// What a journal says, without the grades themselves.
struct JournalState {
  struct Graded {
    std::string digest;  // of the files that were graded
    Extent grade;        // where it stands
  };
  struct Deaths {
    int count = 0;
    std::string last;  // how the grader ended the last time
  };

  std::optional<BatchIdentity> identity;  // none in an empty journal
  Roster roster;                          // the latest
  ClassRules rules;                       // the latest
  Notes notes;
  std::map<std::string, Graded> graded;     // by id: the latest grade
  std::map<std::string, Extent> by_digest;  // of files: where their grade stands
  std::map<std::string, Deaths> deaths;     // by digest: of graders, since these files' last grade
  std::set<std::string> unfinished;         // ids whose grading began and did not end
  std::set<std::string> anew;  // digests whose grade was forgotten: past what was built
};

class Journal {
 public:
  // The journal in this folder, or a new one. Fails on a damaged one.
  static Result<Journal> Open(const std::filesystem::path& folder);
  // The same without a change of the file, which has to be there: for reports.
  static Result<Journal> OpenToRead(const std::filesystem::path& folder);
  static std::filesystem::path PathIn(const std::filesystem::path& folder);

  // Each of these is in the file when the call returns. Grades, and what comes before them, are
  // then safe from a loss of power.
  Result<> Begin(const BatchIdentity& identity);
  Result<> SetRoster(const Roster& roster);
  Result<> SetRules(const ClassRules& rules);
  Result<> Add(const Note& note);
  Result<> Started(const std::string& id);
  Result<> Died(const std::string& id, const std::string& digest, const std::string& how);
  Result<> Graded(const std::string& id, const std::string& digest, const Grade& grade);
  // Forgets the grade of an id in state().graded, and those of all who handed in the same files:
  // they are graded as if for the first time.
  Result<> Reopened(const std::string& id);

  const JournalState& state() const { return state_; }
  // The grade of an id in state().graded, and of files in state().by_digest.
  Result<Grade> GradeOf(const std::string& id) const;
  Result<Grade> GradeOfFiles(const std::string& digest) const;
  // How many bytes at the end were cut off: of a record that was not whole.
  std::uint64_t dropped_bytes() const { return file_.dropped(); }

 private:
  Journal(CheckedFile file, JournalState state)
      : file_(std::move(file)), state_(std::move(state)) {}
  Result<> Append(const nlohmann::ordered_json& record, bool durable,
                  const std::string& grade = "");

  CheckedFile file_;
  JournalState state_;
};

// Keeps two batches out of one folder.

// Held until the descriptor is closed, or its process ends, however it does. Fails where another
// process holds it.
Result<Descriptor> LockFolder(const std::filesystem::path& folder);

}  // namespace warpcheck::batch
