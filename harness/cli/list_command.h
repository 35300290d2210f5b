// The command `warpcheck list` lists the assignments.
#pragma once

#include <filesystem>

namespace warpcheck {

// Prints the assignments, and complains about each rubric that cannot be read. Writes both to the
// file `json` as JSON, if there is one: {"assignments": [{"name", "title", "points", "course",
// "error"}, ...]}, where `error` is null, or says why the assignment cannot be used. Returns the
// exit status (cli/exit_status.h).
int ListCommand(const std::filesystem::path& json);

}  // namespace warpcheck
