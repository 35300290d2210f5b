// This submission does what the tests request, both right and wrong.
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <vector>

__global__ void Kernel(float* out) { out[threadIdx.x] = 1; }

void Launch(float* out) { Kernel<<<1, 32>>>(out); }

// Throws unless every argument is what the test passes.
void Mixed(float a, double b, int c, char d, bool e, std::int64_t f, unsigned g, std::uint64_t h,
           const int* array, float* pointer, double i, double j, double k, double l, double m,
           double n, double o, float p) {
  const bool right = a == 1.5f && b == 2.5 && c == -3 && d == 'x' && e && f == -7 && g == 9u &&
                     h == ~std::uint64_t{0} && array[0] == 1 && array[1] == 42 &&
                     pointer == nullptr && i == 1 && j == 2 && k == 3 && l == 4 && m == 5 &&
                     n == 6 && o == 7 && p == 8.5f;
  if (!right) throw std::runtime_error("an argument is wrong");
}

struct Point {
  float x, y, z;
};
struct Range {
  std::int16_t low, high;
  double step;
};
struct Matrix {
  float elements[3][3];
  char name;
};

// Throws unless every argument is what the test passes.
void Narrow(signed char a, unsigned char b, short c, unsigned short d, Point e, Range f, Matrix g,
            double h, Point i, int j, Matrix k) {
  const bool right = a == -1 && b == 255 && c == -2 && d == 65'534 && e.x == 1 && e.y == 2 &&
                     e.z == 3 && f.low == -4 && f.high == 5 && f.step == 0.5 &&
                     g.elements[2][1] == 7.5f && g.name == 'g' && h == 8 && i.z == 9 && j == 10 &&
                     k.name == 'k';
  if (!right) throw std::runtime_error("an argument is wrong");
}

// Writes to arrays in host memory of every kind. Throws unless they are of these kinds.
void Doubled(const int* in, int* pageable, int* pinned, int* managed) {
  const auto kind = [](const void* pointer) {
    cudaPointerAttributes attributes{};
    if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) return -1;
    return static_cast<int>(attributes.type);
  };
  if (kind(pageable) != cudaMemoryTypeUnregistered || kind(pinned) != cudaMemoryTypeHost ||
      kind(managed) != cudaMemoryTypeManaged) {
    throw std::runtime_error("memory of another kind");
  }
  for (int* out : {pageable, pinned, managed}) {
    for (int i = 0; i < 3; ++i) out[i] += 2 * in[i];
  }
}

void RoundTrip(float* judges) {
  std::vector<char> from(5'000'000, 7), to(from.size());
  void* memory = nullptr;
  if (cudaMalloc(&memory, from.size()) != cudaSuccess ||
      cudaMemcpy(memory, from.data(), from.size(), cudaMemcpyHostToDevice) != cudaSuccess ||
      cudaMemcpy(to.data(), memory, to.size(), cudaMemcpyDeviceToHost) != cudaSuccess ||
      to != from || cudaFree(memory) != cudaSuccess) {
    throw std::runtime_error("the copy is wrong");
  }
  if (cudaFree(judges) == cudaSuccess) throw std::runtime_error("freed what is the judge's");
  (void)cudaGetLastError();
}

void Leak() {
  void* memory = nullptr;
  cudaMalloc(&memory, 1000);
}
void Unchecked() { cudaFree(reinterpret_cast<void*>(0x1234)); }
void Throws() { throw std::out_of_range("row 7"); }
void ThrowsInt() { throw 3; }
void Exits() { std::exit(0); }
void Aborts() { std::abort(); }
void ReadsDevice(float* device) { device[3] = 1; }
int Deep(const volatile int* above) {
  volatile int here[64];
  here[0] = *above;
  return Deep(here) + here[0];
}
void RunsOutOfStack() {
  const int first = 1;
  Deep(&first);
}
void ReadsBeyondAll() { *reinterpret_cast<volatile int*>(0x123456789000) = 1; }
void ReadsNull() { *static_cast<volatile int*>(nullptr) = 1; }
void Spins() {
  for (volatile int i = 0;;) i = i + 1;
}

void Add(float*, int) {}
namespace inner {
void Add(double*) {}
}  // namespace inner
template <class T>
void Scale(T*) {}
template void Scale<float>(float*);
