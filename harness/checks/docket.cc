#include "checks/docket.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "results/results.h"

namespace warpcheck {

Charge Charged(Verdict verdict, std::string message, std::string hint, SourceLocation where) {
  Charge charge;
  charge.verdict = verdict;
  charge.complaint.message = std::move(message);
  charge.complaint.where = std::move(where);
  charge.complaint.hint = std::move(hint);
  return charge;
}

Docket& Docket::Current() {
  static Docket docket;
  return docket;
}

void Docket::Add(Charge charge) {
  if (std::find(charges_.begin(), charges_.end(), charge) == charges_.end()) {
    charges_.push_back(std::move(charge));
  }
}

std::vector<Charge> Docket::Take() { return std::exchange(charges_, {}); }

void Docket::RestOn(Yardstick yardstick) {
  if (std::ranges::find(yardsticks_, yardstick) == yardsticks_.end()) {
    yardsticks_.push_back(std::move(yardstick));
  }
}

std::vector<Yardstick> Docket::TakeYardsticks() { return std::exchange(yardsticks_, {}); }

void StopCase(Charge charge) {
  const std::string message = charge.complaint.message;
  Docket::Current().Add(std::move(charge));
  throw CaseStopped(message);
}

std::string ExplanationOf(const std::vector<Charge>& charges) {
  std::string text;
  for (const auto& [verdict, complaint] : charges) {
    if (!text.empty()) text += '\n';
    if (complaint.where.known()) text += complaint.where.Text() + ": ";
    text += complaint.message;
    if (!complaint.hint.empty()) text += "\n  hint: " + complaint.hint;
  }
  return text;
}

// What it started ends with it: they hold the other ends of its sockets.
void EndNotGraded(const std::string& why) {
  std::fflush(nullptr);
  std::fprintf(stderr, "\n%s\n", why.c_str());
  std::_Exit(kNotGradedStatus);
}

}  // namespace warpcheck
