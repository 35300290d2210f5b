#include "checks/reason_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/text/demangle.h"
#include "checks/failures/dump_log.h"
#include "checks/run_cases.h"
#include "emulator/trace/derivation.h"
#include "emulator/trace/value_trace.h"
#include "trial/devices/emulator_source.h"
#include "trial/runner.h"
#include "trial/session.h"

namespace warpcheck {
namespace {

using emulator::Derivation;
using emulator::ReadArray;
using emulator::ValueTrace;

// The most values that are recorded in a case. Each takes 16 bytes.
constexpr std::size_t kMostValues = 4'000'000;
// The most instructions of a case that is followed.
constexpr std::uint64_t kMostInstructions = 2'000'000;

// Follows the values of a case on each of its devices.
class Followed {
 public:
  Followed(const ChecksOrder& order, sandbox::Sandbox& sandbox, const std::string& header)
      : seed_(order.plan.seed),
        devices_({.student_sources = order.sources,
                  .order_seed = order.plan.seed,
                  .target = order.plan.ptx_target,
                  .only_counts = true,
                  .observer = [this] { return Observe(); },
                  .most_instructions = kMostInstructions}),
        runner_({.shared_object = order.shared_object,
                 .submission_host = order.submission_host,
                 .student_sources = order.sources,
                 .header = header},
                sandbox, devices_) {}

  std::optional<Reason> Explain(const std::string& case_name) {
    Run(case_name, 1);
    if (!wrong_) Run(case_name, kAllCalls);  // only a later call of the case is wrong
    if (!wrong_ || wrong_->address == 0 || wrong_->expected.empty()) return std::nullopt;
    const std::size_t element = wrong_->states.find_first_not_of(ResultMap::kRight);
    if (element == std::string::npos) return std::nullopt;
    const std::size_t bytes = wrong_->ElementBytes();
    const auto now = std::as_bytes(std::span(wrong_->got)).subspan(element * bytes, bytes);
    // The arrays of all devices lie at the same addresses. The right device has the element's
    // bytes.
    for (const auto& trace : traces_) {
      const auto store = trace->LastStore(wrong_->address + element * bytes, now);
      if (store) return ReasonOf(*trace, *store, element);
    }
    return std::nullopt;
  }

 private:
  emulator::Observer* Observe() {
    traces_.push_back(std::make_unique<ValueTrace>(kMostValues / (traces_.size() + 1)));
    return traces_.back().get();
  }

  static constexpr std::size_t kAllCalls = 1'000;

  // Makes at most `calls` calls, because a later one may write to the same memory.
  void Run(const std::string& case_name, std::size_t calls) {
    traces_.clear();
    wrong_.reset();
    DumpLog::Current().Open([this](ArrayDump dump) { wrong_ = std::move(dump); });
    runner_.RenewBudget();
    ResultsWriter nowhere;
    const Session session(runner_, nowhere, seed_, {.most_calls = calls});
    RunCases({&case_name, 1}, nowhere);
  }

  Reason ReasonOf(const ValueTrace& trace, const ValueTrace::Store& store, std::size_t element) {
    const ReadArray array{.name = wrong_->array,
                          .element_bytes = static_cast<std::uint32_t>(wrong_->ElementBytes()),
                          .extents = wrong_->extents};
    Reason reason{.element = emulator::ElementName(array, element),
                  .kernel = Demangle(store.kernel),
                  .where = store.where,
                  .block = store.block,
                  .thread = store.thread};
    reason.where.file = runner_.ShortName(reason.where.file);
    if (const auto made = emulator::DerivationOf(trace.graph(), store.value)) {
      // Memory without a name would tell the reader nothing.
      const bool has_names = std::ranges::all_of(made->elements, [&](const auto& one) {
        return !trace.graph().arrays[one.first].name.empty();
      });
      if (has_names) reason.made_of = emulator::Text(trace.graph(), *made);
      if (made->form == Derivation::Form::kElement && !made->is_converted) {
        const ReadArray& from = trace.graph().arrays[made->elements.begin()->first];
        reason.expected = PlaceOfExpected(from, element);
      }
    }
    return reason;
  }

  // Returns the element of the array that has the expected value, if it is the only one.
  std::string PlaceOfExpected(const ReadArray& from, std::size_t element) const {
    const std::size_t bytes = wrong_->ElementBytes();
    if (from.element_bytes != bytes) return {};
    const auto expected =
        std::as_bytes(std::span(wrong_->expected)).subspan(element * bytes, bytes);
    std::optional<std::size_t> found;
    for (std::size_t i = 0; (i + 1) * bytes <= from.bytes.size(); ++i) {
      if (!std::ranges::equal(std::span(from.bytes).subspan(i * bytes, bytes), expected)) continue;
      if (found) return {};
      found = i;
    }
    return found ? emulator::ElementName(from, *found) : "";
  }

  std::uint64_t seed_;
  std::vector<std::unique_ptr<ValueTrace>> traces_;  // of the devices of the case, in turn
  std::optional<ArrayDump> wrong_;                   // the first wrong array of the case
  EmulatorSource devices_;
  Runner runner_;
};

}  // namespace

std::optional<CaseReason> FindReason(const ChecksOrder& order, sandbox::Sandbox& sandbox,
                                     const std::string& header) {
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  Followed followed(order, sandbox, header);
  for (const std::string& case_name : order.cases) {
    if (const auto reason = followed.Explain(case_name)) return CaseReason{case_name, *reason};
  }
  return std::nullopt;
}

}  // namespace warpcheck
