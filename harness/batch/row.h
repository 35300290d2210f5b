// One line of a class's table: what is kept of a grade in memory.
#pragma once

#include <string>
#include <vector>

#include "grading/grade.h"

namespace warpcheck::batch {

struct CriterionCell {
  Points points;
  Verdict verdict = Verdict::kHarnessFault;
  std::string says;  // the first complaint's first line, with its place; at most 300 bytes
};

struct Row {
  Points score;
  Points max_score;
  Verdict verdict = Verdict::kHarnessFault;
  bool score_is_final = false;
  std::vector<CriterionCell> criteria;  // as in the rubric
  std::string note;                     // why there is no score, or no final one; mostly empty
};

Row RowOf(const Grade& grade);

}  // namespace warpcheck::batch
