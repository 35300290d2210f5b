// The files of a batch's folder that people and programs read: all are functions of its journal.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "base/result.h"
#include "batch/journal.h"
#include "batch/table.h"

namespace warpcheck::batch {

// Keeps a small row of each grade, not the grade. Files are replaced in one step, and only where
// they differ.
class Outputs {
 public:
  // `state`: of the journal whose batch this is; its rules and notes stay as they are meanwhile.
  // The time when the batch was begun is the one of its grading that the files show.
  Outputs(std::filesystem::path folder, const Rubric& rubric, const JournalState& state)
      : folder_(std::move(folder)),
        rubric_(Weighted(rubric, state.rules)),
        rules_(state.rules),
        notes_(state.notes),
        begun_(state.terms->begun) {}

  // Makes the folders.
  Result<> Prepare() const;

  // What belongs to one submission alone: a new output of this kind goes here.
  Result<> Publish(const Entry& entry, const Grade& grade);

  // What belongs to the class: a new output of this kind goes here. `digests` are of the roster's
  // files, by id.
  Result<> Finish(const JournalState& state,
                  const std::map<std::string, std::string>& digests) const;

  // By id, of what was published.
  const std::map<std::string, Row>& rows() const { return rows_; }

 private:
  Mark MarkOf(const Entry& entry) const;
  Result<> Export(const Table& table) const;

  std::filesystem::path folder_;
  Rubric rubric_;  // weighted
  ClassRules rules_;
  Notes notes_;
  std::int64_t begun_;
  std::map<std::string, Row> rows_;
};

// Makes all files anew of what the journal holds: nothing is compiled or run.
Result<> Rebuild(const Journal& journal, const Rubric& rubric, const std::filesystem::path& folder);

}  // namespace warpcheck::batch
