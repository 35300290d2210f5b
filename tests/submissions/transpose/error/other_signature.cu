// score: 0
// says: transpose(float*, float*, int, int)
// The function has the right name and other parameters.
__global__ void transpose_kernel(float* in, float* out, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) out[col * rows + row] = in[row * cols + col];
}

void transpose(float* in, float* out, int rows, int cols) {
  transpose_kernel<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(in, out, rows, cols);
}
