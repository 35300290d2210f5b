// The journal of a batch is a file that says what is graded and how, and what has happened to each
// submission so far. All other files of the batch are made from it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "base/result.h"
#include "batch/course/class_rules.h"
#include "batch/intake/roster.h"
#include "batch/journal/checked_file.h"
#include "batch/journal/identity.h"
#include "batch/journal/note.h"
#include "grading/grade.h"

namespace warpcheck::batch {

// JournalState has the contents of a journal, without the grades themselves. An id is the id of an
// Entry; a digest is the digest of a submission's files (DigestOf).
struct JournalState {
  struct Graded {
    std::string digest;  // the digest of the files that were graded
    Extent grade;        // the place of the grade in the file
  };
  struct Deaths {
    int count = 0;
    std::string last;  // how the grader ended in its last run
  };

  std::optional<BatchIdentity> identity;    // nothing if the journal is empty
  Roster roster;                            // the latest roster
  ClassRules rules;                         // the latest rules
  Notes notes;                              // all notes
  std::map<std::string, Graded> graded;     // the latest grade of each id
  std::map<std::string, Extent> by_digest;  // the place of the grade of these files
  // The number of graders that died since the last grade, by digest.
  std::map<std::string, Deaths> deaths;
  std::set<std::string> unfinished;  // ids whose grading began and has not ended
  // Digests that are compiled again instead of taken from the cache.
  std::set<std::string> anew;
};

class Journal {
 public:
  // Opens the journal in this folder, or creates a new one. Fails if the journal is damaged.
  static Result<Journal> Open(const std::filesystem::path& folder);
  // Opens an existing journal for reading only; the file is not changed.
  static Result<Journal> OpenToRead(const std::filesystem::path& folder);
  static std::filesystem::path PathIn(const std::filesystem::path& folder);

  // Each of these functions appends a record, and has written it when it returns. A grade, and
  // everything that was written before it, also survives a power failure.
  Result<> Begin(const BatchIdentity& identity);
  Result<> SetRoster(const Roster& roster);
  Result<> SetRules(const ClassRules& rules);
  Result<> Add(const Note& note);
  Result<> Started(const std::string& id);
  Result<> Died(const std::string& id, const std::string& digest, const std::string& how);
  Result<> Graded(const std::string& id, const std::string& digest, const Grade& grade);
  // Forgets the grade of an id in state().graded, and of all students who handed in the same files,
  // so that they are graded as if for the first time.
  Result<> Reopened(const std::string& id);

  const JournalState& state() const { return state_; }
  // Reads the grade of an id in state().graded.
  Result<Grade> GradeOf(const std::string& id) const;
  // Reads the grade of files in state().by_digest.
  Result<Grade> GradeOfFiles(const std::string& digest) const;

 private:
  Journal(CheckedFile file, JournalState state)
      : file_(std::move(file)), state_(std::move(state)) {}
  Result<> Append(const nlohmann::ordered_json& record, bool durable,
                  const std::string& grade = "");

  CheckedFile file_;
  JournalState state_;
};

}  // namespace warpcheck::batch
