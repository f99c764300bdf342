#pragma once

#include <cstdint>

#include "tile.cuh"

/*
 * Warpgroup products (wgmma) and the pipeline around them, for sm_90a. A warpgroup is four warps; it multiplies 64 rows, 16 a warp,
 * asynchronously, with operands in shared memory as tile.cuh lays them out, or with the left one in registers. The sums of a warp
 * are spread over its threads as in tile.cuh's multiplyAdd.
 */

namespace offload::tile {

constexpr int kWarpgroup = 128;

/// Descriptor of an operand in shared memory, without the half that is the same for all: address and slab distance.
using Operand = std::uint32_t;

/// Lines run along the depth, a line for each row or column: 16 of depth at `address`, which is that of a line whose number is a
/// multiple of 8.
__device__ __forceinline__ Operand alongOperand(std::uint32_t address) { return (address & 0x3ffff) >> 4 | 1U << 16; }

/// Lines run across the depth (line number = depth): 16 lines at `address`; the next 64 rows or columns are `slabBytes` further on.
__device__ __forceinline__ Operand acrossOperand(std::uint32_t address, std::uint32_t slabBytes) {
  return (address & 0x3ffff) >> 4 | slabBytes >> 4 << 16;
}

/// The other half: 128-byte swizzle, and the distance of every eight lines.
__device__ __forceinline__ std::uint64_t descriptor(Operand operand) {
  constexpr std::uint32_t swizzle = 1U << 30;
  constexpr std::uint32_t eightLines = 8 * kLineBytes / 16;
  return static_cast<std::uint64_t>(swizzle | eightLines) << 32 | operand;
}

/// The same operand `bytes` further on, a multiple of 16: shared memory ends before the address could reach the next field.
__device__ __forceinline__ Operand advance(Operand operand, std::uint32_t bytes) { return operand + (bytes >> 4); }

/// From depth 0 to `depth`, a multiple of 16, in a tile of `Rows` lines along the depth.
template <int Rows>
__device__ __forceinline__ Operand advanceAlong(Operand operand, int depth) {
  return advance(operand, depth / kSlabColumns * Rows * kLineBytes + depth % kSlabColumns * 2);
}

/// From line 0 to line `depth` of a tile whose lines run across the depth.
__device__ __forceinline__ Operand advanceAcross(Operand operand, int depth) { return advance(operand, depth * kLineBytes); }

/// Before the first product of a batch: registers written so far are visible to it.
__device__ __forceinline__ void beginProducts() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void commitProducts() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int Pending>
__device__ __forceinline__ void waitForProducts() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}
/// Keeps the compiler from using sums before the wait that precedes this call.
template <int Tiles>
__device__ __forceinline__ void takeSums(float (&sums)[Tiles][4]) {
#pragma unroll
  for (int j = 0; j < Tiles; ++j) asm volatile("" : "+f"(sums[j][0]), "+f"(sums[j][1]), "+f"(sums[j][2]), "+f"(sums[j][3])::"memory");
}

/// A barrier in shared memory with phases: it completes when `count` threads have arrived.
__device__ __forceinline__ void initBarrier(std::uint32_t barrier, std::uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}
__device__ __forceinline__ void arrive(std::uint32_t barrier) {
  asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(barrier) : "memory");
}
/// Arrives once all copies that this thread has started so far are complete.
__device__ __forceinline__ void arriveAfterCopies(std::uint32_t barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(barrier) : "memory");
}
/// Before a thread that has started copies ends.
__device__ __forceinline__ void waitForAllCopies() { asm volatile("cp.async.wait_all;" ::: "memory"); }
/// What copies of other threads wrote to shared memory, and a barrier has announced, becomes visible to products of this thread.
__device__ __forceinline__ void acceptCopies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
/// Waits for the end of the phase of this parity; the phase before the first counts as ended, with parity 1.
__device__ __forceinline__ void waitForPhase(std::uint32_t barrier, std::uint32_t parity) {
  asm volatile(
      "{ .reg .pred done;\n"
      "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@done bra.uni end;\n"
      "bra.uni again;\n"
      "end: }" ::"r"(barrier), "r"(parity)
      : "memory");
}

/// A barrier among the threads of one reading warpgroup; `group` counts from 0.
__device__ __forceinline__ void joinWarpgroup(int group) { asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory"); }

/// Registers move from the copying warpgroup, which needs few, to the two that multiply: the three counts add up to at most 504.
template <int Registers>
__device__ __forceinline__ void raiseRegisters() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers));
}
template <int Registers>
__device__ __forceinline__ void lowerRegisters() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers));
}

/// A ring of stages that one warpgroup fills with asynchronous copies and others read. Barriers: `stages` for full, then as many
/// for free, 8 bytes each at `barriers`.
template <int Stages>
struct StageRing {
  std::uint32_t barriers;

  __device__ __forceinline__ std::uint32_t full(std::uint32_t step) const { return barriers + step % Stages * 8; }
  __device__ __forceinline__ std::uint32_t free(std::uint32_t step) const { return barriers + (Stages + step % Stages) * 8; }
  /// `readers`: arrivals that free a stage, as many as warps where those call release; `writes`: arrivals that fill one, those of
  /// copies and of stores. By one thread, before a block-wide barrier.
  __device__ __forceinline__ void init(std::uint32_t readers, std::uint32_t writes = kWarpgroup) const {
    for (int i = 0; i < Stages; ++i) {
      initBarrier(full(i), writes);
      initBarrier(free(i), readers);
    }
  }
  __device__ __forceinline__ void waitFree(std::uint32_t step) const { waitForPhase(free(step), (step / Stages & 1) ^ 1); }
  __device__ __forceinline__ void waitFull(std::uint32_t step) const {
    waitForPhase(full(step), step / Stages & 1);
    acceptCopies();
  }
  /// By every warp that reads by products alone, after those of this stage have ended.
  __device__ __forceinline__ void release(std::uint32_t step, int lane) const {
    if (lane == 0) arrive(free(step));
  }
};

/// sums (64 x 8 Tiles) = or += left * right; operands by descriptor, `...Across` as their lines run. `isFirst`: what the sums held
/// does not count.
template <int LeftAcross, int RightAcross>
__device__ __forceinline__ void multiplyTile(float (&sums)[8][4], Operand left, Operand right, bool isFirst) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {"
               "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
               "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
               "}, %32, %33, p, 1, 1, %35, %36; }"
               : "+f"(sums[0][0]), "+f"(sums[0][1]), "+f"(sums[0][2]), "+f"(sums[0][3]), "+f"(sums[1][0]), "+f"(sums[1][1]), "+f"(sums[1][2]), "+f"(sums[1][3]),
                 "+f"(sums[2][0]), "+f"(sums[2][1]), "+f"(sums[2][2]), "+f"(sums[2][3]), "+f"(sums[3][0]), "+f"(sums[3][1]), "+f"(sums[3][2]), "+f"(sums[3][3]),
                 "+f"(sums[4][0]), "+f"(sums[4][1]), "+f"(sums[4][2]), "+f"(sums[4][3]), "+f"(sums[5][0]), "+f"(sums[5][1]), "+f"(sums[5][2]), "+f"(sums[5][3]),
                 "+f"(sums[6][0]), "+f"(sums[6][1]), "+f"(sums[6][2]), "+f"(sums[6][3]), "+f"(sums[7][0]), "+f"(sums[7][1]), "+f"(sums[7][2]), "+f"(sums[7][3])
               : "l"(descriptor(left)), "l"(descriptor(right)), "r"(isFirst ? 0 : 1), "n"(LeftAcross), "n"(RightAcross));
}

template <int LeftAcross, int RightAcross>
__device__ __forceinline__ void multiplyTile(float (&sums)[16][4], Operand left, Operand right, bool isFirst) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
               "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
               "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
               "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
               "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
               "}, %64, %65, p, 1, 1, %67, %68; }"
               : "+f"(sums[0][0]), "+f"(sums[0][1]), "+f"(sums[0][2]), "+f"(sums[0][3]), "+f"(sums[1][0]), "+f"(sums[1][1]), "+f"(sums[1][2]), "+f"(sums[1][3]),
                 "+f"(sums[2][0]), "+f"(sums[2][1]), "+f"(sums[2][2]), "+f"(sums[2][3]), "+f"(sums[3][0]), "+f"(sums[3][1]), "+f"(sums[3][2]), "+f"(sums[3][3]),
                 "+f"(sums[4][0]), "+f"(sums[4][1]), "+f"(sums[4][2]), "+f"(sums[4][3]), "+f"(sums[5][0]), "+f"(sums[5][1]), "+f"(sums[5][2]), "+f"(sums[5][3]),
                 "+f"(sums[6][0]), "+f"(sums[6][1]), "+f"(sums[6][2]), "+f"(sums[6][3]), "+f"(sums[7][0]), "+f"(sums[7][1]), "+f"(sums[7][2]), "+f"(sums[7][3]),
                 "+f"(sums[8][0]), "+f"(sums[8][1]), "+f"(sums[8][2]), "+f"(sums[8][3]), "+f"(sums[9][0]), "+f"(sums[9][1]), "+f"(sums[9][2]), "+f"(sums[9][3]),
                 "+f"(sums[10][0]), "+f"(sums[10][1]), "+f"(sums[10][2]), "+f"(sums[10][3]), "+f"(sums[11][0]), "+f"(sums[11][1]), "+f"(sums[11][2]), "+f"(sums[11][3]),
                 "+f"(sums[12][0]), "+f"(sums[12][1]), "+f"(sums[12][2]), "+f"(sums[12][3]), "+f"(sums[13][0]), "+f"(sums[13][1]), "+f"(sums[13][2]), "+f"(sums[13][3]),
                 "+f"(sums[14][0]), "+f"(sums[14][1]), "+f"(sums[14][2]), "+f"(sums[14][3]), "+f"(sums[15][0]), "+f"(sums[15][1]), "+f"(sums[15][2]), "+f"(sums[15][3])
               : "l"(descriptor(left)), "l"(descriptor(right)), "r"(isFirst ? 0 : 1), "n"(LeftAcross), "n"(RightAcross));
}

template <int LeftAcross, int RightAcross>
__device__ __forceinline__ void multiplyTile(float (&sums)[32][4], Operand left, Operand right, bool isFirst) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %130, 0; wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
               "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
               "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
               "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
               "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
               "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
               "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
               "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
               "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
               "}, %128, %129, p, 1, 1, %131, %132; }"
               : "+f"(sums[0][0]), "+f"(sums[0][1]), "+f"(sums[0][2]), "+f"(sums[0][3]), "+f"(sums[1][0]), "+f"(sums[1][1]), "+f"(sums[1][2]), "+f"(sums[1][3]),
                 "+f"(sums[2][0]), "+f"(sums[2][1]), "+f"(sums[2][2]), "+f"(sums[2][3]), "+f"(sums[3][0]), "+f"(sums[3][1]), "+f"(sums[3][2]), "+f"(sums[3][3]),
                 "+f"(sums[4][0]), "+f"(sums[4][1]), "+f"(sums[4][2]), "+f"(sums[4][3]), "+f"(sums[5][0]), "+f"(sums[5][1]), "+f"(sums[5][2]), "+f"(sums[5][3]),
                 "+f"(sums[6][0]), "+f"(sums[6][1]), "+f"(sums[6][2]), "+f"(sums[6][3]), "+f"(sums[7][0]), "+f"(sums[7][1]), "+f"(sums[7][2]), "+f"(sums[7][3]),
                 "+f"(sums[8][0]), "+f"(sums[8][1]), "+f"(sums[8][2]), "+f"(sums[8][3]), "+f"(sums[9][0]), "+f"(sums[9][1]), "+f"(sums[9][2]), "+f"(sums[9][3]),
                 "+f"(sums[10][0]), "+f"(sums[10][1]), "+f"(sums[10][2]), "+f"(sums[10][3]), "+f"(sums[11][0]), "+f"(sums[11][1]), "+f"(sums[11][2]), "+f"(sums[11][3]),
                 "+f"(sums[12][0]), "+f"(sums[12][1]), "+f"(sums[12][2]), "+f"(sums[12][3]), "+f"(sums[13][0]), "+f"(sums[13][1]), "+f"(sums[13][2]), "+f"(sums[13][3]),
                 "+f"(sums[14][0]), "+f"(sums[14][1]), "+f"(sums[14][2]), "+f"(sums[14][3]), "+f"(sums[15][0]), "+f"(sums[15][1]), "+f"(sums[15][2]), "+f"(sums[15][3]),
                 "+f"(sums[16][0]), "+f"(sums[16][1]), "+f"(sums[16][2]), "+f"(sums[16][3]), "+f"(sums[17][0]), "+f"(sums[17][1]), "+f"(sums[17][2]), "+f"(sums[17][3]),
                 "+f"(sums[18][0]), "+f"(sums[18][1]), "+f"(sums[18][2]), "+f"(sums[18][3]), "+f"(sums[19][0]), "+f"(sums[19][1]), "+f"(sums[19][2]), "+f"(sums[19][3]),
                 "+f"(sums[20][0]), "+f"(sums[20][1]), "+f"(sums[20][2]), "+f"(sums[20][3]), "+f"(sums[21][0]), "+f"(sums[21][1]), "+f"(sums[21][2]), "+f"(sums[21][3]),
                 "+f"(sums[22][0]), "+f"(sums[22][1]), "+f"(sums[22][2]), "+f"(sums[22][3]), "+f"(sums[23][0]), "+f"(sums[23][1]), "+f"(sums[23][2]), "+f"(sums[23][3]),
                 "+f"(sums[24][0]), "+f"(sums[24][1]), "+f"(sums[24][2]), "+f"(sums[24][3]), "+f"(sums[25][0]), "+f"(sums[25][1]), "+f"(sums[25][2]), "+f"(sums[25][3]),
                 "+f"(sums[26][0]), "+f"(sums[26][1]), "+f"(sums[26][2]), "+f"(sums[26][3]), "+f"(sums[27][0]), "+f"(sums[27][1]), "+f"(sums[27][2]), "+f"(sums[27][3]),
                 "+f"(sums[28][0]), "+f"(sums[28][1]), "+f"(sums[28][2]), "+f"(sums[28][3]), "+f"(sums[29][0]), "+f"(sums[29][1]), "+f"(sums[29][2]), "+f"(sums[29][3]),
                 "+f"(sums[30][0]), "+f"(sums[30][1]), "+f"(sums[30][2]), "+f"(sums[30][3]), "+f"(sums[31][0]), "+f"(sums[31][1]), "+f"(sums[31][2]), "+f"(sums[31][3])
               : "l"(descriptor(left)), "l"(descriptor(right)), "r"(isFirst ? 0 : 1), "n"(LeftAcross), "n"(RightAcross));
}

/// The same with 16 of depth of the left operand in registers, as tile.cuh's packLeft makes it.
template <int RightAcross>
__device__ __forceinline__ void multiplyRows(float (&sums)[8][4], const std::uint32_t (&left)[4], Operand right, bool isFirst) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %37, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {"
               "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
               "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
               "}, {%32, %33, %34, %35}, %36, p, 1, 1, %38; }"
               : "+f"(sums[0][0]), "+f"(sums[0][1]), "+f"(sums[0][2]), "+f"(sums[0][3]), "+f"(sums[1][0]), "+f"(sums[1][1]), "+f"(sums[1][2]), "+f"(sums[1][3]),
                 "+f"(sums[2][0]), "+f"(sums[2][1]), "+f"(sums[2][2]), "+f"(sums[2][3]), "+f"(sums[3][0]), "+f"(sums[3][1]), "+f"(sums[3][2]), "+f"(sums[3][3]),
                 "+f"(sums[4][0]), "+f"(sums[4][1]), "+f"(sums[4][2]), "+f"(sums[4][3]), "+f"(sums[5][0]), "+f"(sums[5][1]), "+f"(sums[5][2]), "+f"(sums[5][3]),
                 "+f"(sums[6][0]), "+f"(sums[6][1]), "+f"(sums[6][2]), "+f"(sums[6][3]), "+f"(sums[7][0]), "+f"(sums[7][1]), "+f"(sums[7][2]), "+f"(sums[7][3])
               : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(descriptor(right)), "r"(isFirst ? 0 : 1), "n"(RightAcross));
}

template <int RightAcross>
__device__ __forceinline__ void multiplyRows(float (&sums)[16][4], const std::uint32_t (&left)[4], Operand right, bool isFirst) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %69, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 {"
               "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
               "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
               "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
               "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
               "}, {%64, %65, %66, %67}, %68, p, 1, 1, %70; }"
               : "+f"(sums[0][0]), "+f"(sums[0][1]), "+f"(sums[0][2]), "+f"(sums[0][3]), "+f"(sums[1][0]), "+f"(sums[1][1]), "+f"(sums[1][2]), "+f"(sums[1][3]),
                 "+f"(sums[2][0]), "+f"(sums[2][1]), "+f"(sums[2][2]), "+f"(sums[2][3]), "+f"(sums[3][0]), "+f"(sums[3][1]), "+f"(sums[3][2]), "+f"(sums[3][3]),
                 "+f"(sums[4][0]), "+f"(sums[4][1]), "+f"(sums[4][2]), "+f"(sums[4][3]), "+f"(sums[5][0]), "+f"(sums[5][1]), "+f"(sums[5][2]), "+f"(sums[5][3]),
                 "+f"(sums[6][0]), "+f"(sums[6][1]), "+f"(sums[6][2]), "+f"(sums[6][3]), "+f"(sums[7][0]), "+f"(sums[7][1]), "+f"(sums[7][2]), "+f"(sums[7][3]),
                 "+f"(sums[8][0]), "+f"(sums[8][1]), "+f"(sums[8][2]), "+f"(sums[8][3]), "+f"(sums[9][0]), "+f"(sums[9][1]), "+f"(sums[9][2]), "+f"(sums[9][3]),
                 "+f"(sums[10][0]), "+f"(sums[10][1]), "+f"(sums[10][2]), "+f"(sums[10][3]), "+f"(sums[11][0]), "+f"(sums[11][1]), "+f"(sums[11][2]), "+f"(sums[11][3]),
                 "+f"(sums[12][0]), "+f"(sums[12][1]), "+f"(sums[12][2]), "+f"(sums[12][3]), "+f"(sums[13][0]), "+f"(sums[13][1]), "+f"(sums[13][2]), "+f"(sums[13][3]),
                 "+f"(sums[14][0]), "+f"(sums[14][1]), "+f"(sums[14][2]), "+f"(sums[14][3]), "+f"(sums[15][0]), "+f"(sums[15][1]), "+f"(sums[15][2]), "+f"(sums[15][3])
               : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(descriptor(right)), "r"(isFirst ? 0 : 1), "n"(RightAcross));
}

}  // namespace offload::tile
