#include "emulator/core/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>

#include "emulator/core/block.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {
namespace {

SourceLocation WithoutColumn(SourceLocation place) {
  place.column = 0;
  return place;
}

// The instruction that made a call.
std::uint32_t InstructionOf(const Program& program, const CallInfo& call) {
  const auto& body = program.function->body;
  for (std::uint32_t i = 0; i < body.size(); ++i) {
    if (body[i].opcode == ptx::Opcode::kCall && &program.calls[program.steps[i].data] == &call) {
      return i;
    }
  }
  return static_cast<std::uint32_t>(body.size());
}

}  // namespace

SourceLocation PlaceOf(const Launch& launch, const Program& program, std::uint32_t instruction) {
  const auto& body = program.function->body;
  if (instruction >= body.size()) return {};
  return WithoutColumn(
      launch.kernel->module->Place(body[instruction].location, launch.options->is_student_file));
}

std::size_t AddFinding(Launch& launch, Finding finding) {
  ++launch.kept[finding.kind].findings;
  launch.record.findings.push_back(std::move(finding));
  return launch.record.findings.size() - 1;
}

void CountFurther(Launch& launch, FindingKind kind, std::uint64_t count) {
  std::vector<Finding>& findings = launch.record.findings;
  std::optional<std::size_t>& further = launch.kept[kind].further;
  if (!further) {
    further = findings.size();
    findings.push_back(
        {.kind = kind,
         .kernel = launch.record.kernel,
         .message = fmt::format(
             "the same at more than {} places, the others of which are not listed", kMostOfAKind),
         .count = 0});
  }
  findings[*further].count += count;
}

SourceLocation PlaceOf(const Warp& warp, const Step& step) {
  return PlaceOf(*warp.launch, *warp.program, step.index);
}

bool Reported(const Warp& warp, const Step& step, FindingKind kind) {
  return warp.launch->places.contains({warp.program, step.index, kind}) ||
         IsFull(*warp.launch, kind);
}

void Report(Warp& warp, const Step& step, FindingKind kind, LaneMask lanes, std::string message,
            std::string hint) {
  Launch& launch = *warp.launch;
  if (launch.stopped || launch.LeaveToOneThread()) return;
  const auto count = static_cast<std::uint64_t>(std::popcount(lanes));
  const auto found = launch.places.find({warp.program, step.index, kind});
  if (found != launch.places.end()) {
    launch.record.findings[found->second].count += count;
    return;
  }
  if (IsFull(launch, kind)) return CountFurther(launch, kind, count);
  Finding finding;
  finding.kind = kind;
  finding.where = PlaceOf(launch, *warp.program, step.index);
  finding.kernel = launch.record.kernel;
  finding.message = std::move(message);
  finding.count = count;
  finding.hint = std::move(hint);
  finding.caller = CallerOf(warp, step);
  if (lanes != 0) {
    const int lane = std::countr_zero(lanes);
    finding.thread = ThreadPosition{warp.block->index, ThreadIndex(launch, warp, lane), lane};
  }
  const std::size_t index = AddFinding(launch, std::move(finding));
  launch.places[{warp.program, step.index, kind}] = index;
  if (warp.observers == nullptr) return;
  const Finding made = launch.record.findings[index];
  Tell(*warp.observers, &Observer::OnFinding, FindingEvent{warp, step, made, lanes});
}

void ReportTrap(Warp& warp, const Step& step, LaneMask lanes) {
  const auto& specials = warp.program->specials;
  const bool grid_sync = std::ranges::find(specials, ptx::SpecialRegister::kEnvreg1,
                                           &Program::Special::which) != specials.end();
  Report(warp, step, FindingKind::kTrap, lanes,
         grid_sync && !warp.launch->request->cooperative
             ? "the kernel executes a trap instruction: a grid's sync() needs a launch by "
               "cudaLaunchCooperativeKernel"
             : "the kernel executes a trap instruction");
  warp.launch->Stop(DeviceError::kLaunchFailure);
}

void ReportUnsupported(std::byte*, const Step& step, LaneMask mask, Warp& warp) {
  Report(warp, step, FindingKind::kInvalidPtx, mask, warp.program->refusals[step.data]);
  warp.launch->Stop(DeviceError::kIllegalInstruction);
}

void ReportBudget(Warp& warp, const Step& step) {
  const std::string_view waiting =
      warp.spins == 0
          ? ""
          : ", in a loop that waits for a value which none of the threads that can go on writes";
  Report(
      warp, step, FindingKind::kBudgetExceeded, warp.paths.back().mask,
      fmt::format("the kernel did not end within its budget of {} warp instructions; here it was "
                  "stopped{}",
                  warp.launch->options->instruction_budget, waiting));
  warp.launch->Stop(DeviceError::kLaunchTimeout);
}

void ObserveBranch(Warp& warp, const Step& step, LaneMask active, LaneMask taken) {
  if (warp.observers == nullptr) return;
  Tell(*warp.observers, &Observer::OnBranch,
       BranchEvent{.warp = warp, .step = step, .active = active, .taken = taken});
}

std::vector<SourceLocation> LinesTo(const Launch& launch, const Program& program,
                                    std::uint32_t instruction) {
  const auto& body = program.function->body;
  if (instruction >= body.size()) return {};
  const ptx::Module& module = *launch.kernel->module;
  std::vector<SourceLocation> lines;
  for (ptx::LocationId at = body[instruction].location; at != 0;
       at = module.locations[at].inlined_at) {
    const ptx::Location& location = module.locations[at];
    const std::string& file = module.files[location.file];
    if (!launch.options->is_student_file(file)) continue;
    lines.push_back({file, static_cast<int>(location.line), static_cast<int>(location.column)});
  }
  if (lines.empty()) {
    SourceLocation place = PlaceOf(launch, program, instruction);
    if (place.known()) lines.push_back(std::move(place));
  }
  std::ranges::reverse(lines);
  return lines;
}

SourceLocation CallerOf(const Launch& launch, const Program& program, std::uint32_t instruction) {
  const std::vector<SourceLocation> lines = LinesTo(launch, program, instruction);
  return lines.size() < 2 ? SourceLocation() : WithoutColumn(lines.front());
}

SourceLocation CallerOf(const Warp& warp, const Step& step) {
  if (warp.frames.size() < 2) return CallerOf(*warp.launch, *warp.program, step.index);
  const Program& kernel = *warp.frames.front().program;
  const std::vector<SourceLocation> lines =
      LinesTo(*warp.launch, kernel, InstructionOf(kernel, *warp.frames[1].call));
  return lines.empty() ? SourceLocation() : WithoutColumn(lines.front());
}

std::string LineText(const SourceLocation& line, const SourceLocation& from) {
  if (!line.known()) return "an unknown line";
  if (line.file == from.file && line.line == from.line) return "the same line";
  if (line.file == from.file) return fmt::format("line {}", line.line);
  return fmt::format("line {} of {}", line.line,
                     std::filesystem::path(line.file).filename().string());
}

}  // namespace warpcheck::emulator
