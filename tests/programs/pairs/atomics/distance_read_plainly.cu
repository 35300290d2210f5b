// Dijkstra-like relaxation: distances fall by atomicMin(), and are read to skip work.
// WRONG: the distance is read by a plain load while others change it.
// finds: global_race
// prints: 598
#include <cstdio>
#include <cuda/atomic>

__global__ void Relax(const int* weights, int* distance, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i >= n) return;
#ifdef WRONG
  int before = distance[i - 1];  // named
#else
  int before = cuda::atomic_ref<int, cuda::thread_scope_device>(distance[i - 1])
                   .load(cuda::memory_order_relaxed);
#endif
  if (before < 1000000) {
    atomicMin(&distance[i], before + weights[i]);  // named
  }
}

int main() {
  const int n = 300;
  int host[n], *weights, *distance;
  cudaMalloc(&weights, sizeof(host));
  cudaMalloc(&distance, sizeof(host));
  for (int& w : host) w = 2;
  cudaMemcpy(weights, host, sizeof(host), cudaMemcpyHostToDevice);
  for (int i = 0; i < n; i++) host[i] = i == 0 ? 0 : 1000000;
  cudaMemcpy(distance, host, sizeof(host), cudaMemcpyHostToDevice);
  for (int round = 0; round < n; round++) Relax<<<3, 100>>>(weights, distance, n);
  cudaMemcpy(host, distance, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d\n", host[n - 1]);
  cudaFree(weights);
  cudaFree(distance);
}
