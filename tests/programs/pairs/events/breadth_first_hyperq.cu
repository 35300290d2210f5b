// Work is issued breadth first: all copies in, all kernels, all copies out.
// WRONG: the copies out use the streams in reverse.
// finds: unordered_use
// prints: right
#include <cstdio>
#include <vector>

__global__ void Work(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 2 * x[i] + 1;
}

int main() {
  const int streams_count = 4, n = 4096, part = n / streams_count;
  int *host, *device;
  cudaMallocHost((void**)&host, n * sizeof(int));
  cudaMalloc((void**)&device, n * sizeof(int));
  for (int i = 0; i < n; i++) host[i] = i;
  std::vector<cudaStream_t> streams(streams_count);
  for (auto& s : streams) cudaStreamCreate(&s);
  for (int i = 0; i < streams_count; i++) {
    cudaMemcpyAsync(device + i * part, host + i * part, part * sizeof(int), cudaMemcpyHostToDevice,
                    streams[i]);
  }
  for (int i = 0; i < streams_count; i++) {
    Work<<<part / 256, 256, 0, streams[i]>>>(device + i * part, part);  // named
  }
  for (int i = 0; i < streams_count; i++) {
#ifdef WRONG
    cudaStream_t stream = streams[streams_count - 1 - i];
#else
    cudaStream_t stream = streams[i];
#endif
    cudaMemcpyAsync(host + i * part, device + i * part, part * sizeof(int),  // named
                    cudaMemcpyDeviceToHost, stream);
  }
  cudaDeviceSynchronize();
  bool right = true;
  for (int i = 0; i < n; i++) right = right && host[i] == 2 * i + 1;
  printf(right ? "right\n" : "wrong\n");
  for (auto s : streams) cudaStreamDestroy(s);
  cudaFreeHost(host);
  cudaFree(device);
}
