#include "checks/memcheck.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

namespace warpcheck {

namespace {

constexpr std::chrono::seconds kProbeLimit{30};
// A kernel that ends at its first error reports one for each thread that made it.
constexpr std::size_t kMaxReport = std::size_t{4} << 20;  // bytes read of a launch's reports
constexpr off_t kMaxLog = off_t{256} << 20;               // then the process is not used again

constexpr std::uint64_t kProbeBytes = 512;
// Reads the word that lies `kProbeBytes` behind its argument.
constexpr std::string_view kProbe = R"(.version 6.3
.target sm_75
.address_size 64
.visible .entry warpcheck_probe(.param .u64 array)
{
  .reg .b64 %address;
  .reg .b32 %value;
  ld.param.u64 %address, [array];
  ld.global.u32 %value, [%address+512];
  st.global.u32 [%address], %value;
  ret;
}
)";

// A log file of compute-sanitizer, read on from where the last reading stopped.
class LogFile {
 public:
  static Result<std::unique_ptr<LogFile>> Make() {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
    if (error) {
      return Fail("there is no folder for temporary files: " + error.message(), {},
                  "set TMPDIR to a folder that can be written");
    }
    std::string path = folder / "warpcheck-memcheck-XXXXXX";
    const int fd = ::mkostemp(path.data(), O_CLOEXEC);
    if (fd < 0) return Fail(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
    return std::unique_ptr<LogFile>(new LogFile(std::move(path), fd));
  }
  ~LogFile() {
    ::close(fd_);
    ::unlink(path_.c_str());
  }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  const std::string& path() const { return path_; }
  bool is_long() const { return read_ > kMaxLog; }

  // The whole lines that are new; the first kMaxReport bytes of them.
  std::string NewLines() {
    std::string text;
    std::array<char, 1 << 16> buffer{};
    for (ssize_t got; (got = ::pread(fd_, buffer.data(), buffer.size(), read_)) > 0; read_ += got) {
      const auto room = kMaxReport - std::min(kMaxReport, text.size());
      text.append(buffer.data(), std::min(room, static_cast<std::size_t>(got)));
    }
    text.insert(0, std::exchange(rest_, {}));
    if (text.size() >= kMaxReport) {  // the last report is not whole
      text.resize(std::min(text.size(), text.rfind("========= Invalid")));
      return text;
    }
    const std::size_t end = text.rfind('\n') + 1;  // 0 where there is none
    rest_ = text.substr(end);
    text.resize(end);
    return text;
  }

 private:
  LogFile(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}

  std::string path_;
  int fd_;  // of the file that was made: the tool may write it anew, but not in place of it
  off_t read_ = 0;
  std::string rest_;
};

struct ProbeLog : DeviceLog {
  void OnLaunch(const LaunchRecord& record) override {
    for (const Finding& finding : record.findings) {
      seen = seen || finding.kind == FindingKind::kOutOfBoundsRead;
    }
  }
  void OnFinding(const Finding& finding) override { problem = finding.message; }
  void OnPrint(std::string_view) override {}

  bool seen = false;
  std::string problem;
};

constexpr char kOptions[] =
    "--tool memcheck --destroy-on-device-error kernel --report-api-errors no "
    "--show-backtrace device --print-limit 0 --padding 4096 --strip-paths no --log-file";

Result<> RunProbe(Device& device, const ProbeLog& log) {
  const auto array = device.Allocate(kProbeBytes);
  const auto module = device.LoadModule(kProbe);
  if (!array || !module) return Fail("it cannot run a kernel under memcheck: " + log.problem);
  LaunchRequest request;
  request.module = module->id;
  request.kernel = "warpcheck_probe";
  const auto bytes = std::as_bytes(std::span(&*array, 1));
  request.parameters.assign(bytes.begin(), bytes.end());
  (void)device.Launch(request);
  if (!log.seen) return Fail("memcheck does not report a read outside an array");
  return {};
}

bool IsFault(FindingKind kind) {
  using enum FindingKind;
  return IsOneOf(kind, kIllegalAddress, kMisaligned, kTrap, kStackOverflow);
}

bool Configured(const LaunchRecord& a, const LaunchRecord& b) {
  return a.kernel == b.kernel && a.grid == b.grid && a.block == b.block;
}

void Add(LaunchRecord& launch, const std::vector<Finding>& seen) {
  if (seen.empty()) return;
  std::erase_if(launch.findings, [&](const Finding& finding) {
    return !finding.where.known() && std::ranges::any_of(seen, [&](const Finding& other) {
      return other.kind == finding.kind;
    });
  });
  for (Finding& finding : launch.findings) {
    if (finding.where.known() || !IsFault(finding.kind)) continue;
    finding.where = seen.front().where;
    finding.thread = seen.front().thread;
  }
  launch.findings.insert(launch.findings.end(), seen.begin(), seen.end());
}

Error Unseen(std::string message) {
  return {.message = std::move(message), .hint = "--device emulator sees every access"};
}

}  // namespace

std::optional<Error> AddMemcheck(Trial& trial, const Trial& checked) {
  const std::size_t both = std::min(trial.launches.size(), checked.launches.size());
  for (std::size_t i = 0; i < both; ++i) {
    const LaunchRecord& again = checked.launches[i];
    if (!Configured(trial.launches[i], again)) {
      return Unseen("the call launches other kernels when it is made again under memcheck");
    }
    const bool lost =
        again.error == DeviceError::kLaunchTimeout || again.error == DeviceError::kUnknown;
    if (lost && trial.launches[i].error != again.error) {
      return Unseen("under memcheck the launch of " + again.kernel +
                    " did not end: " + again.not_measured);
    }
    Add(trial.launches[i], again.findings);
  }
  if (checked.launches.size() < trial.launches.size()) {
    return Unseen("the call launches fewer kernels when it is made again under memcheck");
  }
  return std::nullopt;
}

// One process under memcheck. Its log adds the reports to the launches of a trial.
class Memcheck::Process : public DeviceLog {
 public:
  // Returns before the process is ready, which takes it about half a second.
  static Result<std::shared_ptr<Process>> Start(const Settings& settings) {
    auto file = WARPCHECK_TRY(LogFile::Make());
    std::vector<std::string> command = {settings.compute_sanitizer.string()};
    std::istringstream options(kOptions);
    command.insert(command.end(), std::istream_iterator<std::string>(options), {});
    command.insert(command.end(), {file->path(), settings.gpu_host.string(), "--counting", "none",
                                   "--red-zone", "0"});
    auto process = WARPCHECK_TRY(remote::DeviceProcess::Start(command));
    return std::make_shared<Process>(settings, std::move(process), std::move(file));
  }

  Process(const Settings& settings, std::unique_ptr<remote::DeviceProcess> process,
          std::unique_ptr<LogFile> file)
      : settings_(settings), process_(std::move(process)), file_(std::move(file)) {}

  remote::DeviceClient& device() { return process_->device(); }

  Result<> Await() {
    if (const auto ready = device().Await(kGpuStartLimit); !ready) {
      return Fail(WithTroubles(ready.error()));
    }
    return {};
  }

  void BeginTrial(DeviceLog& log, std::chrono::milliseconds launch_limit) {
    log_ = &log;
    (void)file_->NewLines();
    device().BeginTrial(*this, launch_limit);
  }
  // False where the process can serve no other trial.
  bool EndTrial() {
    log_ = nullptr;
    return device().EndTrial() && !file_->is_long();
  }

  // What the tool says of its own failure says more.
  Error WithTroubles(Error error) const {
    const std::string text = file_->NewLines();
    for (const std::string& line : ParseSanitizerReport(text, {}).troubles) {
      error.message += "; compute-sanitizer says: " + line;
    }
    return error;
  }

  void OnLaunch(const LaunchRecord& record) override {
    LaunchRecord told = record;
    auto findings = ParseSanitizerReport(file_->NewLines(), settings_.is_student_file).findings;
    for (Finding& finding : findings) {
      finding.kernel = record.kernel;
      if (finding.thread) finding.thread->lane = LaneOf(finding.thread->thread, record.block);
      told.findings.push_back(std::move(finding));
    }
    log_->OnLaunch(told);
  }
  void OnFinding(const Finding& finding) override { log_->OnFinding(finding); }
  void OnPrint(std::string_view text) override { log_->OnPrint(text); }

 private:
  static int LaneOf(const Dim3& thread, const Dim3& block) {
    const std::uint64_t linear =
        thread.x + std::uint64_t{block.x} * (thread.y + std::uint64_t{block.y} * thread.z);
    return static_cast<int>(linear % 32);
  }

  const Settings& settings_;
  std::unique_ptr<remote::DeviceProcess> process_;
  std::unique_ptr<LogFile> file_;
  DeviceLog* log_ = nullptr;
};

Memcheck::Memcheck(Settings settings)
    : settings_(std::move(settings)), ahead_(Process::Start(settings_)) {}

Memcheck::~Memcheck() = default;

Result<std::shared_ptr<Memcheck::Process>> Memcheck::Started() {
  if (idle_) return std::exchange(idle_, nullptr);
  auto process = ahead_ ? *std::exchange(ahead_, std::nullopt) : Process::Start(settings_);
  if (!process) return process;
  WARPCHECK_TRY((*process)->Await());
  ProbeLog log;
  (*process)->BeginTrial(log, kProbeLimit);
  const Result<> works = RunProbe((*process)->device(), log);
  const bool fit = (*process)->EndTrial();
  if (!works) return Fail((*process)->WithTroubles(works.error()));
  if (!fit) return Fail("the GPU is lost after an error that memcheck found");
  return process;
}

Result<DeviceSource::Device> Memcheck::Lease(DeviceLog& log,
                                             std::chrono::milliseconds launch_limit) {
  if (failure_) return Fail(*failure_);
  auto started = Started();
  if (!started) return Fail(failure_.emplace(started.error()));
  const std::shared_ptr<Process> process = *std::move(started);
  process->BeginTrial(log, launch_limit);
  return DeviceSource::Device(&process->device(), [this, process](Device*) {
    if (process->EndTrial()) idle_ = process;
  });
}

}  // namespace warpcheck
