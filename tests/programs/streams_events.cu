// This program works in pieces on three streams, which events order, through pinned memory.
#include "check.h"

__global__ void Scale(float* values, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
}

__global__ void AddAll(const float* values, int pieces, int n, float* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int piece = 0; piece < pieces; ++piece) sum += values[piece * n + i];
  sums[i] = sum;
}

int main() {
  constexpr int kPieces = 3;
  const int n = 3000;
  float* host = nullptr;
  CHECK(cudaMallocHost(&host, kPieces * n * sizeof(float)));
  Numbers numbers(8);
  for (int i = 0; i < kPieces * n; ++i) host[i] = numbers.NextFloat();
  const Array<float> device(kPieces * n);
  const Array<float> sums(n);
  cudaStream_t streams[kPieces];
  cudaEvent_t done[kPieces], begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin));
  for (int piece = 0; piece < kPieces; ++piece) {
    CHECK(cudaStreamCreateWithFlags(&streams[piece], cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&done[piece], cudaEventDisableTiming));
    float* const part = device.data() + piece * n;
    CHECK(cudaMemcpyAsync(part, host + piece * n, n * sizeof(float), cudaMemcpyHostToDevice,
                          streams[piece]));
    Scale<<<(n + 127) / 128, 128, 0, streams[piece]>>>(part, float(1 << piece), n);
    CHECK(cudaEventRecord(done[piece], streams[piece]));
  }
  for (int piece = 1; piece < kPieces; ++piece) {
    CHECK(cudaStreamWaitEvent(streams[0], done[piece], 0));
  }
  AddAll<<<(n + 127) / 128, 128, 0, streams[0]>>>(device.data(), kPieces, n, sums.data());
  std::vector<float> result(n);
  CHECK(cudaMemcpyAsync(result.data(), sums.data(), n * sizeof(float), cudaMemcpyDeviceToHost,
                        streams[0]));
  CHECK(cudaStreamSynchronize(streams[0]));
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  std::printf("%s\n", milliseconds >= 0 ? "time went on" : "time went back");
  std::printf("all done: %s\n", cudaGetErrorName(cudaStreamQuery(streams[1])));
  Show("sums", result);
  for (int piece = 0; piece < kPieces; ++piece) {
    CHECK(cudaStreamDestroy(streams[piece]));
    CHECK(cudaEventDestroy(done[piece]));
  }
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaFreeHost(host));
  return 0;
}
