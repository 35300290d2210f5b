// Outputs writes the files of a batch's folder that people and programs read; all are made from its
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
#include "batch/marks/teams.h"

namespace warpcheck::batch {

// It keeps a small row of each grade in memory. It replaces files atomically, and only if they
// change.
class Outputs {
 public:
  // `state` is the state of the journal. Its roster, rules and notes must not change while this
  // object exists. The files show the time when the batch was begun as the time of grading.
  Outputs(std::filesystem::path folder, const Rubric& rubric, const JournalState& state);

  // Creates the folders.
  Result<> Prepare() const;

  // Writes the files of one student, and of the other members of the student's team. If a student
  // or a team has several submissions, the files show the one that counts so far.
  Result<> Publish(const Entry& entry, const Grade& grade);

  // Writes the files of the class. `digests` are the digests of the roster's files, by id.
  Result<> Finish(const JournalState& state,
                  const std::map<std::string, std::string>& digests) const;

  // Lets Finish() write a leaderboard to `page`, an .html file, and the same as .csv beside it. The
  // names are those that the rules say.
  void WriteLeaderboardTo(std::filesystem::path page) { leaderboard_ = std::move(page); }

  // Returns the rows that were published, by the id of the entry.
  const std::map<std::string, Row>& rows() const { return rows_; }

 private:
  // A submission as the work of one student.
  struct Share {
    Entry as;                // names the student
    std::string submission;  // the id of the entry that was graded
  };
  // A Standing orders the submissions of a student; the best one has the largest Standing.
  struct Standing {
    std::int64_t rank = 0;     // by the rule `counts`, where a team has several submissions
    std::int64_t points = -1;  // in hundredths after the penalty for lateness; -1 if not final
    std::string submitted;
    std::string id;  // the id of the entry

    auto operator<=>(const Standing&) const = default;
  };

  const Listed* ListedAs(const Entry& entry) const;
  std::vector<Share> SharesOf(const Entry& entry) const;
  Mark MarkOf(const Share& share, std::optional<Points> earned, Points max,
              const std::vector<Note>& notes) const;
  Mark MarkOf(const Share& share, bool with_notes = true) const;
  std::vector<Note> NotesOn(const Share& share) const;
  Standing StandingOf(const Share& share) const;
  Excluded Superseded(const Share& share) const;
  Result<> PublishTo(const Share& share, const Grade& grade) const;
  void AddLines(const JournalState& state, const std::map<std::string, std::string>& digests,
                Table& table) const;
  void AddMissing(const JournalState& state, Table& table) const;
  Result<> PublishToInstructors(const ClassPage& page) const;
  Result<> PublishLeaderboard(const Table& table) const;

  std::filesystem::path folder_;
  std::filesystem::path leaderboard_{};  // empty if there is none
  Rubric rubric_;                        // the rubric with the course's weights
  ClassRules rules_;
  RowFinder roster_;  // finds rows in rules_.roster
  Teams teams_;
  bool hides_;  // true if students may not see some criteria
  Notes notes_;
  std::int64_t begun_;
  std::map<std::string, std::size_t> submissions_;  // numbers of submissions, by student
  std::map<std::string, Row> rows_;
  std::map<std::string, Standing> best_;  // by student
};

// Writes all files again from the journal; compiles and runs nothing.
Result<> Rebuild(const Journal& journal, const Rubric& rubric, const std::filesystem::path& folder);

}  // namespace warpcheck::batch
