// This program tests what kernels print: formats, the order of lanes and blocks, and when the text
// appears.
#include "check.h"

__global__ void Formats() {
  printf("%d %5d|%-5d|%05d %i %+d\n", -7, 42, 42, 42, 2147483647, 3);
  printf("%u %x %X %#x %o\n", 4294967295u, 48879u, 48879u, 255u, 8u);
  printf("%lld %llu %llx %ld\n", -9007199254740993ll, 18446744073709551615ull, 1ull << 40, 77l);
  printf("%f %.3f %10.2f|%-10.2f|%e %g %G\n", 1.5, 2.0f / 3.0f, 3.14159, 3.14159, 12345.678, 1e-7,
         1e20);
  printf("%a %.0f %5.1f%%\n", 1.0, 2.5, 99.5);
  printf("%c%c%c %s %10s|%-10s|%.2s\n", 'a', 'b', 'c', "text", "right", "left", "cut");
  printf("%f %f %f\n", 1.0 / 0.0, -1.0 / 0.0, nan(""));
  printf("%*d|%.*f\n", 6, 12, 2, 1.23456);
  printf("no newline, then ");
  printf("one\n");
}

__global__ void Lanes() {
  if (threadIdx.x % 8 == 3) printf("thread %d of block %d\n", int(threadIdx.x), int(blockIdx.x));
  const int characters = printf("");
  if (threadIdx.x == 0) printf("printf gave %d\n", characters);
}

__global__ void Say(int number) { printf("kernel %d\n", number); }

int main() {
  Formats<<<1, 1>>>();
  CHECK(cudaDeviceSynchronize());
  Lanes<<<1, 32>>>();
  CHECK(cudaDeviceSynchronize());
  Say<<<1, 1>>>(1);
  std::printf("the host, after kernel 1 was launched\n");
  CHECK(cudaDeviceSynchronize());
  std::printf("the host, after it ended\n");
  Say<<<1, 1>>>(2);
  int* memory = nullptr;
  CHECK(cudaMalloc(&memory, 4));
  CHECK(cudaMemset(memory, 0, 4));
  int value = 1;
  CHECK(cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost));
  std::printf("the host, after a copy: %d\n", value);
  CHECK(cudaFree(memory));
  Say<<<1, 1>>>(3);
  CHECK(cudaStreamSynchronize(nullptr));
  std::printf("the host, at the end\n");
  return 0;
}
