#include "grading/grader.h"

#include <fmt/format.h>

#include <chrono>
#include <iterator>
#include <set>

#include "base/files.h"
#include "build/sources.h"

namespace warpcheck {
namespace {

// Of a checks program that dies. What is lost to its own mistake makes no score final: more runs
// would only cost.
constexpr int kMaxRuns = 2;

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

CaseResult Lost(std::string name, Verdict verdict, std::string message, std::string hint) {
  CaseResult result;
  result.name = std::move(name);
  result.verdict = verdict;
  Complaint& complaint = result.complaints.emplace_back();
  complaint.message = std::move(message);
  complaint.hint = std::move(hint);
  return result;
}

CaseResult FaultIn(std::string name, std::string message) {
  return Lost(std::move(name), Verdict::kHarnessFault, std::move(message),
              "this is not the submission's fault: please report it");
}

CaseResult SpentIn(std::string name, const std::string& ending) {
  return Lost(
      std::move(name), Verdict::kError,
      fmt::format("judging this took more memory or time than it may: the judge {}", ending),
      "look for what grows without end: launches, allocations, output, code");
}

tl::unexpected<build::Failure> Fault(Error error, build::Failure::Blame whose) {
  return tl::unexpected(build::Failure{std::move(error), whose});
}

tl::unexpected<build::Failure> MachineFault(Error error) {
  return Fault(std::move(error), build::Failure::Blame::kMachine);
}

template <class T>
void Append(std::vector<T>& to, std::vector<T>&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// Runs a checks program until every case has a result.
class CheckRunner {
 public:
  CheckRunner(ChecksCommand command, const GradingTools& tools)
      : command_(std::move(command)), tools_(tools) {}

  tl::expected<ChecksReport, build::Failure> Run() {
    for (int run = 0; run < kMaxRuns; ++run) {
      Result<ChecksRun> result = tools_.checks->Run(command_, Watcher());
      if (!result) return MachineFault(result.error());
      const ChecksRun::Blame blame = result->blame;
      if (blame == ChecksRun::Blame::kMachine) {
        return Fault({.message = "the checks program " + result->ending},
                     build::Failure::Blame::kMoment);
      }
      const bool began_nothing = result->report.cases.empty() && !result->report.unfinished_case;
      Merge(*std::move(result));
      if (finished_) return std::move(all_);
      if (began_nothing && run == 0) return MachineFault({.message = last_death_});
      const Result<std::vector<std::string>> rest = CasesNotRun();
      if (!rest) return MachineFault(rest.error());
      if (rest->empty()) return std::move(all_);
      const bool spent = blame == ChecksRun::Blame::kSubmission;
      if (spent || began_nothing || run + 1 == kMaxRuns) {
        for (const std::string& name : *rest) {
          all_.cases.push_back(spent ? SpentIn(name, last_ending_)
                                     : FaultIn(name, "not run: " + last_death_));
        }
        return std::move(all_);
      }
      command_.order.cases = *rest;
    }
    return std::move(all_);
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
    Append(all_.cases, std::move(report.cases));
    Append(all_.launches, std::move(report.launches));
    Append(all_.findings, std::move(report.findings));
    all_.device_output += report.device_output;
    all_.host_output += report.host_output;
    if (report.unfinished_case) {
      all_.cases.push_back(run.blame == ChecksRun::Blame::kSubmission
                               ? SpentIn(*report.unfinished_case, last_ending_)
                               : FaultIn(*report.unfinished_case, last_death_));
    }
  }

  Result<std::vector<std::string>> CasesNotRun() {
    Result<std::vector<std::string>> names = tools_.checks->List(command_.program);
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

// The student's text, for reports that quote it.
std::map<std::string, std::string> SourcesOf(const std::filesystem::path& submission) {
  std::map<std::string, std::string> texts;
  auto sources = build::ReadSources({.submission = submission, .headers = {}});
  if (!sources) return texts;
  for (build::SourceFile& file : sources->files) texts[file.name] = std::move(file.bytes);
  return texts;
}

Attempt Begin(const GradeRequest& request) {
  Attempt attempt;
  attempt.version = request.version;
  attempt.assignment = request.assignment.name;
  attempt.submission = request.submission.string();
  attempt.device = request.plan.device;
  attempt.device_remark = request.plan.device_remark;
  attempt.seed = request.plan.seed;
  attempt.started = std::chrono::duration_cast<std::chrono::seconds>(
                        std::chrono::system_clock::now().time_since_epoch())
                        .count();
  return attempt;
}

ChecksCommand CommandFor(const GradeRequest& request, const build::Artifact& artifact) {
  ChecksCommand command;
  command.program = request.assignment.checks;
  ChecksOrder& order = command.order;
  order.plan = request.plan;
  order.submission_host = request.submission_host;
  if (request.plan.device == "gpu") order.gpu_host = request.gpu_host;
  order.shared_object = artifact.shared_object;
  order.sources = artifact.sources;
  order.modules = artifact.modules;
  if (request.plan.sandboxed) order.references = request.references;
  return command;
}

}  // namespace

tl::expected<Grade, build::Failure> GradeSubmission(const GradeRequest& request,
                                                    const GradingTools& tools) {
  const Result<std::string> toml = ReadFile(request.assignment.rubric);
  if (!toml) return MachineFault(toml.error());
  const Result<Rubric> rubric = ParseRubric(*toml, request.assignment.rubric.string());
  if (!rubric) return MachineFault(rubric.error());

  Attempt attempt = Begin(request);
  if (tools.progress) tools.progress({});
  auto start = Clock::now();
  auto build = tools.build({.submission = request.submission,
                            .headers = {request.assignment.header},
                            .ptx_target = request.plan.ptx_target,
                            .language = rubric->language,
                            .anew = request.anew});
  if (!build) return tl::unexpected(build.error());
  attempt.build = *std::move(build);
  attempt.build_seconds = SecondsSince(start);
  attempt.sources = SourcesOf(request.submission);
  if (!attempt.build.artifact) return GradeOf(*rubric, std::move(attempt));

  start = Clock::now();
  attempt.report =
      WARPCHECK_TRY(CheckRunner(CommandFor(request, *attempt.build.artifact), tools).Run());
  attempt.checks_seconds = SecondsSince(start);
  return GradeOf(*rubric, std::move(attempt));
}

}  // namespace warpcheck
