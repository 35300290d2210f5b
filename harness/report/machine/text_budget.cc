#include "report/machine/text_budget.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json/record.h"
#include "report/clean_text.h"

namespace warpcheck {

std::string TextBudget::Within(const std::string& text) {
  std::string shown = CleanText(text, left_);
  // A quote or a new line takes two bytes in JSON, so that a text may have to be cut again.
  while (!shown.empty() && JsonText(nlohmann::ordered_json(shown), -1).size() > left_) {
    shown = shown.size() < 8 ? std::string() : CleanText(shown, shown.size() / 2);
  }
  left_ -= std::min(left_, JsonText(nlohmann::ordered_json(shown), -1).size());
  return shown;
}

bool TextBudget::Take(std::size_t bytes) {
  if (bytes > left_) return false;
  left_ -= bytes;
  return true;
}

}  // namespace warpcheck
