// Who handed in what: a class's submissions, found in a folder or an archive as a learning platform
// exports it (docs/batch_layouts.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/record.h"
#include "base/result.h"
#include "batch/course/class_rules.h"
#include "batch/intake/listing.h"

namespace warpcheck::batch {

// One student, or one team: what is graded. Where the best of several submissions counts, one of
// those.
struct Entry {
  std::string id;                    // unique, and safe as a file's name (names.h); grades go by it
  std::string name;                  // as to be shown: any UTF-8
  std::string what;                  // as the export names it
  std::filesystem::path submission;  // a .cu file or a folder of them
  std::string submitted;             // "2026-11-21T10:00:00", UTC; empty where nothing says it
  bool late = false;                 // by the platform's word
  std::vector<std::string> known_as{};  // other names by which the course may know the student
};

struct Roster {
  std::vector<Entry> entries;        // sorted by id; of each student what may count
  std::vector<Excluded> superseded;  // other submissions of those in `entries`
  std::vector<Excluded> refused;     // a person has to look at them
};

// `source` is a folder or an archive (.zip, .tar, .tar.gz). What nvcc may read of each submission
// is copied below `scratch`, which is made where it is missing, has to outlive the entries, and
// loses what an earlier call left there. The same source gives the same roster. Fails where nothing
// can be graded. Of the rules, `counts` chooses among a student's submissions, and names that the
// course's roster has are told apart, though they may differ in case alone.
Result<Roster> ReadRoster(const std::filesystem::path& source, const std::filesystem::path& scratch,
                          const ClassRules& rules = {});

// ", of 2026-11-21T10:00:00"; empty where nothing says when.
std::string At(const std::string& submitted);

WARPCHECK_FIELDS(Entry, id, name, what, submission, submitted, late, known_as);
WARPCHECK_FIELDS(Roster, entries, superseded, refused);

}  // namespace warpcheck::batch
