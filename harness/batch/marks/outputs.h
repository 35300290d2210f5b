// The files of a batch's folder that people and programs read: all are functions of its journal.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "base/result.h"
#include "batch/journal/journal.h"
#include "batch/marks/table.h"

namespace warpcheck::batch {

// Keeps a small row of each grade, not the grade. Files are replaced in one step, and only where
// they differ.
class Outputs {
 public:
  // `state`: of the journal whose batch this is; its roster, rules and notes stay as they are
  // meanwhile. The time when the batch was begun is the one of its grading that the files show.
  Outputs(std::filesystem::path folder, const Rubric& rubric, const JournalState& state);

  // Makes the folders.
  Result<> Prepare() const;

  // What belongs to one student alone: a new output of this kind goes here. Of several submissions
  // of a student, the best so far.
  Result<> Publish(const Entry& entry, const Grade& grade);

  // What belongs to the class: a new output of this kind goes here. `digests` are of the roster's
  // files, by id.
  Result<> Finish(const JournalState& state,
                  const std::map<std::string, std::string>& digests) const;

  // By the id of an entry, of what was published.
  const std::map<std::string, Row>& rows() const { return rows_; }

 private:
  // What decides which of a student's submissions is the best: the larger one.
  struct Standing {
    std::int64_t points = -1;  // hundredths, after lateness; -1 while they are not final
    std::string submitted;
    std::string id;  // of the entry

    auto operator<=>(const Standing&) const = default;
  };

  const Listed* ListedAs(const Entry& entry) const;
  Mark MarkOf(const Entry& entry, bool with_notes = true) const;
  Standing StandingOf(const Entry& entry) const;
  void AddLines(const JournalState& state, const std::map<std::string, std::string>& digests,
                Table& table) const;
  void AddMissing(const JournalState& state, Table& table) const;
  Result<> PublishToInstructors(const ClassPage& page) const;

  std::filesystem::path folder_;
  Rubric rubric_;  // weighted
  ClassRules rules_;
  RowFinder roster_;  // of rules_.roster
  Notes notes_;
  std::int64_t begun_;
  std::map<std::string, std::size_t> submissions_;  // how many there are of a student
  std::map<std::string, Row> rows_;
  std::map<std::string, Standing> best_;  // so far, by student
};

// Makes all files anew of what the journal holds: nothing is compiled or run.
Result<> Rebuild(const Journal& journal, const Rubric& rubric, const std::filesystem::path& folder);

}  // namespace warpcheck::batch
