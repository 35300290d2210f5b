#include "run/recorder.h"

#include <cstdio>

#include "emulator/core/stop_request.h"
#include "run/stop_signals.h"

namespace warpcheck::run {

namespace {

void Give(std::string& text, std::FILE* to) {
  if (text.empty()) return;
  std::fwrite(text.data(), 1, text.size(), to);
  text.clear();
}

}  // namespace

void Recorder::OnLaunchBegin(const LaunchRecord& launch) {
  journal_.Begin(launch);
  StopSignals::BeginLaunch();
}

void Recorder::OnLaunch(const LaunchRecord& launch) {
  LaunchRecord record = launch;
  if (emulator::IsAskedToStop()) {
    UnfinishedLaunch unfinished{
        .kernel = record.kernel, .grid = record.grid, .block = record.block};
    // The last finding says where the launch was.
    if (!record.findings.empty() && record.findings.back().kind == FindingKind::kBudgetExceeded) {
      unfinished.where = record.findings.back().where;
      unfinished.doing = record.findings.back().message;
      record.findings.pop_back();
    }
    journal_.AddStopped(record, unfinished);
  } else {
    // The device does not know which line of the host made a launch that it refuses.
    for (Finding& finding : record.findings) {
      if (finding.kind == FindingKind::kInvalidLaunch && !finding.where.known()) {
        finding.where = line_of_call_();
      }
    }
    journal_.Add(record);
  }
  StopSignals::EndLaunch();
}

void Recorder::OnFinding(const Finding& finding) {
  Finding placed = finding;
  if (placed.kind == FindingKind::kUnsupportedCall && !placed.where.known()) {
    placed.where = line_of_call_();
  }
  journal_.Add(placed);
}

void Recorder::Show() {
  Give(printed_, stdout);
  Give(asserted_, stderr);
}

void Recorder::End() {
  const std::size_t bytes = printed_.size() + asserted_.size();
  if (bytes != 0) journal_.NotShown(bytes);
}

}  // namespace warpcheck::run
