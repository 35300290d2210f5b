// Text that came from a submission, made safe to show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "grading/grade.h"
#include "grading/rubric.h"

namespace warpcheck {

// Lines of text for a terminal of a given width.

// Columns that UTF-8 text takes: its characters; wide and combining ones count as one.
std::size_t Columns(std::string_view text);

// One line of text broken at spaces into lines of at most `width` columns, each ended by a newline:
// the first after `first_indent` spaces, the others after `indent`, to which the spaces that `line`
// begins with are added. A word that is too long for a line keeps one to itself.
std::string Wrapped(std::string_view line, std::size_t width, std::size_t first_indent,
                    std::size_t indent);

// At most `max_lines` lines, each after `prefix`, then how many were left out. A line that repeats
// the one before it is counted instead of shown.
std::string Quoted(std::string_view text, std::string_view prefix, std::size_t max_lines);

// Valid UTF-8 without the characters that XML 1.0 forbids (newlines and tabs stay) and without
// escape sequences; at most `max_bytes`, then "...".
std::string CleanText(std::string_view text, std::size_t max_bytes = 8192);

// Texts as they may stand in JUnit XML.

// Clean (CleanText), and without what makes a consumer attach files or set properties.
std::string Neutral(std::string_view text, std::size_t max_bytes = 4096);

// Seconds since 1970, UTC: "2026-11-21T10:00:00".
std::string JunitTimestamp(std::int64_t seconds);

// What a criterion says, as plain text for consumers that show text alone.

// Each complaint once, with its line, cases and hint; "" for a criterion that is passed. Safe to
// show, bounded.
std::string CriterionText(const Grade& grade, const CriterionGrade& criterion);

// Where the student's file is for whoever looks at the submission from the folder that grading
// started in: the submission's path as given, and in a folder the file's own.
std::string PathOf(const Attempt& attempt, const SourceLocation& where);

// "1 pair", "2048 pairs".
std::string CountOf(std::size_t number, std::string_view what);

// Points as a JSON number: 40, 12.5.

inline nlohmann::ordered_json Number(Points points) {
  if (points.hundredths() % 100 == 0) return points.hundredths() / 100;
  return points.Number();
}

}  // namespace warpcheck
