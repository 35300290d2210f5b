// What reports say of the GPU that was the witness of a grade (grading/witness.h).
#pragma once

#include <string>
#include <vector>

#include "grading/grade.h"

namespace warpcheck {

struct WitnessText {
  std::string title;                     // "On the NVIDIA H200 (it gives and takes no points)"
  std::vector<std::string> facts;        // a sentence each: results, then a line for each target
  std::vector<std::string> differences;  // a sentence each; the first line names the test
};

// Without title where there was no GPU to tell of.
WitnessText TextOfWitness(const Grade& grade);

// Why a score that is not final is not, as a sentence or two.
std::string WhyNotFinal(const Grade& grade);

}  // namespace warpcheck
