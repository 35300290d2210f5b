#include "grading/grader.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <iterator>
#include <set>

#include "base/files.h"
#include "compile/source/sources.h"
#include "grading/call_lines.h"
#include "grading/experimenting.h"
#include "grading/reasoning.h"
#include "results/size_pattern.h"

namespace warpcheck {
namespace {

// The number of times that a checks program may crash. Further runs cost time, and the score is not
// final anyway.
constexpr int kMaxRuns = 2;

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

tl::unexpected<compile::Failure> Fault(Error error, compile::Failure::Blame whose) {
  return tl::unexpected(compile::Failure{std::move(error), whose});
}

tl::unexpected<compile::Failure> MachineFault(Error error) {
  return Fault(std::move(error), compile::Failure::Blame::kMachine);
}

// Runs a checks program until every case has a result.
class CheckRunner {
 public:
  CheckRunner(ChecksCommand command, const GradingTools& tools)
      : command_(std::move(command)), tools_(tools) {}

  tl::expected<ChecksReport, compile::Failure> Run() {
    for (int run = 1;; ++run) {
      Result<ChecksRun> result = tools_.checks->Run(command_, Watcher());
      if (!result) return MachineFault(result.error());
      const ChecksRun::Blame blame = result->blame;
      if (blame == ChecksRun::Blame::kMachine) {
        return Fault({.message = "the checks program " + result->ending},
                     compile::Failure::Blame::kMoment);
      }
      const bool began_nothing = result->report.cases.empty() && !result->report.unfinished_case;
      Merge(*std::move(result));
      if (finished_) return std::move(all_);
      if (began_nothing && run == 1) return MachineFault({.message = last_death_});
      Result<std::vector<std::string>> rest = CasesNotRun();
      if (!rest) return MachineFault(rest.error());
      const bool spent = blame == ChecksRun::Blame::kSubmission;
      if (rest->empty() || spent || began_nothing || run == kMaxRuns) {
        for (const std::string& name : *rest) Lose(name, spent, "not run: ");
        return std::move(all_);
      }
      command_.order.cases = *std::move(rest);
    }
  }

 private:
  CaseProgress Watcher() {
    if (!tools_.progress) return {};
    return [this](std::string_view name, bool ended) {
      if (ended) ++cases_done_;
      tools_.progress({.step = Progress::Step::kChecking,
                       .case_name = std::string(name),
                       .cases_done = cases_done_});
    };
  }

  void Merge(ChecksRun run) {
    ChecksReport& report = run.report;
    finished_ = run.finished && !report.unfinished_case;
    if (!finished_) {
      last_ending_ = run.ending;
      last_death_ = fmt::format("the checks program {}", run.ending);
      if (!run.output.empty()) last_death_ += "\n" + run.output;
    }
    if (!report.device.empty()) {
      all_.device = report.device;
      all_.device_name = report.device_name;
      all_.seed = report.seed;
    }
    std::ranges::move(report.cases, std::back_inserter(all_.cases));
    std::ranges::move(report.launches, std::back_inserter(all_.launches));
    std::ranges::move(report.findings, std::back_inserter(all_.findings));
    std::ranges::move(report.approximations, std::back_inserter(all_.approximations));
    std::ranges::move(report.timelines, std::back_inserter(all_.timelines));
    std::ranges::move(report.promises, std::back_inserter(all_.promises));
    all_.device_output += report.device_output;
    all_.host_output += report.host_output;
    if (report.unfinished_case) {
      Lose(*report.unfinished_case, run.blame == ChecksRun::Blame::kSubmission, "");
    }
  }

  // `spent` is what the judge used because of the submission.
  void Lose(const std::string& name, bool spent, const char* how) {
    Complaint complaint;
    complaint.kind = spent ? ComplaintKind::kJudgeSpent : ComplaintKind::kMachineFault;
    if (spent) {
      complaint.message = fmt::format(
          "judging this program took too much memory or time: the judge {}", last_ending_);
      complaint.hint = "look for launches, allocations, output or code without end";
    } else {
      complaint.message = how + last_death_;
      complaint.hint = "this is not the submission's fault: please report it";
    }
    all_.cases.push_back({.name = name,
                          .verdict = spent ? Verdict::kError : Verdict::kHarnessFault,
                          .complaints = {std::move(complaint)}});
  }

  Result<std::vector<std::string>> CasesNotRun() {
    Result<std::vector<std::string>> names =
        tools_.checks->List(command_.program, command_.order.plan.seed);
    if (!names) return names;
    std::set<std::string_view> ran;
    for (const CaseResult& result : all_.cases) ran.insert(result.name);
    std::erase_if(*names, [&](const std::string& name) { return ran.contains(name); });
    return names;
  }

  ChecksCommand command_;
  const GradingTools& tools_;
  ChecksReport all_;
  std::string last_ending_;
  std::string last_death_;
  bool finished_ = false;
  int cases_done_ = 0;
};

// Reads the texts of the submission, which reports quote.
std::map<std::string, std::string> SourcesOf(const std::filesystem::path& submission) {
  std::map<std::string, std::string> texts;
  auto sources = compile::ReadSources({.submission = submission, .headers = {}});
  if (!sources) return texts;
  for (compile::SourceFile& file : sources->files) texts[file.name] = std::move(file.bytes);
  return texts;
}

ChecksCommand CommandFor(const GradeRequest& request, const compile::Artifact& artifact) {
  const GradingPlan& plan = request.plan;
  return {.program = request.assignment.checks,
          .order = {.plan = plan,
                    .submission_host = request.submission_host,
                    .gpu_host = plan.device == "gpu" ? request.gpu_host : "",
                    .shared_object = artifact.shared_object,
                    .sources = artifact.sources,
                    .modules = artifact.modules,
                    .cases = {},
                    .results = {}}};
}

// Runs the witness. It looks for a GPU while the submission is built, and makes the calls while the
// emulator judges. If a step fails, the witness says so, and the grade stays as it is.
class WitnessRun {
 public:
  WitnessRun(const WitnessTools& tools, const GradeRequest& request)
      : tools_(tools),
        request_(request),
        ptx_target_(std::async(std::launch::async, tools.ptx_target)) {}

  // Call this when the submission is built. `build` builds the submission for another PTX target,
  // in another thread. It and `artifact` must outlive the run.
  void Start(const compile::Artifact& artifact,
             std::function<Result<compile::Artifact>(int)> build) {
    run_ = std::async(std::launch::async, [this, &artifact, build = std::move(build)] {
      return Make(artifact, build);
    });
  }

  // Waits for the end of the run. Returns nullopt if this machine has no GPU.
  std::optional<Witness> Finish(const ChecksReport& judged) {
    Result<std::optional<ChecksRun>> result = run_.get();
    if (!result) return WitnessOf(judged, {}, "It was not used: " + result.error().Sentence());
    if (!*result) return std::nullopt;
    ChecksRun& run = **result;
    std::string missing;
    if (!run.finished) {
      // The case in which the program ended does not count.
      run.report.unfinished_case.reset();
      missing = run.report.cases.empty()
                    ? "It was not used: " + (run.output.empty() ? run.ending : run.output)
                    : "It did not make all calls: its program " + run.ending;
    }
    Witness witness = WitnessOf(judged, std::move(run.report), std::move(missing));
    if (!witness.report.cases.empty()) witness.uncounted = uncounted_;
    return witness;
  }

 private:
  Result<std::optional<ChecksRun>> Make(
      const compile::Artifact& artifact,
      const std::function<Result<compile::Artifact>(int)>& build) {
    const Result<Descriptor> turn = tools_.take_turn();
    if (!turn) uncounted_ = "Its counters and times were not read: " + turn.error().Sentence();
    // Most GPUs accept the PTX that the emulator runs, so their target is read afterwards.
    Result<ChecksRun> run = Run(artifact);
    const auto target = WARPCHECK_TRY(ptx_target_.get());
    if (!target) return std::nullopt;
    if (*target < request_.plan.ptx_target) run = Run(WARPCHECK_TRY(build(*target)));
    return WARPCHECK_TRY(std::move(run));
  }

  Result<ChecksRun> Run(const compile::Artifact& artifact) {
    ChecksCommand command = CommandFor(request_, artifact);
    command.order.plan.device = "gpu";
    command.order.gpu_host = request_.gpu_host;
    command.order.as_witness = true;
    command.order.without_counters = !uncounted_.empty();
    return tools_.checks->Run(command, {});
  }

  const WitnessTools& tools_;
  const GradeRequest& request_;
  std::future<Result<std::optional<int>>> ptx_target_;
  std::string uncounted_;  // why the counters are not read; empty if they are
  std::future<Result<std::optional<ChecksRun>>> run_;
};

// Measures the tests of speed, after everything else has been judged, so that nothing else of this
// grading uses the GPU. The checks program runs once more for them, with the submission and the
// reference, and its results replace those of the first run.
class SpeedRun {
 public:
  using Build =
      std::function<Result<compile::Artifact>(const std::filesystem::path& source, int ptx_target)>;
  SpeedRun(const WitnessTools& tools, const GradeRequest& request, Build build)
      : tools_(tools), request_(request), build_(std::move(build)) {}

  void Measure(ChecksReport& report) {
    std::vector<std::string> names;
    for (const CaseResult& result : report.cases) {
      if (result.speed) names.push_back(result.name);
    }
    if (names.empty()) return;
    const Result<ChecksReport> measured = Run(std::move(names));
    for (CaseResult& result : report.cases) {
      if (!result.speed) continue;
      if (!measured) {
        Explain(result, measured.error().Sentence());
        continue;
      }
      const auto found = std::ranges::find(measured->cases, result.name, &CaseResult::name);
      if (found != measured->cases.end()) {
        result = *found;
      } else {
        Explain(result, ending_);
      }
    }
  }

 private:
  static void Explain(CaseResult& result, const std::string& why) {
    result.complaints = {{.message = "speed: not measured. " + why}};
  }

  Result<ChecksReport> Run(std::vector<std::string> cases) {
    const Assignment& assignment = request_.assignment;
    const std::filesystem::path reference =
        assignment.home / "reference" / (assignment.name + ".cu");
    std::error_code error;
    if (!std::filesystem::exists(reference, error)) {
      return Fail("This machine does not have the reference, which only the course has");
    }
    const auto target = WARPCHECK_TRY(tools_.ptx_target());
    if (!target) return Fail("This machine has no GPU");
    const int ptx_target = std::min(*target, request_.plan.ptx_target);
    const compile::Artifact built = WARPCHECK_TRY(build_(reference, ptx_target));
    const compile::Artifact submission = WARPCHECK_TRY(build_(request_.submission, ptx_target));
    ChecksCommand command = CommandFor(request_, submission);
    command.order.plan.device = "gpu";
    command.order.plan.count_every_launch = false;
    command.order.gpu_host = request_.gpu_host;
    command.order.reference = built.shared_object;
    command.order.cases = std::move(cases);
    const Descriptor turn = WARPCHECK_TRY(tools_.take_turn());
    ChecksRun run = WARPCHECK_TRY(tools_.checks->Run(command, {}));
    ending_ = "The program that measures it " + run.ending;
    if (!run.output.empty()) ending_ += ": " + run.output;
    return std::move(run.report);
  }

  const WitnessTools& tools_;
  const GradeRequest& request_;
  const Build build_;
  std::string ending_;  // how the checks program ended
};

}  // namespace

tl::expected<Grade, compile::Failure> GradeSubmission(const GradeRequest& request,
                                                      const GradingTools& tools) {
  const Result<std::string> toml = ReadFile(request.assignment.rubric);
  if (!toml) return MachineFault(toml.error());
  const Result<Rubric> rubric = ParseRubric(*toml, request.assignment.rubric.string());
  if (!rubric) return MachineFault(rubric.error());

  const auto now = std::chrono::system_clock::now().time_since_epoch();
  Attempt attempt{.version = request.version,
                  .assignment = request.assignment.name,
                  .submission = request.submission.string(),
                  .device = request.plan.device,
                  .device_remark = request.plan.device_remark,
                  .seed = request.plan.seed,
                  .started = std::chrono::duration_cast<std::chrono::seconds>(now).count()};
  if (tools.progress) tools.progress({});
  auto start = Clock::now();
  const auto build_of = [&](const std::filesystem::path& source, int ptx_target) {
    return tools.build({.submission = source,
                        .headers = {request.assignment.header},
                        .ptx_target = ptx_target,
                        .language = rubric->language,
                        .anew = request.anew});
  };
  const auto build_for = [&](int ptx_target) { return build_of(request.submission, ptx_target); };
  std::optional<WitnessRun> witness;
  if (request.plan.witness && tools.witness) witness.emplace(*tools.witness, request);
  auto build = build_for(request.plan.ptx_target);
  if (!build) return tl::unexpected(build.error());
  attempt.build = *std::move(build);
  attempt.build_seconds = SecondsSince(start);
  attempt.sources = SourcesOf(request.submission);
  if (!attempt.build.artifact) return GradeOf(*rubric, std::move(attempt));

  start = Clock::now();
  if (witness) {
    witness->Start(*attempt.build.artifact, [&](int ptx_target) -> Result<compile::Artifact> {
      auto again = build_for(ptx_target);
      if (!again) return Fail(again.error());
      if (!again->artifact) {
        return Fail(
            "the submission does not compile for this GPU, which is older than the one that grades "
            "are for");
      }
      return *std::move(again->artifact);
    });
  }
  ChecksCommand command = CommandFor(request, *attempt.build.artifact);
  command.order.dump = request.dump;
  command.order.dump_cases = request.dump_cases;
  attempt.report = WARPCHECK_TRY(CheckRunner(command, tools).Run());
  if (request.plan.experiments) {
    AddReason(command, *tools.checks, attempt.report);
    const auto build_plainly = [&](bool only_kernels) -> Result<compile::Artifact> {
      compile::Language language = rubric->language;
      language.allow.clear();  // the first compilation has judged the headers
      language.forbid.clear();
      language.flags.insert(language.flags.end(), {"-Xcicc", "-O0"});
      auto plain = tools.build({.submission = request.submission,
                                .headers = {request.assignment.header},
                                .ptx_target = request.plan.ptx_target,
                                .language = language,
                                .only_kernels = only_kernels,
                                .anew = request.anew});
      if (!plain) return Fail(plain.error());
      if (!plain->artifact) return Fail("the submission does not compile without optimisation");
      return *std::move(plain->artifact);
    };
    AddExperiments(command, *tools.checks, build_plainly, attempt.sources, rubric->given,
                   attempt.report);
  }
  AddCallLines(attempt.report, attempt.sources);
  AddSizePatterns(attempt.report);
  if (witness) attempt.witness = witness->Finish(attempt.report);
  if (tools.speed) {
    const auto artifact_of = [&](const std::filesystem::path& source,
                                 int ptx_target) -> Result<compile::Artifact> {
      auto outcome = build_of(source, ptx_target);
      if (!outcome) return Fail(outcome.error());
      if (outcome->artifact) return *std::move(outcome->artifact);
      return Fail(fmt::format("{} does not compile for this GPU", source.filename().string()));
    };
    SpeedRun(*tools.speed, request, artifact_of).Measure(attempt.report);
  }
  attempt.checks_seconds = SecondsSince(start);
  return GradeOf(*rubric, std::move(attempt));
}

}  // namespace warpcheck
