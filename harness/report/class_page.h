// A class's grades as one page: who got what, and where points were lost.
//
// The page is complete as it is written, and needs no script: distribution, criteria, the commonest
// complaints, and a row for each student. A small script of ours (pages/class.js) then lets
// people sort, search and filter the rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grading/rubric.h"
#include "report/page_template.h"
#include "results/results.h"

namespace warpcheck {

struct ClassPage {
  struct Criterion {
    std::string name;
    Points points{};
  };
  struct Cell {
    Points points{};
    Verdict verdict = Verdict::kHarnessFault;
    std::string says{};      // the first complaint's first line; empty where there is none
    SourceLocation where{};  // of that complaint
  };
  struct Row {
    enum class State { kGraded, kNotGraded, kRefused, kMissing };
    std::string id;    // its page is class/<id>.html, where it has a grade
    std::string name;  // any UTF-8
    std::string section{};
    std::string submitted{};
    bool late = false;
    State state = State::kNotGraded;
    bool score_is_final = false;
    Points score{};
    Verdict verdict = Verdict::kHarnessFault;  // of a grade, as the cells
    std::vector<Cell> cells{};                 // as the criteria
    std::string note{};
  };
  struct Aside {
    std::string what;
    std::string reason;
  };
  struct Link {
    std::string address;  // beside the page
    std::string text;
  };

  std::string title;       // of the assignment
  std::int64_t begun = 0;  // seconds since 1970, UTC
  Points max_score{};
  std::vector<Link> links{};  // what else there is of the class
  std::vector<Criterion> criteria{};
  std::vector<Row> rows{};  // sorted by id
  std::vector<Aside> superseded{};
  std::vector<Aside> refused{};
  std::vector<std::vector<std::string>> identical{};  // ids of those that handed in the same files
};

inline constexpr char kClassPage[] = "index.html";

std::string HtmlClassPage(const ClassPage& page);

// Parts of it.

// How many bytes of a name are shown.
inline constexpr std::size_t kMaxNameShown = 200;

// For {{> student_name}}: the name, a link where there is a page, of which `anchor` is a place
// ("#c2"), and what stands behind it.
PageModel StudentModel(const ClassPage::Row& row, std::string_view anchor = "",
                       std::string_view remark = "");

// What became of it, in a word: "passed", "lost", "not graded", "refused", "missing".
std::string_view ResultWord(const ClassPage::Row& row);

// For {{> class_table}}: the rows, below what sorts and filters them (class_table.cc).
PageModel ClassTableModel(const ClassPage& page);

// What many of a class were told: complaints that differ in numbers alone, put together.
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

// How a class's scores are distributed: tenths of all points, and all of them.
inline constexpr std::size_t kScoreBins = 11;
using ScoreBins = std::array<std::size_t, kScoreBins>;  // how many students

std::size_t ScoreBin(Points score, Points max);
// "40 to 49 %", "all points".
std::string ScoreRange(std::size_t bin);

// For {{> histogram}}: an SVG picture, whose text alternative says all of its numbers. Lengths are
// in units of the picture.
PageModel HistogramModel(const ScoreBins& bins);

}  // namespace warpcheck
