// The roster of a batch: who handed in what, read from a folder or an archive that a learning
// platform exported (docs/batch_layouts.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/record.h"
#include "base/result.h"
#include "batch/course/class_rules.h"
#include "batch/intake/listing.h"

namespace warpcheck::batch {

// A submission that is graded, of one student or one team. A student has several entries if the
// best of them counts.
struct Entry {
  std::string id;                       // unique, and safe as a file's name (SafeId)
  std::string name;                     // the name to show; any UTF-8
  std::string what;                     // its name in the export
  std::filesystem::path submission;     // a .cu file or a folder of them
  std::string submitted;                // "2026-11-21T10:00:00", UTC; empty if it is not known
  bool late = false;                    // marked as late by the platform
  std::vector<std::string> known_as{};  // other names by which the course may know the student
};

struct Roster {
  std::vector<Entry> entries;        // sorted by id
  std::vector<Excluded> superseded;  // other submissions of the students in `entries`
  std::vector<Excluded> refused;     // submissions that a person has to look at
};

// Reads the roster from `source`, a folder or an archive (.zip, .tar, .tar.gz). The sources of
// each submission are copied below `scratch`, which is created if necessary and emptied first,
// and has to outlive the entries. The same source always gives the same roster.
//
// The rule `counts` selects among the submissions of a student. Names that the course's roster
// lists are distinguished even if they differ only in case. Fails if there is nothing to grade.
Result<Roster> ReadRoster(const std::filesystem::path& source, const std::filesystem::path& scratch,
                          const ClassRules& rules = {});

// Returns ", of 2026-11-21T10:00:00"; empty if the time is not known.
std::string At(const std::string& submitted);

WARPCHECK_FIELDS(Entry, id, name, what, submission, submitted, late, known_as);
WARPCHECK_FIELDS(Roster, entries, superseded, refused);

}  // namespace warpcheck::batch
