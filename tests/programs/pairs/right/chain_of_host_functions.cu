// Host functions and copies form a chain in one stream; the buffer is refilled by the host
// function.
// prints: 10
#include <cstdio>

struct State {
  int* buffer;
  int round;
};

static void Next(void* data) {
  State* state = static_cast<State*>(data);
  state->round++;
  for (int i = 0; i < 256; i++) state->buffer[i] = state->round;
}

__global__ void Add(const int* in, int* sum) { sum[threadIdx.x] += in[threadIdx.x]; }

int main() {
  State state{nullptr, 0};
  int *in, *sum, result[256];
  cudaMallocHost(&state.buffer, 1024);
  cudaMalloc(&in, 1024);
  cudaMalloc(&sum, 1024);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemsetAsync(sum, 0, 1024, stream);
  for (int i = 0; i < 4; i++) {
    cudaLaunchHostFunc(stream, Next, &state);
    cudaMemcpyAsync(in, state.buffer, 1024, cudaMemcpyHostToDevice, stream);
    Add<<<1, 256, 0, stream>>>(in, sum);
  }
  cudaMemcpyAsync(result, sum, 1024, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("%d\n", result[255]);
  cudaStreamDestroy(stream);
  cudaFree(in);
  cudaFree(sum);
  cudaFreeHost(state.buffer);
}
