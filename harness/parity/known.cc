#include "parity/known.h"

#include <algorithm>
#include <sstream>

#include "grading/filter.h"

namespace warpcheck::parity {

bool KnownDifference::Covers(std::string_view of_counter, std::string_view of_subject,
                             const SourceLocation& at) const {
  return counter == of_counter && place == (at.known() ? at.Text() : "-") &&
         GlobMatches(subject, of_subject);
}

Result<std::vector<KnownDifference>> ParseKnown(std::string_view text, const std::string& file) {
  std::vector<KnownDifference> rows;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::istringstream words{std::string(text.substr(0, std::min(end, text.find('#'))))};
    text.remove_prefix(std::min(end + 1, text.size()));
    KnownDifference row;
    row.where = {.file = file, .line = number};
    std::string more;
    if (!(words >> row.cause)) continue;
    if (!(words >> row.counter >> row.subject >> row.place) || words >> more) {
      return Fail("expected four words: cause, counter, subject, place", row.where);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace warpcheck::parity
