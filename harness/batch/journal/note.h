// A person's decision about a student's mark, as the journal keeps it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/record.h"

namespace warpcheck::batch {

struct Note {
  std::string id;                        // the student's
  std::optional<std::int64_t> points{};  // the mark in hundredths, which replaces what was earned
  std::string comment;                   // may be empty
  std::string who;                       // who wrote the note
  std::int64_t when = 0;                 // seconds since 1970, UTC
};

// Each student's notes by id, in the order in which they were written.
using Notes = std::map<std::string, std::vector<Note>>;

WARPCHECK_FIELDS(Note, id, points, comment, who, when);

}  // namespace warpcheck::batch
