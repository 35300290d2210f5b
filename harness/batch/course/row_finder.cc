#include "batch/course/row_finder.h"

#include <algorithm>

namespace warpcheck::batch {

void RowFinder::Add(const std::string& cell, std::size_t row) {
  if (cell.empty()) return;
  by_cell_.try_emplace(cell, row);
  const std::string last = cell.substr(cell.find_last_of(" \t") + 1);
  if (last != cell && !last.empty()) by_last_word_.try_emplace(last, row);
}

std::optional<std::size_t> RowFinder::RowOf(const std::string& id,
                                            const std::vector<std::string>& known_as) const {
  std::optional<std::size_t> first;
  const auto look = [&](const std::map<std::string, std::size_t>& rows, const std::string& name) {
    const auto found = rows.find(name);
    if (found != rows.end()) first = std::min(first.value_or(found->second), found->second);
  };
  look(by_cell_, id);
  for (const std::string& name : known_as) {
    look(by_cell_, name);
    look(by_last_word_, name);
  }
  return first;
}

}  // namespace warpcheck::batch
