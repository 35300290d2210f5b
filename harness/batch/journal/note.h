// A Note is a person's decision about a student's mark, as the journal keeps it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/record.h"

namespace warpcheck::batch {

struct Note {
  std::string id;  // the id of the student
  // The mark in hundredths of points, which replaces the earned points.
  std::optional<std::int64_t> points{};
  std::string comment;    // a comment; may be empty
  std::string who;        // who wrote the note
  std::int64_t when = 0;  // seconds since 1970, UTC
};

// The notes of each student by id, in the order in which they were written.
using Notes = std::map<std::string, std::vector<Note>>;

WARPCHECK_FIELDS(Note, id, points, comment, who, when);

}  // namespace warpcheck::batch
