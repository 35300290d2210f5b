#include "report/pages.h"

#include <algorithm>
#include <utility>

#include "report/grades.h"

namespace warpcheck {

namespace {

constexpr char kTiled[] = R"(// Transposes by tiles of 32 x 32 in shared memory.
#include <cuda_runtime.h>
#define TILE 32

/* The tile has no padding: a column of it
   lies in one bank. */
__global__ void transpose_tiled(const float* __restrict__ in, float* out, int rows, int cols) {
  __shared__ float tile[TILE][TILE];
  const int col = blockIdx.x * TILE + threadIdx.x;
  for (int i = threadIdx.y; i < TILE; i += blockDim.y) {
    const int row = blockIdx.y * TILE + i;
    if (row < rows && col < cols) tile[i][threadIdx.x] = in[static_cast<long long>(row) * cols + col];
  }
  __syncthreads();
  for (int i = threadIdx.y; i < TILE; i += blockDim.y) {
    const int row = blockIdx.x * TILE + i, column = blockIdx.y * TILE + threadIdx.x;
    if (row < cols && column < rows) out[static_cast<long long>(row) * rows + column] = tile[threadIdx.x][i];
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  const dim3 grid((cols + 31) / 32, (rows + 31) / 32), block(TILE, 8);
  if (rows < 0) printf("no such array: %d\n", rows);
  transpose_tiled<<<grid, block>>>(in, out, rows, cols);
}
)";

// Returns a map in which every `step`-th element is wrong, and the last of these was never
// written.
ResultMap MapWith(const std::vector<std::size_t>& extents, std::uint64_t step) {
  ResultMap map = MapOf(extents);
  std::uint64_t elements = 1;
  for (const std::size_t extent : extents) elements *= extent;
  for (std::uint64_t i = step; i < elements; i += step) {
    Mark(map, i, i > elements * 3 / 4 ? ResultMap::kUnwritten : ResultMap::kWrong);
  }
  map.first_wrong = std::min(step, elements - 1);
  map.first = "[1, 4]: of the frame, has to stay -0.015625, got nan (0x7fffffff)";
  return map;
}

AccessExample AccessWith(AccessExample::Memory memory, std::uint64_t step, std::uint32_t bytes,
                         std::uint64_t cost, std::uint64_t ideal, std::uint64_t first = 0) {
  AccessExample access{.memory = memory, .mask = ~0U, .bytes = bytes};
  for (std::uint64_t lane = 0; lane < 32; ++lane) access.offsets[lane] = first + lane * step;
  access.cost = cost;
  access.ideal = ideal;
  return access;
}

LineCounters Costs(int line, std::uint64_t sectors, std::uint64_t ideal_sectors,
                   std::uint64_t wavefronts, std::uint64_t ideal_wavefronts) {
  LineCounters costs{.where = {.file = "naive.cu", .line = line}, .counters = {}};
  costs.counters.Set(Counter::kGlobalSectors, sectors);
  costs.counters.Set(Counter::kGlobalSectorsIdeal, ideal_sectors);
  costs.counters.Set(Counter::kSharedWavefronts, wavefronts);
  costs.counters.Set(Counter::kSharedWavefrontsIdeal, ideal_wavefronts);
  return costs;
}

}  // namespace

Grade PicturedGrade() {
  Grade grade = TypicalGrades()[1].grade;
  grade.attempt.sources = {{"naive.cu", kTiled}};
  grade.attempt.report.launches.front().record.lines = {Costs(12, 40'960, 32'768, 4'096, 4'096),
                                                        Costs(17, 32'768, 32'768, 131'072, 4'096)};
  CriterionGrade& coalesced = grade.criteria[2];
  coalesced.cases.front().complaints.front().where.line = 17;
  const Complaint first = coalesced.cases.front().complaints.front();
  const auto add = [&](std::string message, auto change) {
    Complaint complaint = first;
    complaint.about = message;
    complaint.message = std::move(message);
    complaint.access.reset();
    change(complaint);
    coalesced.cases.front().complaints.push_back(std::move(complaint));
  };
  using MemoryKind = AccessExample::Memory;
  add("columns of shared memory", [](Complaint& complaint) {
    complaint.access = AccessWith(MemoryKind::kShared, 128, 4, 32, 1);
  });
  add("pairs of floats", [](Complaint& complaint) {
    complaint.access = AccessWith(MemoryKind::kShared, 24, 8, 4, 2);
  });
  add("a word further", [](Complaint& complaint) {
    complaint.access = AccessWith(MemoryKind::kGlobal, 4, 4, 5, 4, 4);
  });
  add("a line", [](Complaint& complaint) { complaint.map = MapWith({1000}, 7); });
  add("one element", [](Complaint& complaint) { complaint.map = MapWith({1}, 1); });
  add("a plate", [](Complaint& complaint) {
    complaint.map = MapWith({33, 48}, 52);
    complaint.map->inner = {{1, 31}, {1, 46}};
  });
  add("a large one", [](Complaint& complaint) { complaint.map = MapWith({4096, 8192}, 8191); });
  add("a box", [](Complaint& complaint) {
    complaint.map = MapWith({10, 20, 30}, 23);
    complaint.map->inner = {{2, 7}, {2, 17}, {2, 27}};
  });
  return grade;
}

std::string HostileText() {
  return "\"><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
         "</td></table></pre></style></title>--><svg onload=document.title='owned'>"
         "<a href=\"javascript:document.title='owned'\">x</a>"
         "<iframe src=\"http://127.0.0.1:9/\"></iframe><link rel=stylesheet href=//127.0.0.1:9/x>"
         "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>&#x3c;b&#x3e; "
         "\xe2\x80\xae"
         "txt.exe \xe2\x81\xa6 \x1b[31m \x08 \xff" +
         std::string(1, '\0') + std::string(400, 'W');
}

Grade HostilePageGrade() {
  const std::string bad = HostileText();
  Grade grade = TypicalGrades()[2].grade;
  Attempt& attempt = grade.attempt;
  attempt.submission = attempt.device_remark = attempt.report.device_name = bad;
  attempt.report.device_output = attempt.report.host_output = bad;
  attempt.build.artifact->warnings = bad;
  attempt.sources = {{"naive.cu", bad + "\n" + bad + "\n\n\n\n" + bad + "\n"}, {bad, bad}};
  for (CriterionGrade& criterion : grade.criteria) {
    for (CaseResult& result : criterion.cases) {
      result.name = bad;
      for (Complaint& complaint : result.complaints) {
        complaint.message = complaint.hint = bad;
        complaint.map = MapOf(std::vector<std::size_t>{3, 4, 5});
        Mark(*complaint.map, 7, ResultMap::kWrong);
        complaint.map->first = bad;
        complaint.map->inner = {{1, 1}, {1, 2}, {1, 3}};
      }
    }
  }
  for (CaseFinding& finding : attempt.report.findings) finding.finding.message = bad;
  order::Timeline timeline;
  timeline.streams = {bad};
  timeline.operations = {
      {.step = 1, .what = bad, .where = {bad, 1, 0}, .count = 2, .waits_for = {bad, bad}}};
  timeline.waits = {{.step = 1, .what = bad, .where = {bad, 1, 0}, .costs_overlap = true}};
  timeline.costs = {{.message = bad, .where = {"naive.cu", 1, 0}, .hint = bad}};
  timeline.left_out = 7;
  attempt.report.timelines = {{bad, timeline}};
  return grade;
}

std::vector<run::ProcessResult> PicturedRun(const std::string& text) {
  run::ProcessResult process;
  run::LaunchGroup group;
  group.launches = 3;
  group.sum.kernel = text;
  group.sum.grid = {8, 8, 1};
  group.sum.block = {32, 32, 1};
  group.sum.shared_bytes = 4096;
  group.sum.lines = {Costs(12, 8'192, 4'096, 0, 0), Costs(17, 4'096, 4'096, 131'072, 4'096)};
  for (LineCounters& line : group.sum.lines) {
    line.where.file = text;
    group.sum.counters += line.counters;
  }
  Finding finding;
  finding.kind = FindingKind::kOutOfBoundsRead;
  finding.where = {.file = text, .line = 12};
  finding.kernel = finding.message = text;
  finding.count = 32;
  finding.thread.emplace();
  group.sum.findings = {finding};
  process.launches = {std::move(group)};
  process.unfinished = run::UnfinishedLaunch{.kernel = text, .grid = {}, .block = {}};
  process.not_shown = 7;
  run::AccessSample sample;
  static_cast<AccessExample&>(sample) = AccessWith(AccessExample::Memory::kShared, 128, 4, 32, 1);
  sample.where = {.file = text, .line = 17};
  sample.kernel = sample.instruction = text;
  sample.requests = sample.as_bad = 32;
  process.samples = {sample};
  order::Timeline timeline;
  timeline.streams = {text};
  timeline.operations = {{.step = 1, .what = text, .where = {text, 1, 0}}};
  process.timeline = std::move(timeline);
  run::ProcessResult other = process;
  other.process = 1;
  return {std::move(process), std::move(other)};
}

}  // namespace warpcheck
