#include "proof/mutation/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>

#include "base/in_parallel.h"

namespace warpcheck::mutation {
namespace {

using Outcome = Grading::Outcome;

// Returns the line `number` of a text, without surrounding blanks.
std::string_view LineOf(std::string_view text, int number) {
  for (int line = 1; line < number; ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

std::string Survives(const Source& source, const Mutant& mutant) {
  return fmt::format("{}: keeps full marks and is not listed as equivalent\n    - {}\n    + {}",
                     mutant.Name(), LineOf(source.text(), mutant.line),
                     LineOf(mutant.Apply(source.text()), mutant.line));
}

// Returns the problem of a trial, or nullopt if the trial went as expected.
std::optional<std::string> Complaint(const Source& source, const Trial& trial,
                                     const Equivalent* listed) {
  switch (trial.grading.outcome) {
    case Outcome::kFault:
      return fmt::format("{}: grading failed: {}", trial.mutant.Name(), trial.grading.detail);
    case Outcome::kSurvived:
      if (listed == nullptr) return Survives(source, trial.mutant);
      return std::nullopt;
    case Outcome::kKilled:
    case Outcome::kUncompiled:
      if (listed == nullptr) return std::nullopt;
      return fmt::format("{}: listed as equivalent ({}), but it {}", trial.mutant.Name(),
                         listed->where.Text(),
                         trial.grading.outcome == Outcome::kKilled ? "gets " + trial.grading.detail
                                                                   : "does not compile");
  }
  return std::nullopt;
}

}  // namespace

std::vector<Trial> GradeMutants(const Source& source, std::vector<Mutant> mutants,
                                const Grader& grader, std::size_t workers,
                                const std::function<void(const Trial& trial)>& done) {
  std::vector<Trial> trials(mutants.size());
  std::mutex mutex;
  InParallel(trials.size(), workers, [&](std::size_t i, std::size_t worker) {
    trials[i].grading = grader(mutants[i].Apply(source.text()), worker);
    trials[i].mutant = std::move(mutants[i]);
    const std::lock_guard lock(mutex);
    done(trials[i]);
  });
  return trials;
}

Tally Judge(const Source& source, const std::vector<Trial>& trials,
            const std::vector<std::string>& all, const std::vector<Equivalent>& equivalents) {
  Tally tally;
  for (const Trial& trial : trials) {
    const auto listed =
        std::find_if(equivalents.begin(), equivalents.end(),
                     [&](const Equivalent& one) { return one.mutant == trial.mutant.Name(); });
    const bool is_listed = listed != equivalents.end();
    if (auto complaint = Complaint(source, trial, is_listed ? &*listed : nullptr)) {
      tally.complaints.push_back(*std::move(complaint));
    }
    if (trial.grading.outcome == Outcome::kUncompiled) ++tally.uncompiled;
    if (trial.grading.outcome == Outcome::kKilled) ++tally.killed;
    if (trial.grading.outcome == Outcome::kSurvived && is_listed) ++tally.equivalent;
  }
  const std::set<std::string_view> names(all.begin(), all.end());
  for (const Equivalent& one : equivalents) {
    if (names.contains(one.mutant)) continue;
    tally.complaints.push_back(
        fmt::format("{}: listed as equivalent ({}), but there is no such mutant", one.mutant,
                    one.where.Text()));
  }
  return tally;
}

}  // namespace warpcheck::mutation
