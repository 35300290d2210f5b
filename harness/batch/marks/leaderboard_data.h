// Collects the data of a class's leaderboard (class_pages/leaderboard.h), and writes it as CSV.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "batch/marks/table.h"
#include "class_pages/leaderboard.h"

namespace warpcheck::batch {

// Returns what a leaderboard shows of a submission, without a name; nothing if it has no place. A
// submission has a place if each of its tests passes, or fails only by missing targets or a speed,
// and if its work was counted. Tests that only hidden criteria have do not count: they do not
// decide about the place, and their work is not added. A test that a shown criterion has too does
// count.
std::optional<Leaderboard::Row> StandingOf(const Grade& grade);

// Returns a pseudonym for a submission, such as "blue heron 52". It depends on the submitted files,
// so that nobody can find out the pseudonyms of others; `digest` is their digest.
std::string Pseudonym(const std::string& id, const std::string& digest);

// `with_names` shows the students' names instead of pseudonyms.
Leaderboard LeaderboardOf(const Table& table, bool with_names);

// Returns the leaderboard as CSV: place, name, speed (empty if it was not measured), global_sectors
// and warp_instructions.
std::string LeaderboardCsv(const Leaderboard& board);

// Returns the key to the pseudonyms as CSV, for the instructor: id, name and pseudonym.
std::string PseudonymsCsv(const Table& table);

}  // namespace warpcheck::batch
