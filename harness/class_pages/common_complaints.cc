#include "class_pages/common_complaints.h"

#include <algorithm>
#include <functional>
#include <map>

namespace warpcheck {

std::vector<CommonComplaint> CommonComplaints(const ClassPage& page) {
  std::vector<CommonComplaint> complaints;
  std::map<std::string, std::size_t> places;  // indices of groups, by id
  for (const ClassPage::Row& row : page.rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const ClassPage::Cell& cell = row.cells[i];
      const bool lost = cell.verdict == Verdict::kFailed || cell.verdict == Verdict::kError;
      if (!lost || cell.says.empty()) continue;
      const auto [place, is_new] = places.try_emplace(cell.id, complaints.size());
      if (is_new) complaints.push_back({.says = cell.says, .criterion = i, .cases = {}});
      auto& cases = complaints[place->second].cases;
      if (cases.empty() || cases.back().row != &row) {
        cases.push_back({.row = &row, .where = cell.where});
      }
    }
  }
  std::ranges::stable_sort(complaints, std::greater(),
                           [](const CommonComplaint& one) { return one.cases.size(); });
  return complaints;
}

}  // namespace warpcheck
