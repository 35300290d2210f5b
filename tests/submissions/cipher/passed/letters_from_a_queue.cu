// score: 100
// Blocks draw pieces of 1024 letters until the text is done, from its end to its beginning. The
// queue is a number in __device__ memory. Mixed letters: 20 blocks that stay and keep the table in
// shared memory. Runs: the entries are in constant memory.
#include "cipher.h"

static const int PIECE = 1024;
static const int BLOCK = 256;

__constant__ int const_table[kMostLetters];
__device__ unsigned int drawn;

template <typename F>
__device__ void for_pieces(int n, F work)
{
    __shared__ unsigned int piece;
    const unsigned int pieces = (n - 1) / PIECE + 1;
    while (true)
    {
        __syncthreads();
        if (threadIdx.x == 0)
            piece = atomicAdd(&drawn, 1u);
        __syncthreads();
        if (piece >= pieces)
            return;
        const int begin = (pieces - 1 - piece) * PIECE;
#pragma unroll
        for (int k = 0; k < PIECE / BLOCK; k++)
        {
            const int i = begin + k * BLOCK + threadIdx.x;
            if (i < n && i >= 0)
                work(i);
        }
    }
}

__global__ void runs_kernel(const int *text, int *out, int n)
{
    for_pieces(n, [=](int i) { out[i] = const_table[text[i]]; });
}

__global__ void mixed_kernel(const int *text, const int *table, int *out, int n, int letters)
{
    __shared__ int sh_table[kMostLetters];
    for (int i = threadIdx.x; i < letters; i += BLOCK)
        sh_table[i] = table[i];
    for_pieces(n, [=, sh = &sh_table[0]](int i) { out[i] = sh[text[i]]; });
}

void substitute(const int *text, const int *table, int *out, int n, int letters, int run)
{
    unsigned int zero = 0;
    cudaMemcpyToSymbol(drawn, &zero, sizeof(zero));
    const int pieces = (n - 1) / PIECE + 1;
    const int blocks = pieces < 20 ? pieces : 20;
    if (run >= 32)
    {
        cudaMemcpyToSymbol(const_table, table, letters * sizeof(int), 0, cudaMemcpyDeviceToDevice);
        runs_kernel<<<blocks, BLOCK>>>(text, out, n);
    }
    else
    {
        mixed_kernel<<<blocks, BLOCK>>>(text, table, out, n, letters);
    }
    cudaDeviceSynchronize();
}
