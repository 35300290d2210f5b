// Says whose work a submission is, where students work in teams.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "batch/course/class_rules.h"
#include "batch/intake/roster.h"

namespace warpcheck::batch {

class Teams {
 public:
  // `entries` are all submissions of the batch.
  Teams(const ClassRules& rules, const std::vector<Entry>& entries);

  // Returns the submission once for each student whose work it is: for who handed it in, unchanged,
  // and then for each other member of the team, with the member's name and id.
  std::vector<Entry> SharesOf(const Entry& entry) const;

  // Returns the name of a student's team; empty if there is none.
  std::string TeamOf(const Entry& entry) const;

  // Returns "team blue: Ada, Bob; Ada handed in" for the submission `entry`; empty without a team.
  std::string Remark(const Entry& entry) const;

 private:
  const Listed* ListedAs(const Entry& entry) const;

  const std::vector<Listed> roster_;
  RowFinder finder_;
  std::map<std::string, std::vector<Entry>> members_;  // by team; who they are, without submissions
};

}  // namespace warpcheck::batch
