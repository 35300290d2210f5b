// Stands in for compute-sanitizer where there is no GPU: serves the emulator on descriptor 3, and
// writes the accesses that it finds outside memory to --log-file, in the words of the real tool.
// With FAKE_SANITIZER=blind it finds nothing; with =broken it cannot start.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <regex>
#include <string>

#include "emulator/emulator.h"
#include "remote/device_server.h"

namespace {

using namespace warpcheck;

// The emulator says what an access misses without addresses: they are made up, just past the end.
constexpr std::uint64_t kAllocation = 0x10000;

// "reads 4 bytes just past the end of the 512-byte array of the kernel's 1st parameter"
const std::regex kMessage(R"(the (\d+)-byte array)");

class Log : public DeviceLog {
 public:
  Log(DeviceLog& to, const std::string& path, bool blind)
      : to_(to), file_(std::fopen(path.c_str(), "w")), blind_(blind) {
    Line("COMPUTE-SANITIZER");
  }
  ~Log() override { std::fclose(file_); }

  void OnLaunch(const LaunchRecord& record) override {
    LaunchRecord told = record;
    told.findings.clear();
    told.lines.clear();
    told.counters = {};
    for (const Finding& finding : record.findings) {
      std::smatch match;
      if (blind_ || !std::regex_search(finding.message, match, kMessage)) continue;
      for (std::uint64_t i = 0; i < finding.count; ++i) Report(finding, match);
    }
    std::fflush(file_);
    to_.OnLaunch(told);
  }
  void OnFinding(const Finding& finding) override { to_.OnFinding(finding); }
  void OnPrint(std::string_view text) override { to_.OnPrint(text); }

 private:
  void Line(const std::string& line) { fmt::print(file_, "========= {}\n", line); }

  void Report(const Finding& finding, const std::smatch& match) {
    const bool reads = finding.kind == FindingKind::kOutOfBoundsRead;
    Line(fmt::format("Invalid __global__ {} of size 4 bytes", reads ? "read" : "write"));
    const std::string place = finding.where.known()
                                  ? fmt::format(" in {}:{}", finding.where.file, finding.where.line)
                                  : std::string();
    Line(fmt::format("    at {}+0x80{}", finding.kernel, place));
    const Dim3& thread = finding.thread->thread;
    const Dim3& block = finding.thread->block;
    Line(fmt::format("    by thread ({},{},{}) in block ({},{},{})", thread.x, thread.y, thread.z,
                     block.x, block.y, block.z));
    const std::uint64_t bytes = std::stoull(match[1].str());
    Line(fmt::format("    Access to {:#x} is out of bounds", kAllocation + bytes));
    Line(fmt::format("    and is 1 bytes after the nearest allocation at {:#x} of size {} bytes",
                     kAllocation, bytes));
    Line("");
  }

  DeviceLog& to_;
  std::FILE* file_;
  bool blind_;
};

}  // namespace

int main(int argc, char** argv) {
  std::string path;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string_view(argv[i]) == "--log-file") path = argv[i + 1];
  }
  const char* mode = std::getenv("FAKE_SANITIZER");
  const std::string how = mode == nullptr ? "" : mode;
  if (how == "broken") {
    std::FILE* file = std::fopen(path.c_str(), "w");
    fmt::print(file, "========= COMPUTE-SANITIZER\n========= Error: the driver is too old\n");
    std::fclose(file);
    return 3;
  }
  remote::DeviceServer server(3);
  Log log(server, path, how == "blind");
  server.Serve(*emulator::MakeEmulator(log));
  return 0;
}
