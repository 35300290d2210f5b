// A checks program that gives every order the same answer, for tests of what a grading makes of it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grading/checks_program.h"

namespace warpcheck {

class AnsweringChecks : public ChecksProgram {
 public:
  explicit AnsweringChecks(ChecksReport report) : report_(std::move(report)) {}

  Result<ChecksRun> Run(const ChecksCommand& command, const CaseProgress&) override {
    orders.push_back(command.order);
    ChecksRun run;
    run.report = report_;
    run.finished = finishes;
    return run;
  }
  Result<std::vector<std::string>> List(const std::filesystem::path&, std::uint64_t) override {
    return std::vector<std::string>();
  }

  std::vector<ChecksOrder> orders;  // the orders that came
  bool finishes = true;             // false to answer as a program that crashed

 private:
  ChecksReport report_;
};

}  // namespace warpcheck
