// Collects the complaints that many students of a class got.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "class_pages/class_page.h"

namespace warpcheck {

// Complaints that are one mistake (IdOf).
struct CommonComplaint {
  struct Case {
    const ClassPage::Row* row = nullptr;  // the student's row; owned by the page
    SourceLocation where;
  };
  std::string says;           // the text of the first complaint
  std::size_t criterion = 0;  // the first criterion that lost points because of it
  std::vector<Case> cases;    // one for each student, in the order of the rows
};

// Groups the first complaint of each criterion that failed or had an error; the most common group
// comes first.
std::vector<CommonComplaint> CommonComplaints(const ClassPage& page);

}  // namespace warpcheck
