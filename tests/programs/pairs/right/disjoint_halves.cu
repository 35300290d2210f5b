// Two streams work on disjoint parts of one array, of one matrix, and of one pinned buffer. The
// host reads the finished half while the device still writes the other.
// prints: 3136
#include <cstdio>

__global__ void Fill(int* out, int value, int stride, int columns, int rows) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x < columns && y < rows) out[y * stride + x] = value;
}

int main() {
  const int width = 64, height = 32, n = width * height;
  int *matrix, *pinned;
  cudaMalloc(&matrix, n * sizeof(int));
  cudaMallocHost(&pinned, n * sizeof(int));
  cudaStream_t left, right;
  cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking);
  cudaEvent_t both;
  cudaEventCreateWithFlags(&both, cudaEventDisableTiming);
  Fill<<<height, 32, 0, left>>>(matrix, 1, width, 30, height);
  Fill<<<height, 64, 0, right>>>(matrix + 30, 2, width, 34, height);
  cudaEventRecord(both, right);
  cudaStreamWaitEvent(left, both, 0);
  cudaEventRecord(both, left);
  cudaStreamWaitEvent(right, both, 0);
  cudaMemcpyAsync(pinned, matrix, n / 2 * sizeof(int), cudaMemcpyDeviceToHost, left);
  cudaMemcpyAsync(pinned + n / 2, matrix + n / 2, n / 2 * sizeof(int), cudaMemcpyDeviceToHost,
                  right);
  cudaStreamSynchronize(left);
  int sum = 0;
  for (int i = 0; i < n / 2; i++) sum += pinned[i];
  cudaStreamSynchronize(right);
  for (int i = n / 2; i < n; i++) sum += pinned[i];
  printf("%d\n", sum);
  cudaEventDestroy(both);
  cudaStreamDestroy(left);
  cudaStreamDestroy(right);
  cudaFree(matrix);
  cudaFreeHost(pinned);
}
