#include "cuda/kernel_launcher.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>
#include <variant>

#include "cpu/splitmix.h"
#include "cuda/kernels/attention_launch.h"
#include "cuda/kernels/matrix_product_launch.h"

namespace offload::cuda {
namespace {

constexpr unsigned kThreads = 256;
/// Elements that one thread of an elementwise kernel takes.
constexpr std::uint64_t kPack = 8;
constexpr std::uint64_t kReductionBytes = 16U << 20U;
/// What frameworks give cuBLAS on a Hopper GPU.
constexpr std::uint64_t kCublasBytes = 32U << 20U;
/// Blocks of a first summation step: a few for each multiprocessor of any GPU, the same number on all.
constexpr std::uint64_t kReductionBlocks = 1024;
/// Dynamic shared memory that needs no permission.
constexpr std::uint32_t kFreeSharedBytes = 48U << 10U;

constexpr std::uint64_t blocksFor(std::uint64_t count, std::uint64_t perBlock) { return std::max<std::uint64_t>(1, (count + perBlock - 1) / perBlock); }

constexpr const char* named(ElementType element, const char* bf16, const char* f32) { return element == ElementType::bf16 ? bf16 : f32; }

/// Threads that share a row of an RMS norm; the kernels know these numbers.
constexpr std::uint32_t normLanes(std::uint32_t width) {
  if (width % kPack != 0) return 32;
  const std::uint64_t packs = width / kPack;
  if (packs <= 8) return 8;
  if (packs <= 16) return 16;
  if (packs <= 64) return 32;
  return packs <= 256 ? 128 : 256;
}

/// How the rows of a column sum are cut.
struct ColumnRanges {
  std::uint32_t lanes;
  std::uint32_t blocksAcross;
  std::uint64_t rowsPerBlock;
  std::uint32_t ranges;
};

ColumnRanges columnRanges(std::uint64_t rows, std::uint32_t width) {
  const std::uint64_t pack = width % kPack == 0 ? kPack : 1;
  const std::uint64_t packs = width / pack;
  ColumnRanges cut{};
  cut.lanes = static_cast<std::uint32_t>(std::min<std::uint64_t>(kThreads, std::bit_ceil(packs)));
  cut.blocksAcross = static_cast<std::uint32_t>(blocksFor(packs, cut.lanes));
  const std::uint64_t lines = kThreads / cut.lanes;
  const std::uint64_t room = std::max<std::uint64_t>(1, kReductionBytes / (std::uint64_t{width} * sizeof(float)));
  const std::uint64_t wanted = std::clamp<std::uint64_t>(kReductionBlocks / cut.blocksAcross, 1, room);
  cut.rowsPerBlock = std::max(blocksFor(rows, wanted), 4 * lines);
  cut.ranges = static_cast<std::uint32_t>(blocksFor(rows, cut.rowsPerBlock));
  return cut;
}

}  // namespace

KernelLauncher::KernelLauncher(const DriverApi& api, KernelModules& modules, std::unique_ptr<Cublas> cublas)
    : api_(api), modules_(modules), cublas_(std::move(cublas)) {}

std::string KernelLauncher::matmulName() const { return cublas_ ? cublas_->name() : "own"; }

void KernelLauncher::launch(Stream stream, const KernelCall& call) {
  std::visit([&](const auto& each) { run(stream, each); }, call);
}

void KernelLauncher::launchFault(Stream stream) { start(stream, "fault", {}, 1); }

void KernelLauncher::forget(Stream stream) noexcept {
  std::erase_if(workspaces_, [stream](const Workspace& each) { return each.stream == stream; });
  if (cublas_) cublas_->detach(stream);
}

DevicePointer KernelLauncher::workspaceOf(Stream stream) {
  for (const Workspace& each : workspaces_) {
    if (each.stream == stream) return each.memory.get();
  }
  DevicePointer memory = 0;
  check(api_, api_.memAlloc(&memory, kReductionBytes + (cublas_ ? kCublasBytes : 0)), "cuMemAlloc");
  OwnedDeviceMemory owned(api_, memory);
  if (cublas_) cublas_->attach(stream, memory + kReductionBytes, kCublasBytes);
  workspaces_.push_back({stream, std::move(owned)});
  return memory;
}

template <class... Arguments>
void KernelLauncher::start(Stream stream, const char* kernel, Grid grid, unsigned threads, Arguments... arguments) {
  if (grid.x > std::numeric_limits<std::int32_t>::max()) {
    throw EngineError({"DEVICE_FAILED", "A tensor is larger than a kernel's grid.", kernel, "Use a shorter sequence or a smaller micro-batch."});
  }
  void* pointers[] = {static_cast<void*>(&arguments)..., nullptr};
  check(api_, api_.launchKernel(modules_.function(kernel), static_cast<unsigned>(grid.x), grid.y, 1, threads, 1, 1, 0, stream, pointers, nullptr),
        "cuLaunchKernel");
}

void KernelLauncher::raiseSharedMemory(Function function, std::uint32_t bytes) {
  if (bytes <= kFreeSharedBytes) return;
  auto known = std::find_if(raised_.begin(), raised_.end(), [function](const auto& each) { return each.first == function; });
  if (known != raised_.end() && known->second >= bytes) return;
  check(api_, api_.functionSetAttribute(function, attribute::maxDynamicSharedBytes, static_cast<int>(bytes)), "cuFuncSetAttribute");
  if (known == raised_.end()) {
    raised_.emplace_back(function, bytes);
  } else {
    known->second = bytes;
  }
}

void KernelLauncher::startTiles(Stream stream, const TileLaunches& launches) {
  for (const TileLaunch& launch : launches) {
    const Function function = modules_.function(launch.kernel);
    raiseSharedMemory(function, launch.sharedBytes);
    void* pointers[] = {const_cast<std::byte*>(launch.arguments.data())};
    check(api_, api_.launchKernel(function, launch.gridX, launch.gridY, 1, launch.threads, 1, 1, launch.sharedBytes, stream, pointers, nullptr),
          "cuLaunchKernel");
  }
}

void KernelLauncher::run(Stream stream, const Memset& call) {
  if (call.bytes == 0) return;
  check(api_, api_.memsetD8Async(call.out, 0, call.bytes, stream), "cuMemsetD8Async");
}

void KernelLauncher::run(Stream stream, const FillConstant& call) {
  start(stream, named(call.element, "fillConstantBf16", "fillConstantF32"), {blocksFor(call.count, kPack * kThreads)}, kThreads, call.out,
        call.count, call.value);
}

void KernelLauncher::run(Stream stream, const FillNormal& call) {
  start(stream, named(call.element, "fillNormalBf16", "fillNormalF32"), {blocksFor(call.count, kPack * kThreads)}, kThreads, call.out, call.count,
        splitmix64(call.seed), normalScale(call.stddev));
}

void KernelLauncher::run(Stream stream, const FillTokens& call) {
  start(stream, "fillTokens", {blocksFor(call.count, kThreads)}, kThreads, call.out, call.count, call.seed, call.vocab);
}

void KernelLauncher::run(Stream stream, const Checksum& call) {
  check(api_, api_.memsetD8Async(call.out, 0, sizeof(std::uint64_t), stream), "cuMemsetD8Async");
  const std::uint64_t blocks = std::min(kReductionBlocks, blocksFor(call.bytes / 8, kThreads));
  start(stream, "checksum", {blocks}, kThreads, call.input, call.bytes, call.out);
}

void KernelLauncher::run(Stream stream, const RotaryTables& call) {
  start(stream, named(call.element, "rotaryTablesBf16", "rotaryTablesF32"), {blocksFor(call.rows * (call.headDim / 2), kThreads)}, kThreads,
        call.cos, call.sin, call.rows, call.seq, call.headDim, static_cast<double>(call.theta));
}

void KernelLauncher::run(Stream stream, const EmbeddingForward& call) {
  start(stream, named(call.element, "embeddingForwardBf16", "embeddingForwardF32"), {call.rows}, kThreads, call.ids, call.table, call.out,
        call.hidden, call.vocab);
}

void KernelLauncher::run(Stream stream, const EmbeddingBackward& call) {
  const std::uint64_t columns = (call.hidden % kPack == 0 ? kPack : 1) * kThreads;
  start(stream, named(call.element, "embeddingBackwardBf16", "embeddingBackwardF32"),
        {call.rows, static_cast<std::uint32_t>(blocksFor(call.hidden, columns))}, kThreads, call.ids, call.gradOut, call.gradTable, call.rows,
        call.hidden, call.vocab);
}

void KernelLauncher::run(Stream stream, const RmsNormForward& call) {
  const std::uint32_t lanes = normLanes(call.width);
  start(stream, named(call.element, "rmsNormForwardBf16", "rmsNormForwardF32"), {blocksFor(call.rows, kThreads / lanes)}, kThreads, call.input,
        call.weight, call.input32, call.rstd, call.normalised, call.out, call.rows, call.width, call.eps, lanes);
}

void KernelLauncher::run(Stream stream, const RmsNormBackward& call) {
  const std::uint32_t lanes = normLanes(call.width);
  start(stream, named(call.element, "rmsNormBackwardBf16", "rmsNormBackwardF32"), {blocksFor(call.rows, kThreads / lanes)}, kThreads,
        call.gradOut, call.weight, call.input32, call.rstd, call.gradInput, call.rows, call.width, lanes);
  sumColumns(stream, call.element, call.gradOut, call.normalised, call.gradWeight, call.rows, call.width);
}

void KernelLauncher::sumColumns(Stream stream, ElementType element, DeviceAddress left, DeviceAddress right, DeviceAddress out,
                                std::uint64_t rows, std::uint32_t width) {
  const ColumnRanges cut = columnRanges(rows, width);
  const DeviceAddress partials = workspaceOf(stream);
  start(stream, named(element, "columnSumsBf16", "columnSumsF32"), {cut.ranges, cut.blocksAcross}, kThreads, left, right, partials, rows,
        cut.rowsPerBlock, width, cut.lanes);
  start(stream, named(element, "finishColumnSumsBf16", "finishColumnSumsF32"), {blocksFor(width, kThreads)}, kThreads, partials, out, cut.ranges,
        width);
}

void KernelLauncher::run(Stream stream, const Rotary& call) {
  const std::uint64_t half = call.headDim / 2;
  const std::uint64_t pairs = call.rows * call.heads * (half % kPack == 0 ? half / kPack : half);
  start(stream, named(call.element, "rotaryBf16", "rotaryF32"), {blocksFor(pairs, kThreads)}, kThreads, call.input, call.cos, call.sin, call.out,
        call.rows, call.heads, call.headDim, call.inverse ? 1U : 0U);
}

void KernelLauncher::run(Stream stream, const SwiGluForward& call) {
  start(stream, named(call.element, "swiGluForwardBf16", "swiGluForwardF32"), {blocksFor(call.count, kPack * kThreads)}, kThreads, call.gate,
        call.up, call.silu, call.product, call.count);
}

void KernelLauncher::run(Stream stream, const SwiGluBackward& call) {
  start(stream, named(call.element, "swiGluBackwardBf16", "swiGluBackwardF32"), {blocksFor(call.count, kPack * kThreads)}, kThreads,
        call.gradProduct, call.gate, call.up, call.silu, call.gradGate, call.gradUp, call.count);
}

void KernelLauncher::run(Stream stream, const Add& call) {
  start(stream, named(call.element, "addBf16", "addF32"), {blocksFor(call.count, kPack * kThreads)}, kThreads, call.left, call.right, call.out,
        call.count);
}

void KernelLauncher::run(Stream stream, const LossForward& call) {
  const auto ranges = static_cast<std::uint32_t>(std::min(kReductionBlocks, blocksFor(call.count, kPack * kThreads)));
  const DeviceAddress partials = workspaceOf(stream);
  start(stream, named(call.element, "lossForwardBf16", "lossForwardF32"), {ranges}, kThreads, call.hidden, call.hidden32, partials, call.count);
  start(stream, "finishLoss", {}, kThreads, partials, ranges, call.loss, call.count);
}

void KernelLauncher::run(Stream stream, const LossBackward& call) {
  const float factor = 2.0F / static_cast<float>(call.count);
  start(stream, named(call.element, "lossBackwardBf16", "lossBackwardF32"), {blocksFor(call.count, kPack * kThreads)}, kThreads, call.hidden32,
        call.gradHidden, call.count, factor);
}

void KernelLauncher::run(Stream stream, const LinearForward& call) {
  if (!cublas_) return startTiles(stream, linearLaunches(call, {modules_.isHopper()}));
  workspaceOf(stream);
  if (call.bias != 0) {
    const std::uint64_t count = call.rows * call.outWidth;
    start(stream, named(call.element, "biasRowsBf16", "biasRowsF32"), {blocksFor(count, kThreads)}, kThreads, call.bias, call.out, count,
          call.outWidth);
  }
  // Row-major matrices are column-major ones transposed: out^T = weight * input^T.
  cublas_->multiply(stream, {.element = call.element,
                             .left = call.weight,
                             .right = call.input,
                             .out = call.out,
                             .isLeftTransposed = true,
                             .isRightTransposed = false,
                             .rows = call.outWidth,
                             .columns = call.rows,
                             .depth = call.inWidth,
                             .leftStride = call.inWidth,
                             .rightStride = call.inWidth,
                             .outStride = call.outWidth,
                             .accumulates = call.bias != 0});
}

void KernelLauncher::run(Stream stream, const LinearBackwardInput& call) {
  if (!cublas_) return startTiles(stream, linearLaunches(call, {modules_.isHopper()}));
  workspaceOf(stream);
  cublas_->multiply(stream, {.element = call.element,
                             .left = call.weight,
                             .right = call.gradOut,
                             .out = call.gradInput,
                             .isLeftTransposed = false,
                             .isRightTransposed = false,
                             .rows = call.inWidth,
                             .columns = call.rows,
                             .depth = call.outWidth,
                             .leftStride = call.inWidth,
                             .rightStride = call.outWidth,
                             .outStride = call.inWidth,
                             .accumulates = false});
}

void KernelLauncher::run(Stream stream, const LinearBackwardWeight& call) {
  if (call.gradBias != 0) sumColumns(stream, call.element, call.gradOut, 0, call.gradBias, call.rows, call.outWidth);
  if (!cublas_) return startTiles(stream, linearLaunches(call, {modules_.isHopper()}));
  workspaceOf(stream);
  cublas_->multiply(stream, {.element = call.element,
                             .left = call.input,
                             .right = call.gradOut,
                             .out = call.gradWeight,
                             .isLeftTransposed = false,
                             .isRightTransposed = true,
                             .rows = call.inWidth,
                             .columns = call.outWidth,
                             .depth = call.rows,
                             .leftStride = call.inWidth,
                             .rightStride = call.outWidth,
                             .outStride = call.inWidth,
                             .accumulates = false});
}

void KernelLauncher::run(Stream stream, const AttentionForward& call) {
  startTiles(stream, attentionForwardLaunches(call, {modules_.isHopper()}));
}

void KernelLauncher::run(Stream stream, const AttentionBackward& call) {
  startTiles(stream, attentionBackwardLaunches(call, {modules_.isHopper()}));
}

}  // namespace offload::cuda
