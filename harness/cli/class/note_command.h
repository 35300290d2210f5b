// `warpcheck note`: sets a student's mark, or comments on it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace warpcheck {

struct NoteOptions {
  std::string student;           // an id of the batch
  std::filesystem::path out;     // the batch's folder
  std::optional<double> points;  // the mark; nothing: only a comment
  std::string comment;
  std::string who;  // who writes the note; empty: the user
};

// Keeps the note in the journal and writes the batch's files again. Returns the exit status.
int NoteCommand(const NoteOptions& options);

}  // namespace warpcheck
