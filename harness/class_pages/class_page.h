// Writes the page of a class: its scores, its commonest complaints, and a row for each student.
//
// The page can be read without a script. A small script (pages/class.js) lets people sort, search
// and filter the rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grading/rubric.h"
#include "report/html/page_template.h"
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
    std::string says{};      // the first line of the first complaint; may be empty
    SourceLocation where{};  // the place of that complaint
    std::string id{};        // IdOf that complaint; empty if the text is not of a complaint
  };
  struct Row {
    enum class State { kGraded, kNotGraded, kRefused, kMissing };
    std::string id;    // its page is class/<id>.html if it has a grade
    std::string name;  // the name; may contain any UTF-8
    std::string section{};
    std::string submitted{};
    bool late = false;
    State state = State::kNotGraded;
    bool score_is_final = false;
    Points score{};
    Verdict verdict = Verdict::kHarnessFault;  // the verdict of the grade, as for the cells
    std::vector<Cell> cells{};                 // cells in the order of the criteria
    std::string note{};
  };
  struct Excluded {
    std::string what;
    std::string reason;
  };
  struct Link {
    std::string address;  // the address, relative to the page
    std::string text;
  };

  std::string title;       // the title of the assignment
  std::int64_t begun = 0;  // seconds since 1970, UTC
  Points max_score{};
  std::vector<Link> links{};  // links to other files of the class
  std::vector<Criterion> criteria{};
  std::vector<Row> rows{};  // sorted by id
  std::vector<Excluded> superseded{};
  std::vector<Excluded> refused{};
  std::vector<std::vector<std::string>> identical{};  // groups of ids that handed in the same files
};

inline constexpr char kClassPage[] = "index.html";

std::string HtmlClassPage(const ClassPage& page);

}  // namespace warpcheck
