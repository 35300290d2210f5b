#include "cli/measure/lab_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/in_parallel.h"
#include "base/json/text.h"
#include "cli/exit_status.h"
#include "cli/stop.h"
#include "gpu/gpu.h"
#include "host/gpu_host.h"
#include "host/places.h"
#include "lab/find_lab.h"
#include "lab/read_lab.h"
#include "lab/report/figures.h"
#include "lab/report/page.h"
#include "lab/report/tables.h"
#include "lab/report/timeline.h"
#include "lab/run/fit_arguments.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

// A Target measures the labs. It is the emulator if there is no GPU.
struct Target {
  std::optional<gpu::Survey> gpu;
};

Result<Target> TargetFor(const std::string& device) {
  if (device == "emulator") return Target{};
  auto survey = WARPCHECK_TRY(SurveyByGpuHost(SurveyOf::kCounters));
  if (!survey.no_gpu) return Target{.gpu = std::move(survey)};
  if (device == "gpu") return Fail(*survey.no_gpu);
  return Target{};
}

// Returns the process that counts what the columns need; returns nothing if they need nothing that
// a GPU counts. The totals of all launches come from one process. Only where they do not suffice,
// each line has a process of its own.
std::optional<lab::BenchProcess> CountingFor(const lab::Lab& lab) {
  std::optional<lab::BenchProcess> process;
  for (const Counter counter : lab::CountersOf(lab)) {
    if (Info(counter).scope == CounterScope::kEmulator) continue;
    if (!IsTotal(counter)) return lab::LineCounting();
    process = {.arguments = {"--counting=totals"}};
  }
  return process;
}

// Counters come from processes of their own, because a counted launch is slow.
lab::Bench BenchFor(const Target& target, const lab::Lab& lab) {
  if (lab.launches_kernels) return lab::LaunchingKernelsBench();
  if (!target.gpu) return lab::EmulatorBench();
  const gpu::Survey& gpu = *target.gpu;
  lab::BenchProcess times{.arguments = {"--timed", "--time-first"}};
  if (!gpu.no_counters) times.arguments.emplace_back("--use");
  lab::Bench bench{.device = gpu.name, .processes = {std::move(times)}, .notes = {}};
  if (gpu.no_counters) {
    bench.notes.push_back("Counters are missing: " + gpu.no_counters->Sentence());
  } else if (auto counting = CountingFor(lab)) {
    bench.processes.push_back(*std::move(counting));
  }
  return bench;
}

// Reads "axis=1,2,3".
Result<lab::Chosen> ChosenBy(const std::vector<std::string>& sets, const lab::Lab& lab) {
  lab::Chosen chosen;
  for (const std::string& set : sets) {
    const std::size_t equals = set.find('=');
    const std::string name = set.substr(0, equals);
    if (std::ranges::find(lab.axes, name, &lab::Axis::name) == lab.axes.end()) {
      std::string names;
      for (const lab::Axis& axis : lab.axes) names += (names.empty() ? "" : ", ") + axis.name;
      return Fail(fmt::format("--set {}: the lab has no axis {}", set, name), {},
                  "its axes are: " + names);
    }
    if (chosen.contains(name)) {
      return Fail(fmt::format("--set {}: another --set has the axis {} already", set, name), {},
                  fmt::format("write all of its values in one: --set {}=1,2,3", name));
    }
    std::string rest = equals == std::string::npos ? "" : set.substr(equals + 1);
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const lab::AxisValue value = lab::AxisValueOf(rest.substr(0, comma));
      std::vector<lab::AxisValue>& values = chosen[name];
      if (std::ranges::find(values, value) != values.end()) {
        return Fail(fmt::format("--set {} has the value {} twice", set, value.text), {},
                    "leave out one of them");
      }
      if (comma > 0) values.push_back(value);
      rest.erase(0, comma + 1);
    }
    if (chosen[name].empty()) {
      return Fail(fmt::format("--set {} has no values", set), {},
                  fmt::format("write --set {}=1,2,3", name));
    }
  }
  return chosen;
}

Result<> WriteSvgs(const fs::path& folder, const lab::Lab& lab, const lab::Measured& measured) {
  std::vector<std::string> images;
  for (const LinePlot& plot : lab::FiguresOf(lab, measured)) images.push_back(SvgOf(plot));
  for (const lab::Timeline& timeline : lab::TimelinesOf(lab, measured)) {
    images.push_back(SvgOf(timeline));
  }
  std::error_code error;
  fs::create_directories(folder, error);
  for (std::size_t i = 0; i < images.size(); ++i) {
    const fs::path file = folder / fmt::format("{}_{}.svg", lab.name, i + 1);
    WARPCHECK_TRY(WriteFile(file, images[i]));
  }
  return {};
}

Result<> WriteFiles(const LabOptions& options, const lab::Lab& lab, const lab::Measured& measured) {
  if (!options.csv.empty()) WARPCHECK_TRY(WriteFile(options.csv, lab::CsvTable(lab, measured)));
  if (!options.json.empty()) WARPCHECK_TRY(WriteFile(options.json, lab::JsonOf(lab, measured)));
  if (!options.html.empty()) WARPCHECK_TRY(WriteFile(options.html, lab::PageOf(lab, measured)));
  if (options.svg.empty()) return {};
  return WriteSvgs(options.svg, lab, measured);
}

nlohmann::ordered_json Listed(const fs::path& folder, const Result<lab::Lab>& lab) {
  using nlohmann::ordered_json;
  return {{"name", folder.filename().string()},
          {"title", lab ? lab->title : ""},
          {"folder", folder.string()},
          {"error", lab ? ordered_json() : ordered_json(lab.error().Text())}};
}

// Fails if an option asks for the result of a lab.
Result<> CheckListing(const LabOptions& options) {
  const bool measures = !options.sets.empty() || !options.csv.empty() || !options.html.empty() ||
                        !options.svg.empty();
  if (!measures) return {};
  return Fail("--set, --csv, --html and --svg need the name of a lab", {},
              "`warpcheck lab` lists the labs");
}

// Lists the labs that can be read, and complains about each of the others. Writes both to the file
// `json`, if there is one.
tl::expected<int, Stop> ListLabs(const fs::path& json) {
  const auto folders = WARPCHECK_TRY(OrStop(kExitUsage, lab::AllLabs()));
  int status = kExitFull;
  nlohmann::ordered_json listed = nlohmann::ordered_json::array();
  for (const fs::path& folder : folders) {
    const auto lab = lab::ReadLab(folder);
    if (lab) {
      fmt::print("{:<14}{}\n", lab->name, lab->title);
    } else {
      status = Complain(lab.error(), kExitFault);
    }
    listed.push_back(Listed(folder, lab));
  }
  if (json.empty()) return status;
  const std::string text = JsonText(nlohmann::ordered_json{{"labs", listed}}, 2) + "\n";
  WARPCHECK_TRY(OrStop(kExitFault, WriteFile(json, text)));
  return status;
}

// A lab that is ready to be measured.
struct Ready {
  lab::Lab lab;
  std::vector<lab::Planned> plan;
  lab::Kernels kernels;
  lab::Bench bench;
};

tl::expected<Ready, Stop> Prepare(const fs::path& folder, const std::vector<std::string>& sets,
                                  const Target& target) {
  Ready ready;
  ready.lab = WARPCHECK_TRY(OrStop(kExitUsage, lab::ReadLab(folder)));
  ready.bench = BenchFor(target, ready.lab);
  const auto chosen = WARPCHECK_TRY(OrStop(kExitUsage, ChosenBy(sets, ready.lab)));
  lab::KernelNames names;
  const bool gpu = target.gpu.has_value() && !ready.lab.launches_kernels;
  ready.plan = WARPCHECK_TRY(OrStop(kExitUsage, lab::Plan(ready.lab, chosen, gpu, names)));
  const auto cache = WARPCHECK_TRY(OrStop(kExitFault, CacheFolder()));
  ready.kernels = WARPCHECK_TRY(OrStop(kExitUsage, lab::CompileKernels(ready.lab, names, cache)));
  WARPCHECK_TRY(OrStop(kExitUsage, lab::FitArguments(ready.lab, ready.kernels, ready.plan)));
  return ready;
}

tl::expected<int, Stop> MeasureReady(const Ready& ready, const LabOptions& options) {
  const lab::Measured measured = lab::Measure(ready.lab, ready.plan, ready.kernels, ready.bench);
  fmt::print("{}", lab::TextTable(ready.lab, measured));
  std::fflush(stdout);
  WARPCHECK_TRY(OrStop(kExitFault, WriteFiles(options, ready.lab, measured)));
  return measured.fault ? Complain(*measured.fault, kExitFault) : kExitFull;
}

// Prepares all labs at the same time, because compilers take longest, and measures one after
// another. A lab that fails does not keep the others from being run.
tl::expected<int, Stop> RunAll(const LabOptions& options) {
  if (!options.lab.empty() || !options.sets.empty()) {
    return tl::unexpected(
        Stop{{.message = "--all runs every lab as it is", .hint = "leave out the name and --set"},
             kExitUsage});
  }
  const auto folders = WARPCHECK_TRY(OrStop(kExitUsage, lab::AllLabs()));
  const Target target = WARPCHECK_TRY(OrStop(kExitUsage, TargetFor(options.device)));
  std::vector<std::optional<tl::expected<Ready, Stop>>> all(folders.size());
  const std::size_t workers = WorkersFor(0);
  InParallel(folders.size(), std::min(workers, folders.size()),
             [&](std::size_t i, std::size_t) { all[i] = Prepare(folders[i], {}, target); });
  int status = kExitFull;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const fs::path files = options.all / folders[i].filename();
    std::error_code error;
    fs::create_directories(files, error);
    LabOptions of_lab;
    of_lab.csv = files / "table.csv";
    of_lab.json = files / "lab.json";
    of_lab.html = files / "page.html";
    of_lab.svg = files;
    const auto end = all[i]->and_then(
        [&](const Ready& ready) -> tl::expected<int, Stop> { return MeasureReady(ready, of_lab); });
    status = std::max(status, StatusOf(end));
    fmt::print("\n");
  }
  return status;
}

tl::expected<int, Stop> Run(const LabOptions& options) {
  if (!options.all.empty()) return RunAll(options);
  if (options.lab.empty()) {
    WARPCHECK_TRY(OrStop(kExitUsage, CheckListing(options)));
    return ListLabs(options.json);
  }
  const auto folder = WARPCHECK_TRY(OrStop(kExitUsage, lab::FindLab(options.lab)));
  const Target target = WARPCHECK_TRY(OrStop(kExitUsage, TargetFor(options.device)));
  return MeasureReady(WARPCHECK_TRY(Prepare(folder, options.sets, target)), options);
}

}  // namespace

int LabCommand(const LabOptions& options) { return StatusOf(Run(options)); }

}  // namespace warpcheck
