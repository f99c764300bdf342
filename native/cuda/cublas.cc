#include "cuda/cublas.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <utility>

namespace offload::cuda {
namespace {

namespace fs = std::filesystem;

// From NVIDIA's public cuBLAS reference; the values hold since version 11.
using Status = int;
using BlasHandle = struct BlasHandleRecord*;
constexpr Status kSuccess = 0;
constexpr int kNotTransposed = 0;
constexpr int kTransposed = 1;
constexpr int kTypeF32 = 0;
constexpr int kTypeBf16 = 14;
constexpr int kComputeF32 = 68;
constexpr int kDefaultAlgorithm = -1;
/// CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION: partial sums stay fp32.
constexpr int kFullPrecisionSums = 16;

constexpr const char* kNames[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"};
/// What messages call the prefix of an interpreter that PATH names.
constexpr const char* kPythonOnPath = "(prefix of a python3 on $PATH)";
constexpr const char* kWheelFolders[] = {"nvidia/cu13/lib", "nvidia/cublas/lib"};

using Paths = std::vector<LibraryPath>;

/// A folder, and what messages call it.
struct Folder {
  fs::path path;
  fs::path shown;

  explicit Folder(const fs::path& itself) : path(itself), shown(itself) {}
  Folder(fs::path where, fs::path name) : path(std::move(where)), shown(std::move(name)) {}
  Folder operator/(const fs::path& below) const { return {path / below, shown / below}; }
};

void addExisting(Paths& paths, const Folder& folder) {
  std::error_code ignored;
  for (const char* name : kNames) {
    const Folder file = folder / name;
    if (fs::exists(file.path, ignored)) paths.push_back({file.path.string(), file.shown.string()});
  }
}

void addWheels(Paths& paths, const Folder& packages) {
  for (const char* folder : kWheelFolders) addExisting(paths, packages / folder);
}

/// prefix/lib/python3.x/site-packages (or dist-packages).
void addPythonPrefix(Paths& paths, const Folder& prefix) {
  std::error_code ignored;
  const Folder libraries = prefix / "lib";
  fs::directory_iterator entries(libraries.path, ignored);
  for (; entries != fs::directory_iterator(); entries.increment(ignored)) {
    if (ignored) return;
    const fs::path version = entries->path().filename();
    if (!version.string().starts_with("python3")) continue;
    addWheels(paths, libraries / version / "site-packages");
    addWheels(paths, libraries / version / "dist-packages");
  }
}

std::vector<std::string> splitAtColons(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t colon = std::min(text.find(':', start), text.size());
    if (colon > start) parts.push_back(text.substr(start, colon - start));
    start = colon + 1;
  }
  return parts;
}

void addToolkits(Paths& paths) {
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const std::string home = environmentValue(variable);
    if (!home.empty()) addExisting(paths, Folder(home, std::string("$") + variable) / "lib64");
  }
  std::error_code ignored;
  std::vector<fs::path> folders;
  for (fs::directory_iterator entry("/usr/local", ignored); !ignored && entry != fs::directory_iterator(); entry.increment(ignored)) {
    if (entry->path().filename().string().starts_with("cuda")) folders.push_back(entry->path() / "lib64");
  }
  std::sort(folders.rbegin(), folders.rend());
  for (const fs::path& folder : folders) addExisting(paths, Folder(folder));
}

void addPythons(Paths& paths) {
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const std::string prefix = environmentValue(variable);
    if (!prefix.empty()) addPythonPrefix(paths, Folder(prefix, std::string("$") + variable));
  }
  std::error_code ignored;
  for (const std::string& folder : splitAtColons(environmentValue("PATH"))) {
    const fs::path python = fs::path(folder) / "python3";
    if (!fs::exists(python, ignored)) continue;
    addPythonPrefix(paths, Folder(fs::path(folder).parent_path(), kPythonOnPath));
    // A wrapper elsewhere may be a link into the environment.
    const fs::path real = fs::read_symlink(python, ignored);
    if (!ignored && real.is_absolute()) addPythonPrefix(paths, Folder(real.parent_path().parent_path(), kPythonOnPath));
  }
  const std::string home = environmentValue("HOME");
  if (!home.empty()) addPythonPrefix(paths, Folder(home, "$HOME") / ".local");
}

}  // namespace

struct Cublas::Api {
  std::shared_ptr<void> library;
  Status (*create)(BlasHandle*) = nullptr;
  Status (*destroy)(BlasHandle) = nullptr;
  Status (*getProperty)(int property, int* value) = nullptr;
  Status (*setStream)(BlasHandle, Stream) = nullptr;
  Status (*setWorkspace)(BlasHandle, void*, std::size_t) = nullptr;
  Status (*setMathMode)(BlasHandle, int) = nullptr;
  Status (*gemm)(BlasHandle, int leftOp, int rightOp, int rows, int columns, int depth, const void* alpha, const void* left, int leftType,
                 int leftStride, const void* right, int rightType, int rightStride, const void* beta, void* out, int outType, int outStride,
                 int computeType, int algorithm) = nullptr;

  bool bindAll() {
    return bindSymbol(library, "cublasCreate_v2", create) && bindSymbol(library, "cublasDestroy_v2", destroy) &&
           bindSymbol(library, "cublasGetProperty", getProperty) && bindSymbol(library, "cublasSetStream_v2", setStream) &&
           bindSymbol(library, "cublasSetWorkspace_v2", setWorkspace) && bindSymbol(library, "cublasSetMathMode", setMathMode) &&
           bindSymbol(library, "cublasGemmEx", gemm);
  }

  std::string version() const {
    int parts[3] = {};
    for (int i = 0; i < 3; ++i) getProperty(i, &parts[i]);
    return std::to_string(parts[0]) + "." + std::to_string(parts[1]) + "." + std::to_string(parts[2]);
  }
};

struct Cublas::Handle {
  Stream stream = nullptr;
  BlasHandle handle = nullptr;
};

Cublas::Cublas() = default;

Cublas::~Cublas() {
  for (const Handle& each : handles_) api_->destroy(each.handle);
}

std::vector<LibraryPath> cublasPaths() {
  const std::string chosen = environmentValue("OFFLOAD_LENS_CUBLAS");
  if (!chosen.empty()) return {{chosen, "the library that OFFLOAD_LENS_CUBLAS names"}};
  Paths paths(std::begin(kNames), std::end(kNames));
  addToolkits(paths);
  addPythons(paths);
  return paths;
}

std::unique_ptr<Cublas> Cublas::load(const std::vector<LibraryPath>& paths, std::string& whyNot) {
  LoadedLibrary loaded = loadLibrary(paths);
  if (!loaded.handle) {
    whyNot = joined(loaded.attempts);
    return nullptr;
  }
  std::unique_ptr<Cublas> cublas(new Cublas());
  cublas->api_ = std::make_unique<Api>();
  cublas->api_->library = std::move(loaded.handle);
  if (!cublas->api_->bindAll()) {
    whyNot = loaded.shown + " (it lacks a function of cuBLAS 11)";
    return nullptr;
  }
  cublas->name_ = "cuBLAS " + cublas->api_->version();
  return cublas;
}

void Cublas::attach(Stream stream, DevicePointer workspace, std::uint64_t workspaceBytes) {
  const auto require = [](Status status, const char* call) {
    if (status == kSuccess) return;
    throw EngineError({"CUDA_MATMUL_FAILED", "cuBLAS was found but cannot be used.", std::string(call) + " gave status " + std::to_string(status) + ".",
                       "Set OFFLOAD_LENS_MATMUL=own to compute without it, or OFFLOAD_LENS_CUBLAS to another libcublas."});
  };
  BlasHandle handle = nullptr;
  require(api_->create(&handle), "cublasCreate");
  handles_.push_back({stream, handle});
  require(api_->setStream(handle, stream), "cublasSetStream");
  require(api_->setWorkspace(handle, reinterpret_cast<void*>(workspace), workspaceBytes), "cublasSetWorkspace");
  require(api_->setMathMode(handle, kFullPrecisionSums), "cublasSetMathMode");
}

void Cublas::detach(Stream stream) noexcept {
  std::erase_if(handles_, [&](const Handle& each) {
    if (each.stream != stream) return false;
    api_->destroy(each.handle);
    return true;
  });
}

void Cublas::multiply(Stream stream, const ColumnMajorProduct& product) {
  const auto found = std::find_if(handles_.begin(), handles_.end(), [&](const Handle& each) { return each.stream == stream; });
  if (found == handles_.end()) throw std::logic_error("no cuBLAS handle is attached to the stream");
  if (std::max({product.rows, product.columns, product.depth}) > std::numeric_limits<int>::max()) {
    throw EngineError({"CUDA_MATMUL_FAILED", "A matrix is larger than cuBLAS takes.", "", "Use a shorter sequence or a smaller micro-batch."});
  }
  const int type = product.element == ElementType::bf16 ? kTypeBf16 : kTypeF32;
  const float alpha = 1;
  const float beta = product.accumulates ? 1.0F : 0.0F;
  const auto narrow = [](std::uint64_t value) { return static_cast<int>(value); };
  const auto pointer = [](DeviceAddress address) { return reinterpret_cast<void*>(address); };
  const Status status = api_->gemm(
      found->handle, product.isLeftTransposed ? kTransposed : kNotTransposed, product.isRightTransposed ? kTransposed : kNotTransposed,
      narrow(product.rows), narrow(product.columns), narrow(product.depth), &alpha, pointer(product.left), type, narrow(product.leftStride),
      pointer(product.right), type, narrow(product.rightStride), &beta, pointer(product.out), type, narrow(product.outStride), kComputeF32,
      kDefaultAlgorithm);
  if (status == kSuccess) return;
  throw EngineError({"CUDA_MATMUL_FAILED", "A matrix product of cuBLAS failed.", "cublasGemmEx gave status " + std::to_string(status) + ".",
                     "Set OFFLOAD_LENS_MATMUL=own to compute without it."});
}

}  // namespace offload::cuda
