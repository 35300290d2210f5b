// score: 100
// Each kernel may begin before the one before it has ended, and waits for it before it uses memory.
#include "scan.h"

namespace {

constexpr int kWarp = 32;       // the lanes of a warp
constexpr int kThreads = 256;   // of a block
constexpr int kSegment = 1024;  // numbers of a warp, a multiple of kWarp

// Launches a kernel that may begin while the kernel before it still runs.
template <class Kernel, class... Arguments>
void LaunchNext(Kernel kernel, dim3 grid, dim3 block, Arguments... arguments) {
  cudaLaunchAttribute next = {};
  next.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  next.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.attrs = &next;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, kernel, arguments...);
}

__device__ int Lane() { return static_cast<int>(threadIdx.x) % kWarp; }
__device__ size_t Segment() {
  return (static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x) / kWarp;
}

__global__ void AddUpSegments(const int* in, int* sums, int n) {
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
  const size_t first = Segment() * kSegment;
  if (first >= n) return;  // this is the same for all lanes of a warp

  int sum = 0;
  for (size_t i = first + Lane(); i < n && i < first + kSegment; i += kWarp) sum += in[i];
  // Lane i adds the sum of lane i + 16, then of i + 8, ...: lane 0 ends with all of them.
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xFFFFFFFF, sum, distance);
  }
  if (Lane() == 0) sums[Segment()] = sum;
}

// before[s] is the sum of all segments before segment s. It is null if there is one segment.
__global__ void ScanSegments(const int* in, const int* before, int* out, int n) {
  cudaGridDependencySynchronize();
  const size_t first = Segment() * kSegment;
  if (first >= n) return;

  int sum_before = before == nullptr ? 0 : before[Segment()];
  // All lanes make equally many steps, because they need each other.
  for (size_t step = first; step < n && step < first + kSegment; step += kWarp) {
    const size_t i = step + Lane();
    const int number = i < n ? in[i] : 0;
    // Lane i adds the sum of lane i - 1, then of i - 2, of i - 4, ...: in the end every lane has
    // the sum of its own number and of those in all lanes before it.
    int sum = number;
    for (int distance = 1; distance < kWarp; distance *= 2) {
      const int left = __shfl_up_sync(0xFFFFFFFF, sum, distance);
      if (Lane() >= distance) sum += left;
    }
    if (i < n) out[i] = sum_before + sum - number;
    sum_before += __shfl_sync(0xFFFFFFFF, sum, kWarp - 1);
  }
}

}  // namespace

void exclusive_scan(const int* in, int* out, int n) {
  const int segments = (n - 1) / kSegment + 1;
  const int blocks = (segments - 1) / (kThreads / kWarp) + 1;
  int* sums = nullptr;
  if (segments > 1) {
    cudaMallocAsync(&sums, segments * sizeof(int), nullptr);
    LaunchNext(AddUpSegments, blocks, kThreads, in, sums, n);
    // Each number is loaded before its result is stored, by the same thread, so that one array is
    // enough.
    exclusive_scan(sums, sums, segments);
  }
  LaunchNext(ScanSegments, blocks, kThreads, in, static_cast<const int*>(sums), out, n);
  if (segments > 1) cudaFreeAsync(sums, nullptr);
}
