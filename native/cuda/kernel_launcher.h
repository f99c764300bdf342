#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda/cublas.h"
#include "cuda/kernel_images.h"
#include "cuda/kernels/tile_launch.h"
#include "engine/device/kernel_calls.h"

namespace offload::cuda {

/// Turns each operator of kernel_calls.h into launches on a stream. Sums have an order that depends on shapes alone.
class KernelLauncher {
 public:
  /// `cublas` may be null: then the matrix products are our own.
  KernelLauncher(const DriverApi& api, KernelModules& modules, std::unique_ptr<Cublas> cublas);

  /// Queues `call`. Throws EngineError.
  void launch(Stream stream, const KernelCall& call);
  /// Before a stream is destroyed.
  void forget(Stream stream) noexcept;
  /// Queues a kernel that traps; for tests.
  void launchFault(Stream stream);
  /// Which code computes matrix products.
  std::string matmulName() const;

 private:
  /// Memory of one stream for partial sums and cuBLAS.
  struct Workspace {
    Stream stream = nullptr;
    OwnedDeviceMemory memory;
  };
  struct Grid {
    std::uint64_t x = 1;
    std::uint32_t y = 1;
  };

  void run(Stream stream, const Memset& call);
  void run(Stream stream, const FillConstant& call);
  void run(Stream stream, const FillNormal& call);
  void run(Stream stream, const FillTokens& call);
  void run(Stream stream, const Checksum& call);
  void run(Stream stream, const RotaryTables& call);
  void run(Stream stream, const EmbeddingForward& call);
  void run(Stream stream, const EmbeddingBackward& call);
  void run(Stream stream, const RmsNormForward& call);
  void run(Stream stream, const RmsNormBackward& call);
  void run(Stream stream, const LinearForward& call);
  void run(Stream stream, const LinearBackwardInput& call);
  void run(Stream stream, const LinearBackwardWeight& call);
  void run(Stream stream, const Rotary& call);
  void run(Stream stream, const AttentionForward& call);
  void run(Stream stream, const AttentionBackward& call);
  void run(Stream stream, const SwiGluForward& call);
  void run(Stream stream, const SwiGluBackward& call);
  void run(Stream stream, const Add& call);
  void run(Stream stream, const LossForward& call);
  void run(Stream stream, const LossBackward& call);
  // Only simulated devices run models with experts: a call here is a bug.
  [[noreturn]] void run(Stream, const GroupedProduct&) { throw std::logic_error("grouped product on a GPU"); }
  [[noreturn]] void run(Stream, const MemoryPass&) { throw std::logic_error("memory pass on a GPU"); }
  // So far a GPU runs the stack alone, and a request for more is refused before.
  template <class Call>
    requires isWholeStepCall<Call>
  [[noreturn]] void run(Stream, const Call&) { throw std::logic_error("a whole step on a GPU"); }

  template <class... Arguments>
  void start(Stream stream, const char* kernel, Grid grid, unsigned threads, Arguments... arguments);
  void startTiles(Stream stream, const TileLaunches& launches);
  void sumColumns(Stream stream, ElementType element, DeviceAddress left, DeviceAddress right, DeviceAddress out, std::uint64_t rows,
                  std::uint32_t width);
  DevicePointer workspaceOf(Stream stream);
  void raiseSharedMemory(Function function, std::uint32_t bytes);

  const DriverApi& api_;
  KernelModules& modules_;
  std::unique_ptr<Cublas> cublas_;
  std::vector<Workspace> workspaces_;
  std::vector<std::pair<Function, std::uint32_t>> raised_;
};

}  // namespace offload::cuda
