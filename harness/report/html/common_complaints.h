// The complaints that many students of a class got.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/html/class_page.h"

namespace warpcheck {

// Complaints that differ only in numbers, put together.
struct CommonComplaint {
  struct Case {
    const ClassPage::Row* row = nullptr;  // owned by the page
    SourceLocation where;
  };
  std::string says;           // the first complaint's text
  std::size_t criterion = 0;  // the first criterion that lost points for it
  std::vector<Case> cases;    // one for each student, in the order of the rows
};

// Groups the first complaint of each criterion that failed or met an error; the most common comes
// first.
std::vector<CommonComplaint> CommonComplaints(const ClassPage& page);

}  // namespace warpcheck
