// Connected components: each edge gives both its vertices the smaller label.
// WRONG: the labels are compared and stored without an atomic.
// finds: global_race
// prints: 0 1
#include <cstdio>
#include <vector>

__global__ void Propagate(const int2* edges, int count, int* label, int* changed) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= count) return;
  int2 edge = edges[e];
#ifdef WRONG
  int a = label[edge.x], b = label[edge.y];
  if (a < b) {
    label[edge.y] = a;  // named
    atomicExch(changed, 1);
  }
  if (b < a) {
    label[edge.x] = b;
    atomicExch(changed, 1);
  }
#else
  int a = atomicMin(&label[edge.x], 0x7fffffff), b = atomicMin(&label[edge.y], 0x7fffffff);
  if (a < b && atomicMin(&label[edge.y], a) > a) atomicExch(changed, 1);
  if (b < a && atomicMin(&label[edge.x], b) > b) atomicExch(changed, 1);
#endif
}

int main() {
  const int vertices = 500;
  std::vector<int2> edges;
  for (int i = 0; i + 2 < vertices; i++) edges.push_back({i, i + 2});
  std::vector<int> label(vertices);
  for (int i = 0; i < vertices; i++) label[i] = i;
  int2* device_edges;
  int *device_label, *changed, again = 1;
  cudaMalloc(&device_edges, edges.size() * sizeof(int2));
  cudaMalloc(&device_label, vertices * sizeof(int));
  cudaMalloc(&changed, sizeof(int));
  cudaMemcpy(device_edges, edges.data(), edges.size() * sizeof(int2), cudaMemcpyHostToDevice);
  cudaMemcpy(device_label, label.data(), vertices * sizeof(int), cudaMemcpyHostToDevice);
  while (again) {
    cudaMemset(changed, 0, sizeof(int));
    Propagate<<<4, 128>>>(device_edges, edges.size(), device_label, changed);
    cudaMemcpy(&again, changed, sizeof(int), cudaMemcpyDeviceToHost);
  }
  cudaMemcpy(label.data(), device_label, vertices * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d\n", label[498], label[499]);
  cudaFree(device_edges);
  cudaFree(device_label);
  cudaFree(changed);
}
