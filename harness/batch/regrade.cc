#include "batch/regrade.h"

#include <vector>

#include "grading/filter.h"

namespace warpcheck::batch {

Result<std::size_t> Reopen(Journal& journal, const std::string& glob) {
  std::vector<std::string> open;
  for (const auto& [id, graded] : journal.state().graded) {
    if (GlobMatches(glob, id)) open.push_back(id);
  }
  const std::size_t before = journal.state().graded.size();
  for (const std::string& id : open) {
    if (!journal.state().graded.contains(id)) continue;  // of the same files as one before
    if (auto reopened = journal.Reopened(id); !reopened) return Fail(reopened.error());
  }
  return before - journal.state().graded.size();
}

}  // namespace warpcheck::batch
