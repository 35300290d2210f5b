#include "report/terminal/run_report.h"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/text.h"
#include "device/finding.h"
#include "device/types.h"
#include "report/access_layout.h"
#include "report/clean_text.h"
#include "report/exactness/exactness_text.h"
#include "report/kernel_costs.h"
#include "report/line_accesses.h"
#include "report/terminal/access_picture.h"
#include "report/terminal/calls_text.h"
#include "report/terminal/register_table.h"
#include "report/terminal/terminal_text.h"
#include "report/terminal/timeline_text.h"
#include "run/unoffered.h"

namespace warpcheck {
namespace {

using run::AccessSample;
using run::FindingStop;
using run::ProcessResult;

class RunReportWriter {
 public:
  RunReportWriter(const RunReportOptions& options, const TerminalStyle& style)
      : options_(options),
        style_(style),
        width_(static_cast<std::size_t>(std::clamp(style.width, kMinWidth, kMaxWidth))) {}

  std::string Write(const std::vector<ProcessResult>& processes) {
    ShowUnoffered(processes);
    for (const ProcessResult& process : processes) {
      Gap();
      const std::string which =
          processes.size() > 1 ? fmt::format(", process {}", process.process) : "";
      Line(Bold(fmt::format("warpcheck run: {}{}", options_.program, which)));
      const std::string exactness =
          ExactnessText(process, [this](const SourceLocation& where) { return ShownPlace(where); });
      if (!exactness.empty()) text_ += Dim(Wrapped(CleanText(exactness), width_, 2, 4));
      Show(process);
    }
    if (processes.empty()) {
      Gap();
      Line(fmt::format("warpcheck run: {} made no call of the CUDA runtime", options_.program));
    }
    return std::move(text_);
  }

 private:
  static constexpr std::size_t kMaxKernels = 20;
  static constexpr std::size_t kMaxFindings = 12;
  static constexpr std::size_t kMaxRefused = 6;
  static constexpr int kMinWidth = 80;  // the width of the table
  static constexpr int kMaxWidth = 100;

  std::string Paint(const std::string& text, fmt::text_style style) const {
    return style_.colours ? fmt::format(style, "{}", text) : text;
  }
  std::string Bold(const std::string& text) const { return Paint(text, fmt::emphasis::bold); }
  std::string Dim(const std::string& text) const { return Paint(text, fmt::emphasis::faint); }
  std::string Bad(const std::string& text) const {
    return Paint(text, fg(fmt::terminal_color::red));
  }
  void Line(const std::string& line) { text_ += line + '\n'; }
  void Gap() {
    if (!text_.empty() && !text_.ends_with("\n\n")) text_ += '\n';
  }

  // Says first what cannot be seen, because the rest of the report may follow from it.
  void ShowUnoffered(const std::vector<ProcessResult>& processes) {
    std::vector<run::Unoffered> parts = options_.unoffered;
    for (const ProcessResult& process : processes) {
      parts.insert(parts.end(), process.unoffered.begin(), process.unoffered.end());
    }
    std::set<std::string> told;
    for (const run::Unoffered& part : parts) {
      if (!told.insert(part.what).second) continue;
      text_ += Bad(Wrapped(CleanText("warpcheck run: " + run::TextOf(part)), width_, 0, 2));
    }
  }

  // Shows the calls that returned an error, except those that a finding explains.
  void ShowRefused(const ProcessResult& process) {
    const std::vector<Finding> findings = FindingsOf(process);
    std::size_t shown = 0;
    for (const run::RefusedCall& call : process.refused) {
      const bool explained =
          call.where.known() && std::ranges::any_of(findings, [&](const Finding& finding) {
            return finding.where == call.where;
          });
      if (explained || ++shown > kMaxRefused) continue;
      Gap();
      if (call.where.known()) ShowPlace(call.where);
      std::string text = fmt::format("{} returned {}", call.call, call.error);
      if (!call.why.empty()) text += ": " + call.why;
      text_ += Paint(Wrapped(CleanText(text), width_, 2, 4), fg(fmt::terminal_color::yellow));
      if (call.error == "cudaErrorMemoryAllocation") {
        text_ +=
            Paint(Wrapped("hint: warpcheck run --memory GIB gives the device more", width_, 2, 8),
                  fg(fmt::terminal_color::cyan));
      }
    }
    if (shown > kMaxRefused) {
      Gap();
      Line(fmt::format("and {} that returned an error: --counters writes all",
                       Counted(shown - kMaxRefused, "more call")));
    }
  }

  // Shows facts that may explain why a program failed. They are no mistakes: a right program may
  // copy more than its kernels write.
  void ShowCopiedBack(const ProcessResult& process) {
    if (!options_.failed || process.copied_back.empty()) return;
    Gap();
    Line(Bold("The program failed. What it copied to the host:"));
    for (const run::CopiedBack& copy : process.copied_back) {
      if (copy.where.known()) ShowPlace(copy.where);
      std::string text = fmt::format("{}: {}", copy.call, copy.what);
      if (!copy.of.empty()) text += ". The memory is of " + copy.of;
      text_ += Wrapped(CleanText(text), width_, 2, 4);
    }
  }

  // Says where a kernel was when the program ended.
  static std::string UnfinishedText(const run::UnfinishedLaunch& launch, const std::string& place) {
    std::string text =
        fmt::format("{} was still running when the program ended: <<<{}, {}>>>", launch.kernel,
                    ExtentText(launch.grid), ExtentText(launch.block));
    if (launch.where.known()) text += ", at " + place;
    if (!launch.doing.empty()) text += ", " + launch.doing;
    return text;
  }

  void Show(const ProcessResult& process) {
    const std::vector<KernelCosts> kernels = CostsOf(process.launches);
    for (std::size_t i = 0; i < std::min(kernels.size(), kMaxKernels); ++i) Show(kernels[i]);
    if (kernels.size() > kMaxKernels) {
      Gap();
      Line(fmt::format("and {}: --counters writes all",
                       Counted(kernels.size() - kMaxKernels, "more kernel")));
    }
    if (kernels.empty() && !process.unfinished) {
      Line(process.called ? "  it called the CUDA runtime, and launched no kernel"
                          : "  no kernel was launched");
    }
    if (process.unfinished) {
      Gap();
      const SourceLocation& where = process.unfinished->where;
      text_ += Bad(
          Wrapped(CleanText(UnfinishedText(*process.unfinished, ShownPlace(where))), width_, 0, 2));
      const std::string code = where.known() ? options_.source(where) : "";
      if (!code.empty()) Line(Dim("      " + CleanText(code, width_ - 10)));
    }
    ShowRefused(process);
    ShowFindings(process);
    ShowCopiedBack(process);
    if (process.not_shown != 0) {
      Gap();
      text_ += Wrapped(
          fmt::format("{} of output of kernels were never shown, because the program ended "
                      "without waiting for them (cudaDeviceSynchronize); a GPU does the same",
                      Counted(process.not_shown, "byte")),
          width_, 0, 2);
    }
    if (process.timeline) {
      Gap();
      Line(Bold("Timeline") + " (operations of one row may overlap; it has no times)");
      text_ += TimelineText(*process.timeline, width_,
                            [this](const SourceLocation& where) { return ShownPlace(where); });
    }
    if (process.calls) {
      Gap();
      Line(Bold("Calls") + " (in the order in which the host made them)");
      text_ += CallsText(*process.calls, width_,
                         [this](const SourceLocation& where) { return ShownPlace(where); });
    }
    if (process.stop) Show(*process.stop);
    for (const LineAccess& access : LineAccesses(process.samples)) Show(access);
  }

  void Show(const KernelCosts& kernel) {
    Gap();
    Line(Bold(CleanText(kernel.name)));
    Line(Dim("  " + LaunchesText(kernel)));
    Line(Dim(fmt::format("  {:<22}{:>15}{:>13}{:>13}{:>12}{:>12}{:>11}", "", "warp instr.",
                         "sectors", "ideal", "wavefronts", "ideal", "divergent")));
    Row("all", kernel.counters);
    const std::vector<LineCounters> worst = WorstLines(kernel, options_.lines);
    for (const LineCounters& line : worst) {
      Row(CleanText(ShownPlace(line.where)), line.counters);
      const std::string code = options_.source(line.where);
      if (!code.empty()) Line(Dim("      " + CleanText(code, width_ - 10)));
    }
    const LimiterText text = LimiterTextOf(kernel);
    if (text.limiter.empty()) return;
    text_ += Dim(Wrapped(text.limiter, width_, 2, 4));
    if (!text.advice.empty()) text_ += Dim(Wrapped(text.advice, width_, 2, 4));
  }

  // Adds a row of the table, and marks numbers above the ideal.
  void Row(const std::string& name, const CounterSet& counters) {
    const auto cell = [&](Counter counter, std::size_t width, bool bad = false) {
      const auto value = counters[counter];
      const std::string text = fmt::format("{:>{}}", value ? Grouped(*value) : "n/m", width);
      return bad ? Bad(text) : text;
    };
    const auto more = [&](Counter counter, Counter ideal) {
      return counters.OrZero(counter) > counters.OrZero(ideal);
    };
    std::string line = fmt::format("  {:<22}", name);
    if (name.size() > 22) line = "  " + name + "\n" + std::string(24, ' ');
    line += cell(Counter::kWarpInstructions, 15);
    line += cell(Counter::kGlobalSectors, 13,
                 more(Counter::kGlobalSectors, Counter::kGlobalSectorsIdeal));
    line += cell(Counter::kGlobalSectorsIdeal, 13);
    line += cell(Counter::kSharedWavefronts, 12,
                 more(Counter::kSharedWavefronts, Counter::kSharedWavefrontsIdeal));
    line += cell(Counter::kSharedWavefrontsIdeal, 12);
    line +=
        cell(Counter::kBranchesDivergent, 11, counters.OrZero(Counter::kBranchesDivergent) != 0);
    Line(line);
  }

  std::string ShownPlace(SourceLocation where) const {
    if (!where.known()) return "(no line)";
    where.file = options_.shown_file(where.file);
    return where.Text();
  }

  void ShowFindings(const ProcessResult& process) {
    const std::vector<Finding> findings = Mistakes(FindingsOf(process));
    std::set<std::string> hints;  // each hint is shown once
    for (std::size_t i = 0; i < std::min(findings.size(), kMaxFindings); ++i) {
      Show(findings[i]);
      const std::string hint = HintFor(findings[i]);
      if (hint.empty() || !hints.insert(hint).second) continue;
      text_ += Paint(Wrapped("hint: " + hint, width_, 2, 8), fg(fmt::terminal_color::cyan));
    }
    if (findings.size() > kMaxFindings) {
      Gap();
      Line(fmt::format("and {}: --counters writes all",
                       Counted(findings.size() - kMaxFindings, "more finding")));
    }
  }

  void ShowPlace(const SourceLocation& where) {
    const std::string code = options_.source(where);
    const std::string place = CleanText(ShownPlace(where));
    Line(Bold(place) + (code.empty() ? "" : "  " + Dim(CleanText(code, width_))));
  }

  void Show(const Finding& finding) {
    Gap();
    if (finding.where.known()) ShowPlace(PlaceOf(finding));
    const std::string kind = fmt::format("{}: ", Meaning(finding.kind));
    text_ += Paint(Wrapped(CleanText(kind + MessageOf(finding)), width_, 2, 4),
                   IsInformation(finding.kind) ? fg(fmt::terminal_color::yellow)
                                               : fg(fmt::terminal_color::red));
    const std::string first = FirstText(finding);
    if (!first.empty()) text_ += Dim(Wrapped(CleanText(first), width_, 2, 4));
  }

  void Show(const FindingStop& stop) {
    Gap();
    Line(Bold("The first finding, before the instruction is executed:"));
    if (stop.finding.where.known()) ShowPlace(stop.finding.where);
    text_ += Wrapped(CleanText(stop.finding.message), width_, 2, 4);
    Line(
        fmt::format("  block {}, warp {}; active lanes 0x{:08x}, lanes of the finding 0x{:08x} (>)",
                    PositionText(stop.block), stop.warp, stop.active, stop.lanes));
    Line("  " + CleanText(stop.instruction));
    text_ += RegisterTable(stop, style_);
  }

  void Show(const LineAccess& access) {
    const AccessSample& sample = access.worst;
    Gap();
    ShowPlace(sample.where);
    Line("  " + CleanText(InstructionText(access)));
    Line("  " + CleanText(WorstText(sample)));
    Line(Dim("  " + HowManyText(sample)));
    text_ += AccessPicture(LayOut(sample, sample.base), style_);
  }

  const RunReportOptions& options_;
  const TerminalStyle style_;
  const std::size_t width_;
  std::string text_;
};

}  // namespace

std::string RunReport(const std::vector<ProcessResult>& processes, const RunReportOptions& options,
                      const TerminalStyle& style) {
  return RunReportWriter(options, style).Write(processes);
}

}  // namespace warpcheck
