// Measures how long a warp takes to load from constant memory, by the number of different addresses
// that its lanes read. The law of the emulator says: a pass for each (docs/counters.md).
//
//   nvcc -std=c++17 -O3 -arch=native constant_memory.cu -o constant_memory && ./constant_memory
//
// It prints a table, a line for each pattern, with the cycles of a load and the passes that follow
// from them; and how many patterns have as many passes as addresses. The loads depend on each
// other: each gives the index of the next, as in a list. The time of a load is then a constant and
// a time for each pass. Patterns of neighbours with 1 and with all addresses give both, because
// they miss no cache.
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kBytes = 32'768;  // of the table; constant memory has 65,536
constexpr int kLoads = 512;     // of each measurement, after one that fills the caches

// Element i holds i, so that a lane reads the same element again and again.
template <class T>
struct Table {
  static constexpr int kElements = kBytes / static_cast<int>(sizeof(T));
};
__constant__ unsigned words[Table<unsigned>::kElements];
__constant__ unsigned long long doubles[Table<unsigned long long>::kElements];

template <class T>
__device__ T Element(T index) {
  if constexpr (sizeof(T) == 4) {
    return words[index];
  } else {
    return doubles[index];
  }
}

template <class T>
__global__ void load(const T* first, const bool* active, long long* cycles, T* last) {
  const int lane = static_cast<int>(threadIdx.x);
  T index = first[lane];
  if (!active[lane]) return;
  for (int i = 0; i < kLoads; ++i) index = Element(index);
  const long long begin = clock64();
#pragma unroll 8
  for (int i = 0; i < kLoads; ++i) index = Element(index);
  const long long end = clock64();
  last[lane] = index;
  cycles[lane] = end - begin;
}

// All lanes have one address, in a register that is the same for the warp.
template <class T>
__global__ void load_uniform(T first, long long* cycles, T* last) {
  T index = first;
  for (int i = 0; i < kLoads; ++i) index = Element(index);
  const long long begin = clock64();
#pragma unroll 8
  for (int i = 0; i < kLoads; ++i) index = Element(index);
  const long long end = clock64();
  if (threadIdx.x == 0) {
    *last = index;
    *cycles = end - begin;
  }
}

int failures = 0;

void Check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(error));
  ++failures;
}

// The lanes that take part: the whole warp, its first half, and every second lane.
struct Lanes {
  const char* name;
  unsigned mask;
};
constexpr Lanes kLanes[] = {{"all", 0xFFFFFFFFU}, {"half", 0x0000FFFFU}, {"even", 0x55555555U}};
// The distance of different elements in bytes: neighbours, one cache line of 64 bytes, and more.
constexpr int kDistances[] = {0, 64, 256};

// Launches the kernel and returns the cycles of one load: the median of nine launches.
template <class T>
double CyclesOf(int addresses, int distance, unsigned mask) {
  std::vector<T> first(32);
  bool active[32];
  int next = 0;
  for (int lane = 0; lane < 32; ++lane) {
    active[lane] = (mask >> lane & 1U) != 0;
    first[lane] = static_cast<T>(next % addresses * distance / static_cast<int>(sizeof(T)));
    if (active[lane]) ++next;
  }
  T* device_first = nullptr;
  T* last = nullptr;
  bool* device_active = nullptr;
  long long* cycles = nullptr;
  Check(cudaMalloc(&device_first, 32 * sizeof(T)), "cudaMalloc");
  Check(cudaMalloc(&last, 32 * sizeof(T)), "cudaMalloc");
  Check(cudaMalloc(&device_active, sizeof active), "cudaMalloc");
  Check(cudaMalloc(&cycles, 32 * sizeof(long long)), "cudaMalloc");
  Check(cudaMemset(cycles, 0, 32 * sizeof(long long)), "cudaMemset");
  Check(cudaMemcpy(device_first, first.data(), 32 * sizeof(T), cudaMemcpyHostToDevice),
        "cudaMemcpy");
  Check(cudaMemcpy(device_active, active, sizeof active, cudaMemcpyHostToDevice), "cudaMemcpy");
  std::vector<double> runs;
  for (int run = 0; run < 9; ++run) {
    load<T><<<1, 32>>>(device_first, device_active, cycles, last);
    Check(cudaGetLastError(), "launch");
    long long of_lanes[32] = {};
    Check(cudaMemcpy(of_lanes, cycles, sizeof of_lanes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    long long most = 0;
    for (const long long one : of_lanes) most = one > most ? one : most;
    runs.push_back(static_cast<double>(most) / kLoads);
  }
  std::vector<T> read(32);
  Check(cudaMemcpy(read.data(), last, 32 * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
  for (int lane = 0; lane < 32; ++lane) {
    if (active[lane] && read[lane] != first[lane]) {
      std::printf("lane %d read a wrong element\n", lane);
      ++failures;
    }
  }
  for (void* memory : {(void*)device_first, (void*)last, (void*)device_active, (void*)cycles}) {
    Check(cudaFree(memory), "cudaFree");
  }
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = i + 1; j < runs.size(); ++j) {
      if (runs[j] < runs[i]) std::swap(runs[i], runs[j]);
    }
  }
  return runs[4];
}

struct Agreement {
  int patterns = 0, agree = 0;
};

template <class T>
void Measure(Agreement& agreement) {
  for (const Lanes& lanes : kLanes) {
    int count = 0;
    for (unsigned mask = lanes.mask; mask != 0; mask &= mask - 1) ++count;
    double pass = 0;  // the cycles of a pass
    for (const int step : kDistances) {
      const int distance = step == 0 ? static_cast<int>(sizeof(T)) : step;
      std::vector<double> cycles;
      for (int m = 1; m <= count; ++m) cycles.push_back(CyclesOf<T>(m, distance, lanes.mask));
      if (step == 0) pass = (cycles.back() - cycles.front()) / (count - 1);
      for (int m = 1; m <= count; ++m) {
        const double passes = pass > 0 ? 1 + (cycles[m - 1] - cycles[0]) / pass : 0;
        const bool agrees = std::lround(passes) == m;
        ++agreement.patterns;
        agreement.agree += agrees ? 1 : 0;
        std::printf("%zu,%s,%d,%d,%.2f,%.2f%s\n", sizeof(T), lanes.name, distance, m, cycles[m - 1],
                    passes, agrees ? "" : ",differs");
      }
    }
  }
}

template <class T>
void MeasureUniform() {
  long long* cycles = nullptr;
  T* last = nullptr;
  Check(cudaMalloc(&cycles, sizeof *cycles), "cudaMalloc");
  Check(cudaMalloc(&last, sizeof *last), "cudaMalloc");
  load_uniform<T><<<1, 32>>>(5, cycles, last);
  Check(cudaGetLastError(), "launch");
  long long of_warp = 0;
  Check(cudaMemcpy(&of_warp, cycles, sizeof of_warp, cudaMemcpyDeviceToHost), "cudaMemcpy");
  std::printf("%zu,uniform,0,1,%.2f,\n", sizeof(T), static_cast<double>(of_warp) / kLoads);
  Check(cudaFree(cycles), "cudaFree");
  Check(cudaFree(last), "cudaFree");
}

int main() {
  std::vector<unsigned> narrow(Table<unsigned>::kElements);
  std::vector<unsigned long long> wide(Table<unsigned long long>::kElements);
  for (std::size_t i = 0; i < narrow.size(); ++i) narrow[i] = static_cast<unsigned>(i);
  for (std::size_t i = 0; i < wide.size(); ++i) wide[i] = i;
  Check(cudaMemcpyToSymbol(words, narrow.data(), kBytes), "cudaMemcpyToSymbol");
  Check(cudaMemcpyToSymbol(doubles, wide.data(), kBytes), "cudaMemcpyToSymbol");
  cudaDeviceProp device{};
  Check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  if (failures != 0) return 1;
  std::printf("# %s\n# bytes,lanes,distance,addresses,cycles of a load,passes\n", device.name);
  MeasureUniform<unsigned>();
  MeasureUniform<unsigned long long>();
  Agreement agreement;
  Measure<unsigned>(agreement);
  Measure<unsigned long long>(agreement);
  std::printf("# a pass for each address: %d of %d patterns agree\n", agreement.agree,
              agreement.patterns);
  return failures == 0 ? 0 : 1;
}
