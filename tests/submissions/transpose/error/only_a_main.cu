// score: 0
// says: main is not called here
// The file has a main instead of the function.
__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
}

int main() {
  float* in = nullptr;
  float* out = nullptr;
  cudaMalloc(&in, 1024 * 1024 * sizeof(float));
  cudaMalloc(&out, 1024 * 1024 * sizeof(float));
  transpose_kernel<<<dim3(32, 128), dim3(32, 8)>>>(in, out, 1024, 1024);
  return cudaDeviceSynchronize();
}
