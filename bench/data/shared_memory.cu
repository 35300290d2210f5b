// Measures launches of a kernel beside memory that host and device share and that it does not use.
// Usage: shared_memory <none|pinned|managed|registered> <MiB> <launches>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

__global__ void Add(int* numbers) { numbers[threadIdx.x] += 1; }

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string kind = argv[1];
  const std::size_t bytes = std::strtoull(argv[2], nullptr, 10) << 20;
  const int launches = std::atoi(argv[3]);
  char* shared = nullptr;
  if (kind == "pinned") cudaMallocHost(&shared, bytes);
  if (kind == "managed") cudaMallocManaged(&shared, bytes);
  if (kind == "registered") {
    shared = static_cast<char*>(std::malloc(bytes));
    cudaHostRegister(shared, bytes, cudaHostRegisterMapped);
  }
  if (shared != nullptr) std::memset(shared, 1, bytes);
  int* numbers = nullptr;
  cudaMalloc(&numbers, 32 * sizeof(int));
  cudaMemset(numbers, 0, 32 * sizeof(int));
  Add<<<1, 32>>>(numbers);
  cudaDeviceSynchronize();
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < launches; ++i) Add<<<1, 32>>>(numbers);
  const cudaError_t error = cudaDeviceSynchronize();
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  std::printf("%.2f us a launch\n", took.count() / launches);
  return error != cudaSuccess;
}
