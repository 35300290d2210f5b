// A class's grades as one page: who got what, and where points were lost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grading/rubric.h"
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
  };
  struct Row {
    std::string id;    // its page is class/<id>.html, where it has a grade
    std::string name;  // any UTF-8
    std::string submitted{};
    bool late = false;
    bool graded = false;  // the rest is of a grade
    bool score_is_final = false;
    Points score{};
    Verdict verdict = Verdict::kHarnessFault;
    std::vector<Cell> cells{};  // as the criteria
    std::string note{};
  };
  struct Aside {
    std::string what;
    std::string reason;
  };

  std::string title;       // of the assignment
  std::int64_t begun = 0;  // seconds since 1970, UTC
  Points max_score{};
  std::vector<Criterion> criteria{};
  std::vector<Row> rows{};  // sorted by id
  std::vector<Aside> superseded{};
  std::vector<Aside> refused{};
  std::vector<Aside> missing{};                       // who handed in nothing, and their section
  std::vector<std::vector<std::string>> identical{};  // ids of those that handed in the same files
  bool has_similarity = false;                        // there is a page of who is alike
};

// There is no script that could sort, so that the page is there in each order; the file names are
// those that the pages link to each other by.
enum class ClassOrder { kById, kByScore };
inline constexpr char kClassPage[] = "index.html";
inline constexpr char kClassPageByScore[] = "by_score.html";

std::string HtmlClassPage(const ClassPage& page, ClassOrder order);

}  // namespace warpcheck
