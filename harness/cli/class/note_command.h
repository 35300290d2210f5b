// The command `warpcheck note` sets a student's mark, or comments on it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace warpcheck {

struct NoteOptions {
  std::string student;           // the student's id in the batch
  std::filesystem::path out;     // the batch's folder
  std::optional<double> points;  // the new mark; without a value only the comment is added
  std::string comment;
  std::string who;  // who writes the note; empty means the user of this process
};

// Keeps the note in the journal and writes the batch's files again. Returns the exit status.
int NoteCommand(const NoteOptions& options);

}  // namespace warpcheck
