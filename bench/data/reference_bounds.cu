// This program runs the reference of each assignment at a large size, and beside it what bounds it:
// a copy of as many bytes as the result and its input have, or the function of NVIDIA's libraries
// that does the same (CUB, cuBLAS). It prints both times and their ratio (bench/gpu.sh). The two
// run in turn; each time is the median of kRuns runs after kWarmUps.
#include <cublas_v2.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/cub.cuh>
#include <functional>
#include <ostream>
#include <utility>
#include <vector>

// Each reference has names of its own.
namespace banks_reference {
#include "../../reference/banks.cu"
}
namespace cipher_reference {
#include "../../reference/cipher.cu"
}
namespace convolution_reference {
#include "../../reference/convolution.cu"
}
namespace heat2d_reference {
#include "../../reference/heat2d.cu"
}
namespace histogram_reference {
#include "../../reference/histogram.cu"
}
namespace jacobi_reference {
#include "../../reference/jacobi.cu"
}
namespace matmul_reference {
#include "../../reference/matmul.cu"
}
namespace overlap_reference {
#include "../../reference/overlap.cu"
}
namespace picture_reference {
#include "../../reference/picture.cu"
}
namespace reduce_reference {
#include "../../reference/reduce.cu"
}
namespace rotate_reference {
#include "../../reference/rotate.cu"
}
namespace row_sums_reference {
#include "../../reference/row_sums.cu"
}
namespace scan_reference {
#include "../../reference/scan.cu"
}
namespace stencil_reference {
#include "../../reference/stencil.cu"
}
namespace transpose_reference {
#include "../../reference/transpose.cu"
}
namespace wave3d_reference {
#include "../../reference/wave3d.cu"
}

namespace {

constexpr int kWarmUps = 3;
constexpr int kRuns = 21;

void Check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

void Check(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s\n", cublasGetStatusString(status));
  std::exit(1);
}

// An array of the device, whose bytes are all 0.
template <class T>
class Array {
 public:
  explicit Array(size_t count) {
    Check(cudaMalloc(&data_, sizeof(T) * count));
    Check(cudaMemset(data_, 0, sizeof(T) * count));
  }
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  operator T*() const { return data_; }

 private:
  T* data_ = nullptr;
};

float Milliseconds(cudaEvent_t begin, cudaEvent_t end, const std::function<void()>& work) {
  Check(cudaEventRecord(begin));
  work();
  Check(cudaEventRecord(end));
  Check(cudaEventSynchronize(end));
  float time = 0;
  Check(cudaEventElapsedTime(&time, begin, end));
  return time;
}

float MedianOf(std::vector<float> times) {
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

void Compare(const char* name, const char* size, const std::function<void()>& reference,
             const char* bound, const std::function<void()>& at_best) {
  cudaEvent_t begin, end;
  Check(cudaEventCreate(&begin));
  Check(cudaEventCreate(&end));
  std::vector<float> references, bounds;
  for (int i = 0; i < kWarmUps + kRuns; ++i) {
    const float best = Milliseconds(begin, end, at_best);
    const float time = Milliseconds(begin, end, reference);
    if (i < kWarmUps) continue;
    bounds.push_back(best);
    references.push_back(time);
  }
  Check(cudaGetLastError());
  Check(cudaEventDestroy(begin));
  Check(cudaEventDestroy(end));
  const float time = MedianOf(references), best = MedianOf(bounds);
  std::printf("%-28s %-26s %9.3f ms   %-22s %9.3f ms   %.2f\n", name, size, time, bound, best,
              best / time);
  std::fflush(stdout);
}

// Compares with `copies` copies of so many bytes within the device, each of which reads and writes
// them.
void CompareWithCopy(const char* name, const char* size, size_t bytes,
                     const std::function<void()>& reference, int copies = 1) {
  const Array<char> from(bytes), to(bytes);
  Compare(name, size, reference, copies == 1 ? "a copy" : "as many copies", [&] {
    for (int i = 0; i < copies; ++i) {
      Check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice));
    }
  });
}

// Runs a function of CUB, which first tells how much memory it needs.
template <class Call>
void CompareWithCub(const char* name, const char* size, const std::function<void()>& reference,
                    Call call) {
  size_t bytes = 0;
  Check(call(nullptr, bytes));
  const Array<char> room(bytes);
  Compare(name, size, reference, "CUB", [&] { Check(call(static_cast<char*>(room), bytes)); });
}

// The side of square matrices and pictures, and the length of arrays.
constexpr int kSide = 8192;
constexpr int kLength = 1 << 26;
constexpr size_t kCells = static_cast<size_t>(kSide) * kSide;

void Transposes() {
  const Array<double> in(kCells), out(kCells);
  void* const from = in;
  void* const to = out;
  CompareWithCopy("transpose", "8192 x 8192", sizeof(float) * kCells, [&] {
    transpose_reference::transpose(static_cast<float*>(from), static_cast<float*>(to), kSide,
                                   kSide);
  });
  CompareWithCopy("banks, chars", "8192 x 8192", kCells, [&] {
    banks_reference::transpose_chars(static_cast<char*>(from), static_cast<char*>(to), kSide,
                                     kSide);
  });
  CompareWithCopy("banks, shorts", "8192 x 8192", sizeof(short) * kCells, [&] {
    banks_reference::transpose_shorts(static_cast<short*>(from), static_cast<short*>(to), kSide,
                                      kSide);
  });
  CompareWithCopy("banks, doubles", "8192 x 8192", sizeof(double) * kCells, [&] {
    banks_reference::transpose_doubles(static_cast<double*>(from), static_cast<double*>(to), kSide,
                                       kSide);
  });
  CompareWithCopy("banks, complex", "8192 x 8192", 2 * sizeof(float) * kCells, [&] {
    float* const parts = static_cast<float*>(to);
    banks_reference::split_complex(static_cast<float*>(from), parts, parts + kCells, kSide, kSide);
  });
}

void Particles() {
  using banks_reference::Particle;
  using banks_reference::Point;
  const int n = kLength / 4;
  const Array<Point> points(n);
  const Array<float> masses(n), charges(n);
  const Array<Particle> particles(n);
  CompareWithCopy("banks, particles", "16 million", sizeof(Particle) * n,
                  [&] { banks_reference::join_particles(points, masses, charges, particles, n); });
}

void Letters() {
  const Array<int> text(kLength), table(cipher_reference::kMostLetters), out(kLength);
  constexpr int kRun = 32;
  for (const int letters : {26, 2048}) {
    std::vector<int> host(kLength);
    for (int i = 0; i < kLength; ++i) host[i] = i / kRun * 7 % letters;
    Check(cudaMemcpy(text, host.data(), sizeof(int) * kLength, cudaMemcpyHostToDevice));
    CompareWithCopy(letters == 26 ? "cipher, 26 letters" : "cipher, 2048 letters",
                    "64 million, in runs of 32", sizeof(int) * kLength, [&] {
                      cipher_reference::substitute(text, table, out, kLength, letters, kRun);
                    });
  }
}

void Pictures() {
  const Array<float> in(kCells), out(kCells), mask(15 * 15);
  const size_t bytes = sizeof(float) * kCells;
  CompareWithCopy("picture", "8192 x 8192", bytes,
                  [&] { picture_reference::scale_picture(in, out, kSide, kSide); });
  CompareWithCopy("rotate, by 30 degrees", "8192 x 8192", bytes,
                  [&] { rotate_reference::rotate(in, out, kSide, kSide, 0.8660254f, 0.5f); });
  CompareWithCopy("rotate, shift", "8192 x 8192", bytes,
                  [&] { rotate_reference::shift_copy(in, out, kSide, kSide, 5, 3); });
  CompareWithCopy("convolution, 3 x 3", "8192 x 8192", bytes,
                  [&] { convolution_reference::convolution(in, mask, out, kSide, kSide, 1); });
  CompareWithCopy("convolution, 15 x 15", "8192 x 8192", bytes,
                  [&] { convolution_reference::convolution(in, mask, out, kSide, kSide, 7); });
}

void Grids() {
  constexpr int kOrder = 8;
  const int gx = kSide + kOrder;
  const size_t cells = static_cast<size_t>(gx) * gx;
  const Array<float> a(cells), b(cells);
  CompareWithCopy("heat2d, global", "8192 x 8192, order 8", sizeof(float) * cells, [&] {
    heat2d_reference::heat_global(a, b, gx, kSide, kSide, kOrder, 0.1f, 0.1f);
  });
  CompareWithCopy("heat2d, shared", "8192 x 8192, order 8", sizeof(float) * cells, [&] {
    heat2d_reference::heat_shared(a, b, gx, kSide, kSide, kOrder, 0.1f, 0.1f);
  });

  // All points are 0 but one, which spreads, so that every iteration changes something.
  constexpr int kIterations = 50;
  const float hot = 1e30f;
  int iterations = 0;
  Check(cudaMemcpy(a + kSide * size_t{1000} + 1000, &hot, sizeof hot, cudaMemcpyHostToDevice));
  CompareWithCopy(
      "jacobi, 50 iterations", "8192 x 8192", sizeof(float) * kCells,
      [&] { jacobi_reference::jacobi(a, kSide, kSide, 0, kIterations, &iterations); }, kIterations);
  if (iterations != kIterations) std::printf("jacobi made %d iterations only\n", iterations);
}

void Waves() {
  constexpr int kN = 512;
  constexpr size_t kAll = static_cast<size_t>(kN) * kN * kN;
  const Array<float> next(kAll), curr(kAll), prev(kAll), vsq(kAll);
  const float c[] = {-2.8f, 1.6f, -0.2f, 0.025f, -0.0018f};
  // It reads three grids and writes one.
  CompareWithCopy("wave3d", "512 x 512 x 512", 2 * sizeof(float) * kAll,
                  [&] { wave3d_reference::wave3d_step(next, curr, prev, vsq, kN, kN, kN, c); });
}

void Arrays() {
  const Array<float> in(kLength), out(kLength);
  CompareWithCopy("stencil", "64 million", sizeof(float) * kLength,
                  [&] { stencil_reference::stencil(in, out, kLength); });
  CompareWithCub(
      "reduce", "64 million", [&] { reduce_reference::reduce_sum(in, out, kLength); },
      [&](void* room, size_t& bytes) {
        return cub::DeviceReduce::Sum(room, bytes, static_cast<float*>(in),
                                      static_cast<float*>(out), kLength);
      });
  CompareWithCub(
      "row_sums", "8192 x 8192", [&] { row_sums_reference::row_sums(in, out, kSide, kSide); },
      [&](void* room, size_t& bytes) {
        return cub::DeviceReduce::Sum(room, bytes, static_cast<float*>(in),
                                      static_cast<float*>(out), kSide * kSide);
      });
  const Array<int> numbers(kLength), sums(kLength);
  CompareWithCub(
      "scan", "64 million", [&] { scan_reference::exclusive_scan(numbers, sums, kLength); },
      [&](void* room, size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(room, bytes, static_cast<int*>(numbers),
                                             static_cast<int*>(sums), kLength);
      });
}

void Histograms() {
  constexpr int kBytes = 1 << 28;
  const Array<unsigned char> bytes(kBytes);
  const Array<unsigned> bins(histogram_reference::kBins);
  const auto compare = [&](const char* what) {
    CompareWithCub(
        what, "256 million", [&] { histogram_reference::histogram(bytes, bins, kBytes); },
        [&](void* room, size_t& needed) {
          return cub::DeviceHistogram::HistogramEven(
              room, needed, static_cast<unsigned char*>(bytes), static_cast<unsigned*>(bins),
              histogram_reference::kBins + 1, 0, histogram_reference::kBins, kBytes);
        });
  };
  compare("histogram, equal bytes");
  std::vector<unsigned char> host(kBytes);
  unsigned state = 1;
  for (unsigned char& byte : host) {
    state = state * 1664525u + 1013904223u;  // Numerical Recipes' generator
    byte = static_cast<unsigned char>(state >> 24);
  }
  Check(cudaMemcpy(bytes, host.data(), host.size(), cudaMemcpyHostToDevice));
  compare("histogram, random bytes");
}

void Products() {
  constexpr int kN = 4096;
  const Array<float> a(kN * kN), b(kN * kN), c(kN * kN);
  cublasHandle_t handle = nullptr;
  Check(cublasCreate(&handle));
  const float one = 1, zero = 0;
  Compare(
      "matmul", "4096 x 4096", [&] { matmul_reference::matmul(a, b, c, kN, kN, kN); }, "cuBLAS",
      [&] {
        Check(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, kN, kN, kN, &one, b, kN, a, kN, &zero,
                          c, kN));
      });
  Check(cublasDestroy(handle));
}

// The input is in pageable memory, from where the host copies it to pinned memory.
void Pieces() {
  const std::vector<float> in(kLength, 1);
  const Array<float> out(kLength), staged(kLength);
  float* pinned = nullptr;
  Check(cudaMallocHost(&pinned, sizeof(float) * kLength));
  Compare(
      "overlap", "64 million", [&] { overlap_reference::smooth(in.data(), out, kLength); },
      "a copy of pinned memory",
      [&] {
        Check(cudaMemcpyAsync(staged, pinned, sizeof(float) * kLength, cudaMemcpyHostToDevice));
      });
  Check(cudaFreeHost(pinned));
}

}  // namespace

int main() {
  std::printf("%-28s %-26s %12s   %-22s %12s   %s\n", "reference", "size", "time", "bound", "time",
              "share");
  Transposes();
  Particles();
  Letters();
  Pictures();
  Grids();
  Waves();
  Arrays();
  Histograms();
  Products();
  Pieces();
}
