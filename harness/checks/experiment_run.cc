#include "checks/experiment_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/text/demangle.h"
#include "checks/run_cases.h"
#include "experiments/change.h"
#include "experiments/proposals.h"
#include "ptx/parser/parser.h"
#include "results/results_file.h"
#include "trial/case_log.h"
#include "trial/devices/emulator_source.h"
#include "trial/runner.h"
#include "trial/session.h"

namespace warpcheck {
namespace {

using experiments::Change;

// A changed program may execute so many times the instructions of the program itself, and so many
// more. There is a limit because a change can make a loop endless.
constexpr std::uint64_t kTimesTheInstructions = 4;
constexpr std::uint64_t kMoreInstructions = 20'000;
constexpr std::uint64_t kMoreOfAWarp = 200;  // for launches that a mistake has ended

// The modules of the submission by their text, parsed once.
class Modules {
 public:
  // `plain_ptx` is ChecksOrder::plain_ptx.
  explicit Modules(std::filesystem::path plain_ptx) : plain_ptx_(std::move(plain_ptx)) {
    if (plain_ptx_.empty()) return;
    if (const auto text = ReadFile(plain_ptx_, kMostBytes)) plain_ = Parse(*text);
  }

  // Returns the module that runs in place of a text, or null if that is not known: then the text
  // itself runs, and its kernels are not changed.
  std::shared_ptr<const ptx::Module> For(std::string_view text) {
    if (const auto known = modules_.find(text); known != modules_.end()) return known->second;
    auto module = Parse(text);
    if (module && !plain_ptx_.empty()) module = HasTheKernelsOf(*module) ? plain_ : nullptr;
    return modules_.emplace(text, std::move(module)).first->second;
  }
  std::vector<std::shared_ptr<const ptx::Module>> All() const {
    std::vector<std::shared_ptr<const ptx::Module>> all;
    for (const auto& [text, module] : modules_) {
      if (module) all.push_back(module);
    }
    return all;
  }

 private:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;

  static std::shared_ptr<const ptx::Module> Parse(std::string_view text) {
    auto module = ptx::ParseModule(text, "ptx");
    return module ? std::make_shared<const ptx::Module>(*std::move(module)) : nullptr;
  }
  // The compiler gives names of anonymous namespaces a part that depends on the place of the file.
  bool HasTheKernelsOf(const ptx::Module& module) const {
    return plain_ && std::ranges::all_of(module.functions, [&](const ptx::Function& one) {
             return !one.is_entry || std::ranges::any_of(plain_->functions, [&](const auto& other) {
               return other.is_entry && other.name == one.name;
             });
           });
  }

  const std::filesystem::path plain_ptx_;
  std::shared_ptr<const ptx::Module> plain_;  // null if there is none
  std::map<std::string, std::shared_ptr<const ptx::Module>, std::less<>> modules_;
};

// A source of emulators that run the program with a change. Each try has a source of its own, so
// that it knows nothing of the tries before.
class ChangedDevices : public DeviceSource {
 public:
  ChangedDevices(const ChecksOrder& order, Modules& modules) : order_(order), modules_(modules) {}

  // Begins a try. `change` may be null, and must outlive the try.
  void Begin(const Change* change, std::uint64_t seed, std::uint64_t most_instructions) {
    change_ = change;
    changed_.clear();
    source_ = std::make_unique<EmulatorSource>(EmulatorSource::Settings{
        .student_sources = order_.sources,
        .order_seed = seed,
        .target = order_.plan.ptx_target,
        .module_for = [this](std::string_view text) { return ModuleFor(text); },
        .change_launch = [this](LaunchRequest& request) { ChangeLaunch(request); },
        .most_instructions = most_instructions});
  }
  const std::set<std::string>& kernels() const { return kernels_; }

  Result<std::string> Name() override { return source_->Name(); }
  Result<Device> ForTrial(const CallLimits& limits, DeviceLog& log) override {
    return source_->ForTrial(limits, log);
  }
  void RenewBudget(std::uint64_t instructions) override { source_->RenewBudget(instructions); }
  std::uint64_t Used() const override { return source_->Used(); }
  std::vector<emulator::Approximation> TakeApproximations() override {
    return source_->TakeApproximations();
  }

 private:
  std::shared_ptr<const ptx::Module> ModuleFor(std::string_view text) {
    const auto module = modules_.For(text);
    if (!module || change_ == nullptr || change_->edits.empty()) return module;
    auto& changed = changed_[module.get()];
    if (!changed) {
      changed = std::make_shared<const ptx::Module>(experiments::Changed(*module, *change_));
    }
    return changed;
  }
  void ChangeLaunch(LaunchRequest& request) {
    kernels_.insert(request.kernel);
    if (change_ != nullptr) experiments::ChangeLaunch(*change_, request);
  }

  const ChecksOrder& order_;
  Modules& modules_;
  const Change* change_ = nullptr;
  std::unique_ptr<EmulatorSource> source_;
  std::map<const ptx::Module*, std::shared_ptr<const ptx::Module>> changed_;
  std::set<std::string> kernels_;  // the mangled names of all kernels that were launched
};

// A Try holds what one try showed.
struct Try : ResultsWriter {
  void EndCase(const CaseResult& result) override { cases.push_back(result); }
  void Launch(const CaseLaunch& launch) override { launches.push_back(launch.record); }

  // Returns whether all these cases ran, and passed.
  bool Passed(std::size_t number) const {
    return cases.size() >= number && std::ranges::all_of(cases, [](const CaseResult& one) {
             return one.verdict == Verdict::kPassed;
           });
  }

  std::vector<CaseResult> cases;
  std::vector<LaunchRecord> launches;
};

class ExperimentRun {
 public:
  ExperimentRun(const ChecksOrder& order, sandbox::Sandbox& sandbox, const std::string& header,
                const ExperimentBudget& budget)
      : order_(order),
        budget_(budget),
        modules_(order.plain_ptx),
        devices_(order, modules_),
        runner_({.shared_object = order.shared_object,
                 .submission_host = order.submission_host,
                 .student_sources = order.sources,
                 .header = header},
                sandbox, devices_) {}

  Experiments Make() {
    const std::span cheapest(order_.cases.data(), 1);
    calls_ = 1;
    Try first = Run(nullptr, cheapest);
    if (first.Passed(1)) {  // only a later call of the case is wrong
      calls_ = kAllCalls;
      first = Run(nullptr, cheapest);
    }
    if (first.cases.empty() || first.Passed(1)) return std::move(made_);
    most_instructions_ = kTimesTheInstructions * last_instructions_ + kMoreInstructions;
    for (const LaunchRecord& launch : first.launches) {
      most_instructions_ += kMoreOfAWarp * WarpsOf(launch);
    }

    const std::vector<Change> changes = ChangesOf(modules_.All(), ScopeOf(first));
    made_.proposed = static_cast<std::uint32_t>(changes.size());
    std::vector<const Change*> hopeful;
    for (const Change& change : changes) {
      if (made_.tried == budget_.tries || made_.instructions > budget_.instructions) break;
      ++made_.tried;
      if (Run(&change, cheapest).Passed(1)) hopeful.push_back(&change);
      made_.instructions += last_instructions_;
    }
    Confirm(hopeful);
    return std::move(made_);
  }

 private:
  static constexpr std::size_t kAllCalls = 1'000;

  // Runs the cases with a change, or without one if it is null, up to the first that fails.
  Try Run(const Change* change, std::span<const std::string> cases, std::uint64_t other_seed = 0) {
    GTEST_FLAG_SET(fail_fast, true);
    const std::uint64_t seed = order_.plan.seed + other_seed;
    devices_.Begin(change, seed, most_instructions_);
    runner_.RenewBudget();
    Try one;
    const Session session(runner_, one, seed, {.most_calls = calls_});
    RunCases(cases, one);
    last_instructions_ = runner_.instructions();
    all_instructions_ += last_instructions_;
    return one;
  }

  experiments::Scope ScopeOf(const Try& first) const {
    std::set<int> lines;
    bool has_race = false;
    for (const LaunchRecord& launch : first.launches) {
      for (const LineCounters& line : launch.lines) lines.insert(line.where.line);
      for (const Finding& finding : launch.findings) {
        has_race =
            has_race || IsOneOf(finding.kind, FindingKind::kSharedRace, FindingKind::kGlobalRace,
                                FindingKind::kUninitialisedUse, FindingKind::kUninitialisedRead);
      }
    }
    return {
        .is_student_file = IsOneOfSources(order_.sources),
        .ran =
            [lines](const SourceLocation& at) { return lines.empty() || lines.contains(at.line); },
        .kernels = {devices_.kernels().begin(), devices_.kernels().end()},
        .has_race = has_race};
  }

  // Adds the places of the changes that cure every case.
  void Confirm(const std::vector<const Change*>& hopeful) {
    most_instructions_ = 0;
    const std::uint64_t before = all_instructions_;
    std::uint32_t confirmed = 0;
    for (const Change* change : hopeful) {
      if (Knows(*change) || IsOnlyAnotherWay(*change) || !CuresFew(*change)) continue;
      const bool is_spent = all_instructions_ - before > budget_.confirming;
      if (confirmed++ == budget_.confirmations || is_spent) return;
      if (Cures(*change)) {
        made_.cures.push_back({.kind = std::string(Text(change->kind)),
                               .phrase = std::string(Phrase(change->kind)),
                               .where = Short(change->where),
                               .kernel = change->launch ? Demangle(change->launch->kernel) : "",
                               .change = change->text,
                               .cured = static_cast<std::uint32_t>(order_.cases.size())});
      }
    }
  }

  // A size that is larger by 1 does the same as another comparison with it.
  bool IsOnlyAnotherWay(const Change& change) const {
    return change.launch && change.launch->shifted && !made_.cures.empty();
  }

  bool Knows(const Change& change) const {
    const SourceLocation place = Short(change.where);
    const std::string kernel = change.launch ? Demangle(change.launch->kernel) : "";
    return std::ranges::any_of(made_.cures, [&](const Experiment& cure) {
      return cure.where == place && cure.kernel == kernel;
    });
  }

  // Most changes that cure the cheapest case fail here.
  bool CuresFew(const Change& change) {
    constexpr std::size_t kFew = 4;
    const std::span<const std::string> few(order_.cases.data(),
                                           std::min(kFew, order_.cases.size()));
    return few.size() == 1 || Run(&change, few).Passed(few.size());
  }

  bool Cures(const Change& change) {
    const std::span<const std::string> failed(order_.cases);
    // Cases that judge the same call share it if they run together.
    std::vector<std::string> all = order_.cases;
    all.insert(all.end(), order_.passed.begin(), order_.passed.end());
    if (!Run(&change, all).Passed(all.size())) return false;
    const std::span cheaper = failed.first((failed.size() + 1) / 2);
    return Run(&change, cheaper, 1).Passed(cheaper.size());
  }

  SourceLocation Short(SourceLocation place) const {
    place.file = runner_.ShortName(place.file);
    return place;
  }

  const ChecksOrder& order_;
  ExperimentBudget budget_;
  Modules modules_;
  ChangedDevices devices_;
  Runner runner_;
  std::size_t calls_ = kAllCalls;
  std::uint64_t most_instructions_ = 0;
  std::uint64_t last_instructions_ = 0;  // of the last run
  std::uint64_t all_instructions_ = 0;   // of all runs
  Experiments made_;
};

}  // namespace

Experiments MakeExperiments(const ChecksOrder& order, sandbox::Sandbox& sandbox,
                            const std::string& header, const ExperimentBudget& budget) {
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  return ExperimentRun(order, sandbox, header, budget).Make();
}

}  // namespace warpcheck
