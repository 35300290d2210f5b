#include "report/html/run_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "base/text.h"
#include "device/finding.h"
#include "device/types.h"
#include "report/html/access_figure.h"
#include "report/html/html_page.h"
#include "report/html/html_text.h"
#include "report/html/page_template.h"
#include "report/kernel_costs.h"
#include "report/line_accesses.h"
#include "report/timeline/timeline_table.h"
#include "run/unoffered.h"

namespace warpcheck {
namespace {

class RunPageModel {
 public:
  explicit RunPageModel(const RunPageOptions& options) : options_(options) {}

  PageModel Make(const std::vector<run::ProcessResult>& processes) {
    PageModel list = PageModel::array();
    for (const run::ProcessResult& process : processes) {
      list.push_back(ProcessModel(process, processes.size() > 1));
    }
    return {{"program", Shortened(options_.program, kMaxName)},
            {"processes", std::move(list)},
            {"has_no_process", processes.empty()}};
  }

 private:
  static constexpr std::size_t kMaxKernels = 100;
  static constexpr std::size_t kMaxLines = 10;  // the most lines of a kernel
  static constexpr std::size_t kMaxFindings = 100;
  static constexpr std::size_t kMaxAccesses = 20;
  static constexpr std::size_t kMaxName = 300;
  static constexpr std::size_t kMaxMessage = 4000;

  PageModel ProcessModel(const run::ProcessResult& process, bool is_one_of_many) {
    PageModel kernels = PageModel::array(), accesses = PageModel::array();
    const std::vector<KernelCosts> costs = CostsOf(process.launches);
    for (std::size_t i = 0; i < std::min(costs.size(), kMaxKernels); ++i) {
      kernels.push_back(KernelModel(costs[i]));
    }
    const std::vector<LineAccess> traced = LineAccesses(process.samples);
    for (std::size_t i = 0; i < std::min(traced.size(), kMaxAccesses); ++i) {
      accesses.push_back(AccessModel(traced[i]));
    }
    PageModel timeline;
    if (process.timeline) {
      timeline = TimelineModel(*process.timeline, Shortened(options_.program, kMaxName),
                               [this](const SourceLocation& where) { return PlaceModel(where); });
    }
    PageModel remarks = PageModel::array();
    for (const run::Unoffered& part : process.unoffered) {
      remarks.push_back(Shortened(run::TextOf(part), kMaxMessage) + ".");
    }
    if (process.unfinished) {
      const run::UnfinishedLaunch& launch = *process.unfinished;
      std::string text = fmt::format("{} was still running when the program ended",
                                     Shortened(launch.kernel, kMaxName));
      if (launch.where.known()) text += ", at " + PlaceText(launch.where);
      if (!launch.doing.empty()) text += ", " + launch.doing;
      remarks.push_back(text + ".");
    }
    for (const run::RefusedCall& call : process.refused) {
      std::string text = fmt::format("{} returned {}", call.call, call.error);
      if (call.where.known()) text.insert(0, PlaceText(call.where) + ": ");
      if (!call.why.empty()) text += ": " + call.why;
      remarks.push_back(Shortened(text, kMaxMessage) + ".");
    }
    if (process.not_shown != 0) {
      remarks.push_back(fmt::format(
          "{} of output of kernels were never shown, because the program ended without waiting for "
          "them (cudaDeviceSynchronize); a GPU does the same.",
          Counted(process.not_shown, "byte")));
    }
    return {{"number", is_one_of_many ? fmt::format("{}", process.process) : ""},
            {"has_no_kernel", costs.empty() && !process.unfinished},
            {"kernels", std::move(kernels)},
            {"findings", FindingsModel(Mistakes(FindingsOf(process)))},
            {"remarks", std::move(remarks)},
            {"accesses", std::move(accesses)},
            {"timeline", std::move(timeline)}};
  }

  PageModel KernelModel(const KernelCosts& kernel) const {
    PageModel rows = PageModel::array();
    rows.push_back(RowModel("all", "", kernel.counters));
    for (const LineCounters& line : WorstLines(kernel, kMaxLines)) {
      rows.push_back(RowModel(PlaceText(line.where), options_.source(line.where), line.counters));
    }
    const LimiterText text = LimiterTextOf(kernel);
    return {{"kernel", Shortened(kernel.name, kMaxName)},
            {"launches", LaunchesText(kernel)},
            {"limiter", text.limiter},
            {"advice", text.advice},
            {"rows", std::move(rows)}};
  }

  // Returns a row of the table. Numbers above their ideal are bad.
  static PageModel RowModel(const std::string& place, const std::string& code,
                            const CounterSet& counters) {
    PageModel cells = PageModel::array();
    const auto add = [&](const char* label, Counter counter, bool is_bad) {
      const auto value = counters[counter];
      cells.push_back({{"label", label},
                       {"value", value ? Grouped(*value) : std::string("not measured")},
                       {"is_bad", is_bad}});
    };
    const auto above = [&](Counter counter, Counter ideal) {
      return counters.OrZero(counter) > counters.OrZero(ideal);
    };
    add("warp instructions", Counter::kWarpInstructions, false);
    add("sectors", Counter::kGlobalSectors,
        above(Counter::kGlobalSectors, Counter::kGlobalSectorsIdeal));
    add("ideal sectors", Counter::kGlobalSectorsIdeal, false);
    add("wavefronts", Counter::kSharedWavefronts,
        above(Counter::kSharedWavefronts, Counter::kSharedWavefrontsIdeal));
    add("ideal wavefronts", Counter::kSharedWavefrontsIdeal, false);
    add("divergent branches", Counter::kBranchesDivergent,
        counters.OrZero(Counter::kBranchesDivergent) != 0);
    return {{"place", Shortened(place, kMaxName)},
            {"code", Shortened(code, kMaxName)},
            {"cells", std::move(cells)}};
  }

  // Each hint is shown once.
  PageModel FindingsModel(const std::vector<Finding>& findings) {
    if (findings.empty()) return nullptr;
    PageModel list = PageModel::array();
    std::set<std::string> hints;
    for (std::size_t i = 0; i < std::min(findings.size(), kMaxFindings); ++i) {
      const Finding& finding = findings[i];
      const std::string hint = HintFor(finding);
      list.push_back({{"place", PlaceModel(PlaceOf(finding))},
                      {"colour", IsInformation(finding.kind) ? "open" : "bad"},
                      {"meaning", Meaning(finding.kind)},
                      {"message", Shortened(MessageOf(finding), kMaxMessage)},
                      {"first", Shortened(FirstText(finding), kMaxMessage)},
                      {"hint", hints.insert(hint).second ? Shortened(hint, kMaxMessage) : ""}});
    }
    const std::size_t more = findings.size() - list.size();
    return {{"list", std::move(list)},
            {"more", more == 0 ? "" : "and " + Counted(more, "more finding")}};
  }

  PageModel AccessModel(const LineAccess& access) const {
    return {{"place", PlaceModel(access.worst.where)},
            {"instruction", Shortened(InstructionText(access), kMaxMessage)},
            {"worst", Shortened(WorstText(access.worst), kMaxMessage)},
            {"how_many", HowManyText(access.worst)},
            {"access", AccessFigureModel(access.worst)}};
  }

  std::string PlaceText(SourceLocation where) const {
    if (!where.known()) return "(no line)";
    where.file = options_.shown_file(where.file);
    return where.Text();
  }

  PageModel PlaceModel(const SourceLocation& where) const {
    if (!where.known()) return nullptr;
    return {{"anchor", ""},
            {"text", Shortened(PlaceText(where), kMaxName)},
            {"code", Shortened(options_.source(where), kMaxName)}};
  }

  const RunPageOptions& options_;
};

}  // namespace

std::string RunPage(const std::vector<run::ProcessResult>& processes,
                    const RunPageOptions& options) {
  return HtmlPage("run", "warpcheck run: " + options.program,
                  RunPageModel(options).Make(processes));
}

}  // namespace warpcheck
