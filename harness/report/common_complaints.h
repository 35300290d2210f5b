// What many of a class were told: complaints that differ in numbers alone, put together.
#pragma once

#include <string>
#include <vector>

#include "report/class_page.h"

namespace warpcheck {

struct CommonComplaint {
  struct Case {
    const ClassPage::Row* row = nullptr;  // owned by the page
    SourceLocation where;
  };
  std::string says;           // the first one's
  std::size_t criterion = 0;  // the first that lost points for it
  std::vector<Case> cases;    // one a student, in the order of the rows
};

// Of the first complaint of each criterion that failed or met an error; the commonest first.
std::vector<CommonComplaint> CommonComplaints(const ClassPage& page);

}  // namespace warpcheck
