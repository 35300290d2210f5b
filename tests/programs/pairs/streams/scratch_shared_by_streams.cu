// Two independent jobs run in two streams.
// WRONG: both use the same scratch array.
// finds: unordered_use
// prints: 1
#include <cstdio>

__global__ void First(const int* in, int* scratch, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) scratch[i] = in[i] + 1;
}

__global__ void Second(const int* scratch, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = scratch[n - 1 - i];
}

struct Job {
  int *in, *out, *scratch;
  cudaStream_t stream;
};

void Start(const Job& job, int n) {
  First<<<(n + 255) / 256, 256, 0, job.stream>>>(job.in, job.scratch, n);  // named
  Second<<<(n + 255) / 256, 256, 0, job.stream>>>(job.scratch, job.out, n);
}

int main() {
  const int n = 1234;
  Job jobs[2];
  int* scratch[2];
  for (int j = 0; j < 2; j++) {
    cudaMalloc(&jobs[j].in, n * sizeof(int));
    cudaMalloc(&jobs[j].out, n * sizeof(int));
    cudaMalloc(&scratch[j], n * sizeof(int));
    cudaMemset(jobs[j].in, j, n * sizeof(int));
    cudaStreamCreate(&jobs[j].stream);
#ifdef WRONG
    jobs[j].scratch = scratch[0];
#else
    jobs[j].scratch = scratch[j];
#endif
  }
  for (const Job& job : jobs) Start(job, n);
  cudaDeviceSynchronize();
  for (const Job& job : jobs) {
    int value;
    cudaMemcpy(&value, job.out + 3, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", value);
    cudaStreamDestroy(job.stream);
    cudaFree(job.in);
    cudaFree(job.out);
  }
  cudaFree(scratch[0]);
  cudaFree(scratch[1]);
}
