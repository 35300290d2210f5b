#include "trial/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ostream>

#include "base/text/demangle.h"
#include "device/finding.h"
#include "trial/case_log.h"
#include "trial/ending.h"

namespace warpcheck {

void trial_internal::StopAt(const std::source_location& where, const std::string& message) {
  const std::string_view file = where.file_name();
  StopCase(MakeFailure(
      ComplaintKind::kChecksFault, Verdict::kHarnessFault,
      fmt::format("{}:{}: {}", file.substr(file.rfind('/') + 1), where.line(), message)));
}

std::string trial_internal::WrongType(std::type_index made, std::type_index asked) {
  return fmt::format("the array was made of {}, not of {}", DemangleType(made.name()),
                     DemangleType(asked.name()));
}

std::vector<Finding> Trial::AllFindings() const {
  std::vector<Finding> all = findings;
  for (const LaunchRecord& launch : launches) {
    all.insert(all.end(), launch.findings.begin(), launch.findings.end());
  }
  return all;
}

std::string_view ArrayEnd::WroteWhatStays() const {
  if (start->is_input || start->unwritten.empty()) return {};
  for (const ArrayWrite& write : host_writes) {
    std::size_t at = write.begin;
    const std::size_t end = std::min<std::size_t>(write.end, bytes.size());
    const auto changed = [&](std::size_t first, std::size_t last) {
      last = std::min(last, end);
      return first < last &&
             std::memcmp(bytes.data() + first, start->bytes.data() + first, last - first) != 0;
    };
    for (const ByteRange& range : start->unwritten) {
      if (changed(at, range.begin)) return write.call;
      at = std::max(at, range.begin + range.bytes);
    }
    if (changed(at, end)) return write.call;
  }
  return {};
}

void Trial::StopUnlessReturned() const {
  if (returned()) return;
  std::vector<CaseFailure> failures = FailuresForEnding(*this);
  StopCase(std::move(failures.front()));
}

const ArrayEnd& Trial::OutputArray(std::size_t n, const std::source_location& where) const {
  StopUnlessReturned();
  for (const ArrayEnd& array : arrays) {
    if (!array.start->is_input && n-- == 0) return array;
  }
  trial_internal::StopAt(where, "the call has fewer output arrays");
}

const std::vector<std::byte>& Trial::HostArrayBack(std::size_t n,
                                                   const std::source_location& where) const {
  StopUnlessReturned();
  if (n >= outcome.host_arrays.size()) {
    trial_internal::StopAt(where, "the call has fewer arrays in host memory that it may write");
  }
  return outcome.host_arrays[n];
}

Trial::HostResult Trial::ChangedInHostMemory() const {
  HostResult result;
  std::size_t n = 0;
  if (plan == nullptr) return result;
  for (const auto& argument : plan->arguments) {
    const auto* passed = std::get_if<remote::Argument>(&argument);
    const auto* array = passed == nullptr ? nullptr : std::get_if<remote::HostArray>(passed);
    if (array == nullptr || !array->comes_back) continue;
    if (n == outcome.host_arrays.size()) break;
    const std::vector<std::byte>& after = outcome.host_arrays[n++];
    result.bytes += after.size();
    for (std::size_t i = 0; i < std::min(after.size(), array->bytes.size()); ++i) {
      if (after[i] != array->bytes[i]) ++result.changed;
    }
  }
  return result;
}

Explanation Trial::ExplanationOfResults() const {
  constexpr std::size_t kMaxNotes = 3;
  Explanation cause;
  const std::vector<Finding> all = AllFindings();
  const auto blame = [&](const Finding& finding) {
    cause.hint = HintFor(finding);
    cause.function = finding.call;
  };
  for (const Finding& finding : all) {
    if (!IsOutOfBounds(finding.kind) && finding.kind != FindingKind::kUnsupportedCall) continue;
    if (cause.notes.size() == kMaxNotes) break;
    if (cause.notes.empty()) blame(finding);
    cause.notes.push_back(
        {.kind = finding.kind, .where = finding.where, .message = MessageOf(finding)});
    if (!cause.where.known()) cause.where = finding.where;
  }
  const auto unwritten = std::ranges::find(all, FindingKind::kUnwrittenConstant, &Finding::kind);
  if (!cause.notes.empty() || unwritten == all.end()) return cause;
  blame(*unwritten);
  cause.where = unwritten->where;
  cause.doubt = MessageOf(*unwritten);
  return cause;
}

std::vector<SourceLocation> Trial::StoringLines() const {
  std::vector<SourceLocation> lines;
  for (const LaunchRecord& launch : launches) {
    for (const LineCounters& line : launch.lines) {
      const bool stores = line.counters.OrZero(Counter::kGlobalStoreRequests) != 0;
      if (stores && std::ranges::find(lines, line.where) == lines.end())
        lines.push_back(line.where);
    }
  }
  return lines;
}

std::vector<LaunchedGrid> Trial::LaunchedGrids() const {
  std::vector<LaunchedGrid> grids;
  for (const LaunchRecord& launch : launches) {
    LaunchedGrid one{.grid = launch.grid, .block = launch.block, .where = {}};
    // A kernel that the program launches in one line only.
    for (const HostCall& call : host_calls ? host_calls->calls : std::vector<HostCall>()) {
      if (call.kind != HostCall::Kind::kKernel || call.kernel != launch.kernel) continue;
      if (one.where.known() && one.where != call.where) {
        one.where = {};
        break;
      }
      one.where = call.where;
    }
    if (std::ranges::find(grids, one) == grids.end()) grids.push_back(std::move(one));
  }
  return grids;
}

Trial NewTrial(std::shared_ptr<const Plan> plan) {
  Trial trial;
  trial.plan = std::move(plan);
  trial.signature = DemangleType(trial.plan->function);
  trial.function = trial.signature.substr(0, trial.signature.find('(')) + "()";
  return trial;
}

void PrintTo(const Trial& trial, std::ostream* out) { *out << "a trial of " << trial.function; }

}  // namespace warpcheck
