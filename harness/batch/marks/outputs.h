// Writes the files of a batch's folder that people and programs read; all are made from its
// journal.
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

// Keeps a small row of each grade in memory. Files are replaced atomically, and only if they
// change.
class Outputs {
 public:
  // `state` is the journal's; its roster, rules and notes must not change meanwhile. Files
  // show the time when the batch was begun as the time of grading.
  Outputs(std::filesystem::path folder, const Rubric& rubric, const JournalState& state);

  // Creates the folders.
  Result<> Prepare() const;

  // Writes the files of one student. If the student has several submissions, they show the
  // best so far.
  Result<> Publish(const Entry& entry, const Grade& grade);

  // Writes the files of the class. `digests` are those of the roster's files, by id.
  Result<> Finish(const JournalState& state,
                  const std::map<std::string, std::string>& digests) const;

  // The rows that were published, by the id of the entry.
  const std::map<std::string, Row>& rows() const { return rows_; }

 private:
  // Orders the submissions of a student; the best is the largest.
  struct Standing {
    std::int64_t points = -1;  // in hundredths after lateness; -1 while they are not final
    std::string submitted;
    std::string id;  // the entry's

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
  Rubric rubric_;  // with the course's weights
  ClassRules rules_;
  RowFinder roster_;  // for rules_.roster
  Notes notes_;
  std::int64_t begun_;
  std::map<std::string, std::size_t> submissions_;  // numbers of submissions, by student
  std::map<std::string, Row> rows_;
  std::map<std::string, Standing> best_;  // by student
};

// Writes all files again from the journal; nothing is compiled or run.
Result<> Rebuild(const Journal& journal, const Rubric& rubric, const std::filesystem::path& folder);

}  // namespace warpcheck::batch
