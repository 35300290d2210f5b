// Writes the text of reports about the GPU that was the witness of a grade (grading/witness.h).
#pragma once

#include <string>
#include <vector>

#include "grading/grade.h"

namespace warpcheck {

struct WitnessText {
  std::string title;  // such as "On the NVIDIA H200 (no points depend on it)"
  // Sentences: first the results, and then one for each target.
  std::vector<std::string> facts;
  std::vector<std::string> differences;  // sentences whose first line names the test
};

// Returns the text; its title is empty if no GPU was used.
WitnessText TextOfWitness(const Grade& grade);

// Returns a sentence or two that say why a score is not final.
std::string WhyNotFinal(const Grade& grade);

}  // namespace warpcheck
