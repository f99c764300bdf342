#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cuda/driver_handles.h"
#include "cuda/shared_library.h"
#include "engine/device/kernel_calls.h"

namespace offload::cuda {

/// out = op(left) * op(right) of column-major matrices, as BLAS has them: out [rows, columns], depth in between.
struct ColumnMajorProduct {
  ElementType element;
  DeviceAddress left, right, out;
  bool isLeftTransposed, isRightTransposed;
  std::uint64_t rows, columns, depth;
  std::uint64_t leftStride, rightStride, outStride;
  bool accumulates;   ///< adds to what is in out, with one rounding
};

/// Where cuBLAS is looked for: the path in OFFLOAD_LENS_CUBLAS alone if it is set, else the loader's own search, the folders
/// of CUDA toolkits and those of Python wheels beside the interpreters on PATH.
std::vector<LibraryPath> cublasPaths();

/// A cuBLAS that was found, with one handle for one stream and a workspace of fixed size, so that equal calls give equal bits.
class Cublas {
 public:
  /// Nothing where none can be loaded; `whyNot` then lists what was tried.
  static std::unique_ptr<Cublas> load(const std::vector<LibraryPath>& paths, std::string& whyNot);
  ~Cublas();
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  /// "cuBLAS 13.0.2".
  const std::string& name() const { return name_; }

  /// Binds a handle to `stream` with `workspace`. Needs a current context.
  void attach(Stream stream, DevicePointer workspace, std::uint64_t workspaceBytes);
  /// Before a stream is destroyed.
  void detach(Stream stream) noexcept;
  /// Throws CUDA_MATMUL_FAILED; std::logic_error for a stream that was not attached.
  void multiply(Stream stream, const ColumnMajorProduct& product);

 private:
  struct Api;
  struct Handle;
  Cublas();

  std::unique_ptr<Api> api_;
  std::string name_;
  std::vector<Handle> handles_;
};

}  // namespace offload::cuda
