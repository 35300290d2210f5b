#include "class_pages/common_complaints.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "class_pages/class_page.h"

namespace warpcheck {
namespace {

TEST(CommonComplaints, AreOneMistakeInWhateverWords) {
  ClassPage page;
  const auto add = [&](const std::string& id, std::vector<ClassPage::Cell> cells) {
    ClassPage::Row& row = page.rows.emplace_back();
    row.id = id;
    row.cells = std::move(cells);
  };
  const auto lost = [](const std::string& says, int line) {
    return ClassPage::Cell{.verdict = Verdict::kFailed,
                           .says = says,
                           .where = {.file = "t.cu", .line = line},
                           .id = "missed_target: banks"};
  };
  const ClassPage::Cell error = {.verdict = Verdict::kError, .says = "does not compile"};
  const ClassPage::Cell skipped = {.verdict = Verdict::kSkipped, .says = "counts only once"};
  add("a", {error, error});
  add("b", {{.verdict = Verdict::kPassed}, lost("2-way conflict: 1,000", 7)});
  add("c", {skipped, lost("Bankkonflikte", 9)});
  const auto complaints = CommonComplaints(page);
  ASSERT_EQ(complaints.size(), 2U);
  EXPECT_EQ(complaints[0].says, "2-way conflict: 1,000");
  EXPECT_EQ(complaints[0].criterion, 1U);
  ASSERT_EQ(complaints[0].cases.size(), 2U);
  EXPECT_EQ(complaints[0].cases[1].row->id, "c");
  EXPECT_EQ(complaints[0].cases[1].where.line, 9);
  EXPECT_EQ(complaints[1].cases.size(), 1U) << "a student counts once";
}

}  // namespace
}  // namespace warpcheck
