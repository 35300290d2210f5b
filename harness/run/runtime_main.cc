// This is the main file of libcudart.so with an emulator, which `warpcheck run` loads into a
// program. It needs nothing from the program, and does not change its output, signals and exit
// status.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cudart/cudart.h"
#include "emulator/checkers/checkers.h"
#include "emulator/emulator.h"
#include "emulator/record/approximations.h"
#include "order/timeline.h"
#include "run/recorder.h"
#include "run/settings.h"
#include "run/unoffered.h"
#include "run/watchers.h"

namespace {

using namespace warpcheck;  // NOLINT: this is the library's main

class Runtime {
 public:
  Runtime(const std::string& folder, const run::Settings& settings)
      : checks_(settings.checks),
        timeline_(settings.timeline),
        calls_(settings.calls),
        journal_(folder),
        recorder_(journal_, &cudart::LineOfCall) {
    emulator::Options options;
    options.instruction_budget = settings.instruction_budget;
    options.memory_bytes = settings.memory_bytes;
    options.order_seed = settings.order_seed;
    options.threads = settings.threads;
    options.by_allocation = true;
    options.is_student_file = [folders = settings.system_folders](std::string_view path) {
      return std::ranges::none_of(folders, [&](const std::string& system) {
        return path.starts_with(system) && path.substr(system.size()).starts_with('/');
      });
    };
    for (const emulator::Checker& checker : emulator::Checkers()) {
      if (Checks(checker.name)) options.checkers.push_back(&checker);
    }
    options.on_approximation = [this](const emulator::Approximation& one) { journal_.Add(one); };
    if (settings.trace) {
      Watch<run::AccessTracer>(options, *settings.trace, recorder_.texts(), journal_);
    }
    if (settings.break_on_finding) {
      Watch<run::FindingStopper>(options, recorder_.texts(), journal_);
    }
    device_ = emulator::MakeEmulator(recorder_, std::move(options));
    cudart::Attach(device_.get(), Checks(run::kOrderChecker));
    cudart::AtWait([this] {
      recorder_.Show();
      NoteUnoffered();
    });
    cudart::AtFirstCall([this] {
      journal_.NoteCall();
      if (Checks(run::kApiChecker)) cudart::ExplainHostFaults();
    });
    cudart::AtRefusal([this](const cudart::RefusedCall& call) { Add(call); });
    if (Checks(run::kApiChecker)) {
      cudart::AtCopyBack([this](const cudart::CopiedBack& copy) { Add(copy); });
    }
    NoteUnoffered();
  }

  void End() {
    NoteUnoffered();
    if (Checks(run::kApiChecker)) {
      cudart::NoteLeftovers();
      device_->NoteLeftovers();
    }
    if (timeline_ || calls_) {
      const HostCalls calls = cudart::TakeHostCalls();
      if (timeline_) journal_.Add(order::TimelineOf(calls));
      if (calls_) journal_.Add(calls);
    }
    recorder_.End();
  }

 private:
  template <class Observer, class... Arguments>
  void Watch(emulator::Options& options, Arguments&&... arguments) {
    observers_.push_back(std::make_unique<Observer>(std::forward<Arguments>(arguments)...));
    options.observers.push_back(observers_.back().get());
  }

  // Keeps each call and error once, as often as a person may read.
  void Add(const cudart::RefusedCall& call) {
    constexpr std::size_t kMost = 100;
    NoteUnoffered();
    const run::RefusedCall refused{
        .call = call.call, .error = call.error, .why = call.why, .where = call.where};
    const bool known = std::ranges::any_of(refused_, [&](const run::RefusedCall& other) {
      return other.call == refused.call && other.error == refused.error &&
             other.where == refused.where;
    });
    if (known || refused_.size() == kMost) return;
    refused_.push_back(refused);
    journal_.Add(refused);
  }

  // Keeps one for each line: a loop may copy often.
  void Add(const cudart::CopiedBack& copy) {
    constexpr std::size_t kMost = 20;
    if (copied_back_.size() == kMost || !copied_back_.insert(copy.where).second) return;
    journal_.Add(
        run::CopiedBack{.call = copy.call, .what = copy.what, .of = copy.of, .where = copy.where});
  }

  // A program may load libraries while it runs.
  void NoteUnoffered() {
    for (const run::Unoffered& part : run::NewlyUnoffered()) journal_.Add(part);
  }

  bool Checks(std::string_view name) const { return std::ranges::count(checks_, name) != 0; }

  std::vector<std::string> checks_;
  bool timeline_;
  bool calls_;
  run::Journal journal_;
  run::Recorder recorder_;
  std::vector<std::unique_ptr<emulator::Observer>> observers_;
  std::unique_ptr<Device> device_;
  std::vector<run::RefusedCall> refused_;
  std::set<SourceLocation> copied_back_;
};

// The object is never destroyed, because the program's own destructors may still call the runtime.
Runtime* runtime = nullptr;

// Runs before the program's own constructors, which register its kernels.
[[gnu::constructor]] void Start() {
  const char* const folder = std::getenv(run::kFolderVariable);
  run::Settings settings;
  if (folder != nullptr) {
    auto asked = run::ReadSettings(folder);
    if (!asked) {  // this process continued after the command had ended
      std::fprintf(stderr, "warpcheck: %s\n", asked.error().Text().c_str());
    } else {
      settings = std::move(*asked);
    }
  }
  try {
    runtime = new Runtime(folder != nullptr ? folder : "", settings);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "warpcheck: the runtime cannot start: %s\n", exception.what());
  }
}

[[gnu::destructor]] void End() {
  if (runtime != nullptr) runtime->End();
}

}  // namespace
