// A Roster says who handed in what. It is read from a folder or an archive that a learning platform
// exported (docs/batch_layouts.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/record.h"
#include "base/result.h"
#include "batch/course/class_rules.h"
#include "batch/intake/listing.h"

namespace warpcheck::batch {

// An Entry is a submission that is graded, of one student or one team. A student has several
// entries if the best of them counts.
struct Entry {
  std::string id;                    // unique, and safe as the name of a file (SafeId)
  std::string name;                  // the name to show; may contain any UTF-8
  std::string what;                  // its name in the export
  std::filesystem::path submission;  // a .cu file or a folder of them
  // Such as "2026-11-21T10:00:00", in UTC; empty if it is not known.
  std::string submitted;
  bool late = false;                    // true if the platform marked it as late
  std::vector<std::string> known_as{};  // other names by which the course may know the student
};

struct Roster {
  std::vector<Entry> entries;        // sorted by id
  std::vector<Excluded> superseded;  // other submissions of the students in `entries`
  std::vector<Excluded> refused;     // submissions that a person must look at
};

// Reads the roster from `source`, a folder or an archive (.zip, .tar, .tar.gz). Copies the sources
// of each submission to a folder below `scratch`. It creates or empties `scratch` first, and
// `scratch` must outlive the entries. The same source always gives the same roster.
//
// The rule `counts` selects among the submissions of a student. Names that the course's roster
// lists stay distinct even if they differ only in case. Fails if there is nothing to grade.
Result<Roster> ReadRoster(const std::filesystem::path& source, const std::filesystem::path& scratch,
                          const ClassRules& rules = {});

// Returns a text such as ", of 2026-11-21T10:00:00"; empty if the time is not known.
std::string At(const std::string& submitted);

WARPCHECK_FIELDS(Entry, id, name, what, submission, submitted, late, known_as);
WARPCHECK_FIELDS(Roster, entries, superseded, refused);

}  // namespace warpcheck::batch
