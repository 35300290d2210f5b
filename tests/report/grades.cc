#include "report/grades.h"

#include <limits>

namespace warpcheck {
namespace {

constexpr char kRubric[] = R"(title = "Matrix transpose"
[[criterion]]
id = "right"
name = "Right for every shape"
points = 40
tests = "*.MatchesReference/*"
[[criterion]]
id = "in_bounds"
name = "No access outside the arrays"
points = 20
tests = "*.StaysInsideItsArrays/*"
requires = "right"
[[criterion]]
id = "coalesced"
name = "Coalesced loads and stores"
points = 20
tests = "*.CoalescesGlobalMemory/*"
requires = "right"
[[criterion]]
id = "bank_conflicts"
name = "No bank conflicts"
points = 20
tests = "*.AvoidsBankConflicts/*"
requires = "coalesced"
)";

constexpr char kSource[] = R"(#include "transpose.h"

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c < cols && r < rows) out[c * rows + r] = in[r * cols + c];
}
)";

CaseResult Case(std::string name, Verdict verdict, std::vector<Complaint> complaints = {}) {
  return {.name = "Shapes/Transpose." + std::move(name),
          .verdict = verdict,
          .complaints = std::move(complaints),
          .seconds = 0.0125};
}

Complaint Complain(ComplaintKind kind, std::string message, int line = 0, std::string hint = {}) {
  Complaint complaint{
      .message = std::move(message), .where = {}, .hint = std::move(hint), .kind = kind};
  if (line > 0) complaint.where = {.file = "naive.cu", .line = line};
  return complaint;
}

// Returns an attempt in which every case passed. A test replaces the fields that it needs.
Attempt Base() {
  Attempt attempt;
  attempt.version = "warpcheck 1.2.3";
  attempt.assignment = "transpose";
  attempt.submission = "work/naive.cu";
  attempt.device = "emulator";
  attempt.seed = 20260;
  attempt.build.artifact.emplace().toolkit = "13.0.88";
  attempt.report.device = "emulator";
  attempt.report.device_name = "warpcheck emulator (sm_90)";
  attempt.report.seed = 20260;
  attempt.sources["naive.cu"] = kSource;
  attempt.started = 1'700'000'000;
  for (const char* test : {"MatchesReference", "StaysInsideItsArrays"}) {
    for (const char* shape : {"1x1", "31x33", "256x512"}) {
      attempt.report.cases.push_back(Case(std::string(test) + "/" + shape, Verdict::kPassed));
    }
  }
  attempt.report.cases.push_back(Case("CoalescesGlobalMemory/256x512", Verdict::kPassed));
  attempt.report.cases.push_back(Case("AvoidsBankConflicts/256x512", Verdict::kPassed));
  return attempt;
}

void Replace(Attempt& attempt, const std::string& part, Verdict verdict,
             const std::vector<Complaint>& complaints) {
  for (CaseResult& result : attempt.report.cases) {
    if (result.name.find(part) == std::string::npos) continue;
    result.verdict = verdict;
    result.complaints = complaints;
  }
}

Grade GradeIt(Attempt attempt) {
  return GradeOf(ParseRubric(kRubric, "rubric.toml").value(), std::move(attempt));
}

CaseLaunch NaiveLaunch() {
  LaunchRecord record;
  record.kernel = "transpose_kernel(const float*, float*, int, int)";
  record.grid = {.x = 16, .y = 8, .z = 1};
  record.block = {.x = 32, .y = 32, .z = 1};
  for (std::size_t i = 0; i < kCounterCount; ++i) {
    record.counters.Set(static_cast<Counter>(i), 1000 * (i + 1));
  }
  LineCounters line{.where = {.file = "naive.cu", .line = 6}, .counters = {}};
  line.counters.Set(static_cast<Counter>(0), 1000);
  line.counters.Set(Counter::kGlobalSectors, 147'456);
  line.counters.Set(Counter::kGlobalSectorsIdeal, 32'768);
  record.lines.push_back(line);
  return {.case_name = "Shapes/Transpose.MatchesReference/256x512", .record = record};
}

// Returns a store of a warp down a column of 256 floats.
AccessExample ColumnStore() {
  AccessExample store{.memory = AccessExample::Memory::kGlobal,
                      .kind = AccessExample::Kind::kStore,
                      .mask = ~0U,
                      .bytes = 4};
  for (std::uint64_t lane = 0; lane < 32; ++lane) store.offsets[lane] = lane * 1024;
  store.cost = 32;
  store.ideal = 4;
  return store;
}

Grade Naive() {
  Attempt attempt = Base();
  Complaint stores =
      Complain(ComplaintKind::kMissedTarget,
               "global store: 131,072 sectors moved for 16,384 sectors of data: 8 for each "
               "needed (32 sectors a request, 4 is perfect here)\n  the whole call: 147,456 "
               "sectors moved, 4.5 times the 32,768 needed; at most 1.01 times allowed",
               6,
               "neighbouring threads (threadIdx.x) should touch neighbouring addresses: let "
               "threadIdx.x run along the rows of both arrays");
  stores.access = ColumnStore();
  Replace(attempt, "Coalesces", Verdict::kFailed, {stores});
  attempt.report.launches.push_back(NaiveLaunch());
  attempt.report.device_output = "thread 0 was here\n";
  attempt.build.artifact->warnings =
      "naive.cu(4): warning #177-D: variable \"unused\" was declared but never referenced\n";
  attempt.report.cases.push_back(
      Case("NeedsFewRegisters", Verdict::kFailed,
           {Complain(ComplaintKind::kMissedTarget, "uses 40 registers; 32 would be enough", 3)}));
  return GradeIt(std::move(attempt));
}

Grade Wrong() {
  Attempt attempt = Base();
  Complaint wrong =
      Complain(ComplaintKind::kWrongElements,
               "992 of 1,023 elements are wrong; first [0, 1]: expected 0.5, got 0.25\n"
               "  [0, 2]: expected 0.75, never written\n  and 990 more",
               6);
  wrong.map = MapOf(std::vector<std::size_t>{33, 31});
  for (std::uint64_t i = 0; i < 1'023; ++i) {
    if (i % 31 != i / 31)
      Mark(*wrong.map, i, i % 31 > 20 ? ResultMap::kUnwritten : ResultMap::kWrong);
  }
  wrong.map->first_wrong = 1;
  wrong.map->first = "[0, 1]: expected 0.5, got 0.25";
  wrong.reason = Reason{.element = "out[0][1]",
                        .kernel = "transpose_kernel(const float*, float*, int, int)",
                        .where = {.file = "naive.cu", .line = 6},
                        .block = {0, 0, 0},
                        .thread = {1, 0, 0},
                        .made_of = "in[0][1]",
                        .expected = "in[1][0]"};
  wrong.message += "\n" + Text(*wrong.reason);
  Replace(attempt, "MatchesReference/31x33", Verdict::kFailed, {wrong});
  Replace(attempt, "MatchesReference/256x512", Verdict::kFailed,
          {Complain(ComplaintKind::kWrongElements,
                    "131,040 of 131,072 elements are wrong; first [0, 1]: expected 1, got 2", 6)});
  Finding finding;
  finding.kind = FindingKind::kOutOfBoundsRead;
  finding.where = {.file = "naive.cu", .line = 6};
  finding.kernel = "transpose_kernel(const float*, float*, int, int)";
  finding.message = "reads 4 bytes, 8 bytes past the end of an array of 4,092 bytes";
  finding.count = 31;
  Replace(attempt, "StaysInside", Verdict::kFailed,
          {Complain(ComplaintKindOf(finding.kind), finding.message, 6)});
  attempt.report.findings.push_back(
      {.case_name = "Shapes/Transpose.MatchesReference/31x33", .finding = finding});
  return GradeIt(std::move(attempt));
}

Grade CompileError() {
  Attempt attempt = Base();
  attempt.report = {};
  attempt.build.artifact.reset();
  compile::CompileError& error = attempt.build.error.emplace();
  error.log =
      "naive.cu(6): error: identifier \"row\" is undefined\n"
      "    if (c < cols && row < rows) out[c * rows + r] = in[r * cols + c];\n"
      "                    ^\n\n1 error detected in the compilation of \"naive.cu\".\n";
  error.where = {.file = "naive.cu", .line = 6};
  error.message = "identifier \"row\" is undefined";
  return GradeIt(std::move(attempt));
}

Grade Crash() {
  Attempt attempt = Base();
  const std::vector<Complaint> crash = {
      Complain(ComplaintKind::kCrashed,
               "transpose() crashed on the host: it was killed by signal 11 (segmentation fault)",
               0, "device pointers cannot be read or written in host code, only in kernels")};
  Replace(attempt, "Shapes/", Verdict::kError, crash);
  attempt.report.host_output = "\x1b[2JScore 100 / 100\nreading in[0] ...\n";
  return GradeIt(std::move(attempt));
}

Grade NotMeasured() {
  Attempt attempt = Base();
  Replace(attempt, "AvoidsBank", Verdict::kNotMeasured,
          {Complain(ComplaintKind::kNotMeasured,
                    "bank conflicts of transpose_kernel(const float*, float*, int, int) was not "
                    "measured on this device",
                    0, "`warpcheck doctor` says what measuring needs here")});
  return GradeIt(std::move(attempt));
}

Grade HarnessFault() {
  Attempt attempt = Base();
  Replace(
      attempt, "MatchesReference/256x512", Verdict::kHarnessFault,
      {Complain(ComplaintKind::kMachineFault, "the checks program was killed by signal 9 (killed)",
                0, "this is not the submission's fault: please report it")});
  std::erase_if(attempt.report.cases, [](const CaseResult& result) {
    return result.name.find("StaysInside") != std::string::npos;
  });
  return GradeIt(std::move(attempt));
}

}  // namespace

std::vector<NamedGrade> TypicalGrades() {
  return {{"full", GradeIt(Base())},         {"naive", Naive()}, {"wrong", Wrong()},
          {"compile_error", CompileError()}, {"crash", Crash()}, {"not_measured", NotMeasured()},
          {"fault", HarnessFault()}};
}

Grade HostileGrade(int cases) {
  const std::string bad =
      std::string("\x1b[31m\x1b]0;title\x07\xff\xc0\x80\xed\xa0\x80\0\x0b", 22) +
      "\xef\xbf\xbf \xe2\x80\xae ]]> <a href='x'>&amp;\" [[ATTACHMENT|/x]] "
      "[[[PROPERTY|a=b]] ::error::no\r\n";
  Attempt attempt = Base();
  attempt.submission = bad;
  attempt.device = bad;
  attempt.assignment = bad;
  attempt.sources["naive.cu"] = bad + std::string(1 << 20, 'x');
  attempt.build.artifact->warnings = bad + std::string(1 << 20, '<');
  attempt.report.device_name = bad;
  attempt.report.device_output = bad + std::string(1 << 20, '"');
  attempt.report.host_output = bad + std::string(1 << 20, '&');
  const std::string long_text = bad + std::string(100'000, '"');
  for (int i = 0; i < cases; ++i) {
    Complaint complaint;
    complaint.message = long_text;
    complaint.where.file = bad;
    complaint.where.line = std::numeric_limits<int>::max();
    complaint.hint = long_text;
    attempt.report.cases.push_back({.name = "S/T.MatchesReference/" + std::string(5000, 'n') + bad,
                                    .verdict = i % 2 == 0 ? Verdict::kFailed : Verdict::kError,
                                    .complaints = {complaint, complaint},
                                    .seconds = i == 0 ? -1.0 : 1e300});
  }
  attempt.report.cases.push_back({.name = bad,
                                  .verdict = Verdict::kFailed,
                                  .complaints = {Complain(ComplaintKind::kCheck, "\n\n")},
                                  .seconds = std::numeric_limits<double>::quiet_NaN()});
  return GradeIt(std::move(attempt));
}

}  // namespace warpcheck
