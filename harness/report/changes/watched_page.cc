#include "report/changes/watched_page.h"

#include <utility>

#include "report/html/html_text.h"
#include "report/html/page_template.h"
#include "report/html/student_page.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMaxChange = 1000;  // in bytes

}  // namespace

std::string WatchedPage(const Grade& grade, const std::vector<std::string>& changes, int refresh) {
  std::string page = StudentPage(grade, HeadOfFile(grade), {.refresh = refresh});
  if (changes.empty()) return page;
  PageModel model = {{"changes", PageModel::array()}};
  for (const std::string& change : changes) {
    model["changes"].push_back(Shortened(change, kMaxChange));
  }
  return WithFirstPart(std::move(page), Rendered("changes", model));
}

}  // namespace warpcheck
