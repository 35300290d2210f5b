// The files of a batch's folder that people and programs read: all are functions of its journal.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "base/result.h"
#include "batch/journal.h"
#include "batch/table.h"

namespace warpcheck::batch {

// Keeps a small row of each grade, not the grade. Files are replaced in one step, and only where
// they differ.
class Outputs {
 public:
  // `begun`, in seconds since 1970, is the one time that the files show.
  Outputs(std::filesystem::path folder, Rubric rubric, std::int64_t begun)
      : folder_(std::move(folder)), rubric_(std::move(rubric)), begun_(begun) {}

  // Makes the folders.
  Result<> Prepare() const;

  // What belongs to one submission alone: a new output of this kind goes here.
  Result<> Publish(const Entry& entry, const Grade& grade);

  // What belongs to the class: a new output of this kind goes here. `digests` are of the roster's
  // files, by id.
  Result<> Finish(const JournalState& state,
                  const std::map<std::string, std::string>& digests) const;

  // By id, of what was published.
  const std::map<std::string, Row>& rows() const { return rows_; }

 private:
  std::filesystem::path folder_;
  Rubric rubric_;
  std::int64_t begun_;
  std::map<std::string, Row> rows_;
};

}  // namespace warpcheck::batch
