#include "results/results_file.h"

#include <fmt/format.h>

#include <optional>
#include <tuple>

#include "base/json/record.h"
#include "base/text.h"
#include "device/record_json.h"
#include "results/results.h"

namespace warpcheck {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxFileBytes = std::size_t{512} << 20;
// The most bytes for each kind of output.
constexpr std::size_t kMaxOutputBytes = std::size_t{64} << 10;

// Complaints quote names and texts of the submission, so their number is limited.
constexpr std::size_t kMaxComplaints = 500;  // the most complaints of a case
constexpr std::size_t kMostTextBytes = std::size_t{16} << 10;

void Shorten(std::string& text) {
  if (text.size() > kMostTextBytes) text.replace(kMostTextBytes, text.npos, " ...");
}

CaseResult Bounded(CaseResult result) {
  if (result.complaints.size() > kMaxComplaints) {
    const std::size_t more = result.complaints.size() - kMaxComplaints;
    result.complaints.resize(kMaxComplaints);
    result.complaints.push_back(
        {.message = fmt::format("and {} of this case", Counted(more, "more complaint"))});
  }
  for (Complaint& complaint : result.complaints) {
    Shorten(complaint.message);
    Shorten(complaint.hint);
    if (complaint.map) Shorten(complaint.map->first);
  }
  return result;
}

class FileWriter : public ResultsWriter {
 public:
  explicit FileWriter(LineLogWriter log) : log_(std::move(log)) {}

  void Begin(std::string_view device, std::string_view device_name, std::uint64_t seed) override {
    Write("begin", {{"device", device}, {"device_name", device_name}, {"seed", seed}});
  }
  void BeginCase(std::string_view name) override { Write("begin_case", {{"name", name}}); }
  void EndCase(const CaseResult& result) override { Write("end_case", ToJson(Bounded(result))); }
  void Launch(const CaseLaunch& launch) override { Write("launch", ToJson(launch)); }
  void Counted(std::size_t launch, const LaunchRecord& record) override {
    Write("counted", {{"launch", launch}, {"record", ToJson(record)}});
  }
  void Finding(const CaseFinding& finding) override { Write("finding", ToJson(finding)); }
  void Approximation(const CaseApproximation& approximation) override {
    Write("approximation", ToJson(approximation));
  }
  void Timeline(const CaseTimeline& timeline) override { Write("timeline", ToJson(timeline)); }
  void Promise(const PromiseResult& promise) override { Write("promise", ToJson(promise)); }
  void Experimented(const Experiments& experiments) override {
    Write("experiments", ToJson(experiments));
  }
  void Reasoned(const CaseReason& reason) override { Write("reason", ToJson(reason)); }
  void DeviceOutput(std::string_view text) override { Write("device_output", {{"text", text}}); }
  void HostOutput(std::string_view text) override { Write("host_output", {{"text", text}}); }

 private:
  // After a failed write the writer writes nothing more, so that the reader sees a file that was
  // cut there.
  void Write(const char* event, json value) {
    if (failed_) return;
    value["event"] = event;
    failed_ = !log_.Append(JsonText(value));
  }

  LineLogWriter log_;
  bool failed_ = false;
};

void AppendBounded(std::string& all, const std::string& text) {
  all.append(text, 0, kMaxOutputBytes - std::min(kMaxOutputBytes, all.size()));
}

void Check(const Complaint& complaint, const std::string& name) {
  if (complaint.access && complaint.access->bytes > AccessExample::kMostBytes) {
    throw std::runtime_error(
        fmt::format("case {} has an access of {} bytes a lane", name, complaint.access->bytes));
  }
  if (complaint.map && !IsWhole(*complaint.map)) {
    throw std::runtime_error(fmt::format("case {} has an invalid map", name));
  }
}

void Check(const CaseTimeline& timeline) {
  for (const order::Timeline::Operation& operation : timeline.timeline.operations) {
    if (operation.column >= timeline.timeline.streams.size()) {
      throw std::runtime_error(fmt::format("the timeline of case {} has no column {}",
                                           timeline.case_name, operation.column));
    }
  }
}

}  // namespace

Result<std::unique_ptr<ResultsWriter>> ResultsWriter::Open(const std::filesystem::path& path) {
  auto log = LineLogWriter::Open(path);
  if (!log) return Fail(fmt::format("cannot write results: {}", log.error().message));
  return std::make_unique<FileWriter>(*std::move(log));
}

ResultsReader::ResultsReader(std::filesystem::path path)
    : path_(std::move(path)), log_(path_, kMaxFileBytes) {}

void ResultsReader::Read(const CaseProgress& progress) {
  if (failure_) return;
  const auto malformed = [this](int line, std::string_view why) {
    failure_ = Error{.message = fmt::format("malformed results: {}", why),
                     .where = {.file = path_.string(), .line = line}};
  };
  read_ = log_.Read([&](std::string_view line) -> Result<> {
    ++number_;
    try {
      TakeLine(line, progress);
    } catch (const std::exception& exception) {
      malformed(number_, exception.what());
      return Fail(*failure_);
    }
    return {};
  });
  if (log_.too_long() && !failure_) {
    malformed({}, fmt::format("it has more than {} MiB", kMaxFileBytes >> 20));
  }
}

void ResultsReader::TakeLine(std::string_view line, const CaseProgress& progress) {
  const json value = ParseJson(line);
  const std::string event = StringField(value, "event");
  if (event != "begin" && !begun_) throw std::runtime_error("results before \"begin\"");
  if (event == "begin") {
    Begin(value);
  } else if (event == "begin_case") {
    BeginCase(StringField(value, "name"));
    if (progress) progress(*report_.unfinished_case, false);
  } else if (event == "end_case") {
    EndCase(FromJson<CaseResult>(value));
    if (progress) progress(report_.cases.back().name, true);
  } else if (event == "launch") {
    report_.launches.push_back(FromJson<CaseLaunch>(value));
  } else if (event == "counted") {
    Counted(UnsignedField(value, "launch"), FromJson<LaunchRecord>(Field(value, "record")));
  } else if (event == "finding") {
    report_.findings.push_back(FromJson<CaseFinding>(value));
  } else if (event == "approximation") {
    report_.approximations.push_back(FromJson<CaseApproximation>(value));
  } else if (event == "timeline") {
    report_.timelines.push_back(FromJson<CaseTimeline>(value));
    Check(report_.timelines.back());
  } else if (event == "promise") {
    report_.promises.push_back(FromJson<PromiseResult>(value));
  } else if (event == "experiments") {
    report_.experiments = FromJson<Experiments>(value);
  } else if (event == "reason") {
    report_.reason = FromJson<CaseReason>(value);
  } else if (event == "device_output") {
    AppendBounded(report_.device_output, StringField(value, "text"));
  } else if (event == "host_output") {
    AppendBounded(report_.host_output, StringField(value, "text"));
  } else {
    throw std::runtime_error(fmt::format("unknown event \"{}\"", event));
  }
}

void ResultsReader::Begin(const json& value) {
  const std::tuple begun{StringField(value, "device"), StringField(value, "device_name"),
                         UnsignedField(value, "seed")};
  auto known = std::tie(report_.device, report_.device_name, report_.seed);
  if (begun_ && known != begun) {
    throw std::runtime_error("a second \"begin\" with another device or seed");
  }
  known = begun;
  begun_ = true;
  first_launch_ = report_.launches.size();
}

void ResultsReader::Counted(std::uint64_t launch, LaunchRecord record) {
  if (launch >= report_.launches.size() - first_launch_) {
    throw std::runtime_error(fmt::format("launch {} was counted and never made", launch));
  }
  report_.launches[first_launch_ + launch].record = std::move(record);
}

void ResultsReader::BeginCase(std::string name) {
  if (report_.unfinished_case) {
    throw std::runtime_error(
        fmt::format("case {} begins before {} ended", name, *report_.unfinished_case));
  }
  report_.unfinished_case = std::move(name);
}

void ResultsReader::EndCase(CaseResult result) {
  if (report_.unfinished_case != result.name) {
    throw std::runtime_error(fmt::format("case {} ends and had not begun", result.name));
  }
  if (result.verdict != Verdict::kPassed && result.complaints.empty()) {
    throw std::runtime_error(fmt::format("case {} is lost without a complaint", result.name));
  }
  for (const Complaint& complaint : result.complaints) Check(complaint, result.name);
  report_.unfinished_case.reset();
  report_.cases.push_back(std::move(result));
}

Result<ChecksReport> ResultsReader::Take() {
  if (failure_) return Fail(*failure_);
  if (!read_) return Fail(read_.error());
  return std::move(report_);
}

Result<ChecksReport> ReadResults(const std::filesystem::path& path) {
  ResultsReader reader(path);
  reader.Read();
  return reader.Take();
}

}  // namespace warpcheck
