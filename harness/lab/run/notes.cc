#include "lab/run/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace warpcheck::lab {
namespace {

bool HasNames(const Formula& formula, const Values& values) {
  return std::ranges::all_of(formula.Names(), [&](const std::string& name) {
    const auto found = values.find(name);
    return found != values.end() && found->second.has_value();
  });
}

}  // namespace

UnusableColumns::UnusableColumns(const Lab& lab)
    : columns_(lab.columns), has_names_(columns_.size()), has_value_(columns_.size()) {}

void UnusableColumns::Look(const Row& row, const Values& values) {
  if (!row.refused.empty()) return;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (HasNames(columns_[i].formula, values)) has_names_[i] = true;
    if (row.cells[i]) has_value_[i] = true;
  }
}

std::vector<std::string> UnusableColumns::Notes() const {
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!has_names_[i] || has_value_[i]) continue;
    notes.push_back(
        fmt::format("The column {} is not shown: its formula \"{}\" divides by zero in every line.",
                    columns_[i].name, columns_[i].formula.text()));
  }
  return notes;
}

std::vector<std::string> RefusalNotes(const std::vector<Row>& rows) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> reasons;
  for (const Row& row : rows) {
    std::string reason = fmt::format("Refused with {}.", row.refusal);
    if (row.refusal.empty() || std::ranges::find(reasons, reason) != reasons.end()) continue;
    reasons.push_back(std::move(reason));
  }
  if (reasons.size() > kMost) {
    const std::size_t more = reasons.size() - kMost;
    reasons.resize(kMost);
    reasons.push_back(
        fmt::format("{} to refuse a launch are not shown.", Counted(more, "other reason")));
  }
  return reasons;
}

}  // namespace warpcheck::lab
