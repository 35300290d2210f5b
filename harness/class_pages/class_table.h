// Makes the table of a class's page, with the controls that sort, search and filter its rows.
#pragma once

#include <cstddef>
#include <string_view>

#include "class_pages/class_page.h"
#include "report/html/page_template.h"

namespace warpcheck {

// The most bytes of a student's name that are shown.
inline constexpr std::size_t kMaxNameShown = 200;

// Returns the data of {{> student_name}}: the student's name, followed by `remark`. The name is a
// link to the place `anchor` ("#c2") of the student's page if there is one.
PageModel StudentModel(const ClassPage::Row& row, std::string_view anchor = "",
                       std::string_view remark = "");

// Returns the row's result in a word: "passed", "lost", "not graded", "refused" or "missing".
std::string_view ResultWord(const ClassPage::Row& row);

// Returns the data of {{> class_table}}.
PageModel ClassTableModel(const ClassPage& page);

}  // namespace warpcheck
