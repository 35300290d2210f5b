// Tells how the scores of a batch have changed.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace warpcheck {

// Returns the scores in the grades.csv of a batch's folder, by id. The result is empty if there is
// no such file yet.
std::map<std::string, std::string> ScoresIn(const std::filesystem::path& out);

// Prints the scores that differ from those in `before`.
void PrintScoreChanges(const std::map<std::string, std::string>& before,
                       const std::filesystem::path& out);

}  // namespace warpcheck
