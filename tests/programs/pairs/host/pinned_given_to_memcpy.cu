// A pinned buffer is filled with memcpy() for each batch.
// WRONG: the buffer is filled again while its copy may be in flight.
// finds: early_host_use
// prints: 30
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void Max(const float* batch, int n, int* best) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicMax(best, static_cast<int>(batch[i]));
}

class Uploader {
 public:
  explicit Uploader(size_t bytes) : bytes_(bytes) {
    cudaMallocHost(&buffer_, bytes);
    cudaStreamCreate(&stream_);
  }
  ~Uploader() {
    cudaStreamDestroy(stream_);
    cudaFreeHost(buffer_);
  }
  void Upload(void* device, const void* source) {
#ifndef WRONG
    cudaStreamSynchronize(stream_);
#endif
    memcpy(buffer_, source, bytes_);                                            // named
    cudaMemcpyAsync(device, buffer_, bytes_, cudaMemcpyHostToDevice, stream_);  // named
  }
  cudaStream_t stream() const { return stream_; }

 private:
  size_t bytes_;
  void* buffer_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

int main() {
  const int n = 1024, batches = 3;
  float* batch[batches];
  int* best;
  cudaMalloc(&best, sizeof(int));
  cudaMemset(best, 0, sizeof(int));
  int result;
  {
    Uploader uploader(n * sizeof(float));
    for (int b = 0; b < batches; b++) {
      std::vector<float> values(n, 10.0f * (b + 1));
      cudaMalloc(&batch[b], n * sizeof(float));
      uploader.Upload(batch[b], values.data());
      Max<<<1, 256, 0, uploader.stream()>>>(batch[b], n, best);
    }
    cudaStreamSynchronize(uploader.stream());
  }
  cudaMemcpy(&result, best, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  for (float* p : batch) cudaFree(p);
  cudaFree(best);
}
