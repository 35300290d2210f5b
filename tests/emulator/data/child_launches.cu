// Kernels that launch kernels. Each thread appends its number to a list, so that the list tells in
// which order the launches ran.

struct List {
  int count;
  int items[63];
};

__device__ void Append(List* list, int item) { list->items[atomicAdd(&list->count, 1)] = item; }

extern "C" __global__ void appends(List* list, int item) { Append(list, item + threadIdx.x); }

// Launches a child of each stream that has a name; the tail comes last.
extern "C" __global__ void launches(List* list) {
  appends<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 30);
  appends<<<1, 2>>>(list, 10);
  appends<<<1, 1, 0, cudaStreamFireAndForget>>>(list, 20);
  Append(list, 1);
}

// Launches itself until depth is 0, and a child at the tail of each.
extern "C" __global__ void descends(List* list, int depth) {
  Append(list, depth);
  appends<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 10 + depth);
  if (depth == 0) return;
  descends<<<1, 1>>>(list, depth - 1);
  descends<<<1, 1>>>(list, depth - 1);
}

// Each lane launches a block of another size, with parameters of several sizes.
extern "C" __global__ void takes(List* list, char a, double b, short c) {
  if (threadIdx.x == blockDim.x - 1) {
    Append(list, 1000 * gridDim.y + 100 * blockDim.x + static_cast<int>(a + b + c));
  }
}
extern "C" __global__ void passes(List* list) {
  takes<<<dim3(1, 2), threadIdx.x + 1>>>(list, -1, 2.5, static_cast<short>(threadIdx.x));
}

// Launches a block that is too large, and one that is not.
extern "C" __global__ void is_refused(List* list) {
  appends<<<1, 2000>>>(list, 1);
  appends<<<1, 1>>>(list, 2);
}

// The launch that is one too many returns an error, which is added to the list.
extern "C" __global__ void nothing() {}
extern "C" __global__ void launches_often(List* list, int times) {
  int failed = 0;
  for (int i = 0; i < times; ++i) {
    nothing<<<1, 1>>>();
    if (cudaGetLastError() != cudaSuccess) ++failed;
  }
  Append(list, failed);
}

// Launches itself until that is refused.
extern "C" __global__ void goes_deep(List* list, int depth) {
  goes_deep<<<1, 1>>>(list, depth + 1);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) Append(list, 1000 * error + depth);
}

// Launches itself at its tail: each takes the place of the one before.
extern "C" __global__ void goes_on(List* list, int times) {
  if (times == 0) return Append(list, 7);
  goes_on<<<1, 1, 0, cudaStreamTailLaunch>>>(list, times - 1);
}

// The stream is one that the emulator does not offer.
extern "C" __global__ void makes_a_stream(List* list) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  appends<<<1, 1, 0, stream>>>(list, 1);
}

extern "C" __global__ void uses_no_stream(List* list) {
  appends<<<1, 1, 0, reinterpret_cast<cudaStream_t>(77)>>>(list, 1);
}

extern "C" __global__ void fails(List* list) { list->items[threadIdx.x + (1 << 28)] = 1; }
extern "C" __global__ void launches_what_fails(List* list) {
  fails<<<1, 1>>>(list);
  appends<<<1, 1>>>(list, 1);
}
