#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "cuda/shared_library.h"
#include "engine/base/problem.h"

namespace offload::cuda {

/*
 * The part of the CUDA driver API that is used, declared here from NVIDIA's public reference ("CUDA Driver API"), so that
 * neither building nor loading needs a toolkit. Opaque handles are pointers to types that nobody defines.
 */

/// CUresult. 0 is success.
using Result = int;
using DeviceOrdinal = int;
using DevicePointer = unsigned long long;
using Context = struct ContextRecord*;
using Stream = struct StreamRecord*;
using Event = struct EventRecord*;
using Module = struct ModuleRecord*;
using Function = struct FunctionRecord*;

namespace result {
inline constexpr Result success = 0;
inline constexpr Result outOfMemory = 2;
inline constexpr Result deinitialized = 4;
inline constexpr Result stubLibrary = 34;
inline constexpr Result insufficientDriver = 35;
inline constexpr Result deviceUnavailable = 46;
inline constexpr Result noDevice = 100;
inline constexpr Result invalidImage = 200;
inline constexpr Result noBinaryForGpu = 209;
inline constexpr Result uncorrectableMemoryError = 214;
inline constexpr Result invalidPtx = 218;
inline constexpr Result unsupportedPtxVersion = 222;
inline constexpr Result notReady = 600;
inline constexpr Result illegalAddress = 700;
inline constexpr Result assertFailed = 710;
inline constexpr Result firstInstructionFault = 714;   ///< 714 … 718: stack error, illegal instruction, misaligned address, address space, program counter
inline constexpr Result launchFailed = 719;
inline constexpr Result systemNotReady = 802;
inline constexpr Result driverMismatch = 803;
}  // namespace result

namespace attribute {
inline constexpr int multiprocessors = 16;
inline constexpr int majorVersion = 75;
inline constexpr int minorVersion = 76;
/// CUfunction_attribute: largest dynamic shared memory.
inline constexpr int maxDynamicSharedBytes = 8;
}  // namespace attribute

namespace flag {
inline constexpr unsigned streamNonBlocking = 1;
inline constexpr unsigned eventDisableTiming = 2;
inline constexpr unsigned hostPortable = 1;
}  // namespace flag

/// CUjit_option, as far as used.
namespace jit {
inline constexpr int errorLog = 5;
inline constexpr int errorLogBytes = 6;
}  // namespace jit

/// Entry points of a loaded driver, all present.
struct DriverApi {
  Result (*init)(unsigned flags) = nullptr;
  Result (*driverGetVersion)(int* version) = nullptr;
  Result (*getErrorName)(Result result, const char** name) = nullptr;
  Result (*getErrorString)(Result result, const char** text) = nullptr;

  Result (*deviceGetCount)(int* count) = nullptr;
  Result (*deviceGet)(DeviceOrdinal* device, int index) = nullptr;
  Result (*deviceGetName)(char* name, int bytes, DeviceOrdinal device) = nullptr;
  Result (*deviceGetAttribute)(int* value, int attribute, DeviceOrdinal device) = nullptr;
  Result (*deviceGetPciBusId)(char* text, int bytes, DeviceOrdinal device) = nullptr;

  Result (*primaryContextRetain)(Context* context, DeviceOrdinal device) = nullptr;
  Result (*primaryContextRelease)(DeviceOrdinal device) = nullptr;
  Result (*contextSetCurrent)(Context context) = nullptr;

  Result (*memGetInfo)(std::size_t* freeBytes, std::size_t* totalBytes) = nullptr;
  Result (*memAlloc)(DevicePointer* address, std::size_t bytes) = nullptr;
  Result (*memFree)(DevicePointer address) = nullptr;
  Result (*memHostAlloc)(void** address, std::size_t bytes, unsigned flags) = nullptr;
  Result (*memFreeHost)(void* address) = nullptr;
  Result (*memcpyDtoHAsync)(void* to, DevicePointer from, std::size_t bytes, Stream stream) = nullptr;
  Result (*memcpyHtoDAsync)(DevicePointer to, const void* from, std::size_t bytes, Stream stream) = nullptr;
  Result (*memcpyDtoDAsync)(DevicePointer to, DevicePointer from, std::size_t bytes, Stream stream) = nullptr;
  Result (*memsetD8Async)(DevicePointer address, unsigned char value, std::size_t count, Stream stream) = nullptr;

  Result (*streamCreate)(Stream* stream, unsigned flags) = nullptr;
  Result (*streamDestroy)(Stream stream) = nullptr;
  Result (*streamQuery)(Stream stream) = nullptr;
  Result (*streamWaitEvent)(Stream stream, Event event, unsigned flags) = nullptr;

  Result (*eventCreate)(Event* event, unsigned flags) = nullptr;
  Result (*eventDestroy)(Event event) = nullptr;
  Result (*eventRecord)(Event event, Stream stream) = nullptr;
  Result (*eventQuery)(Event event) = nullptr;
  Result (*eventElapsedTime)(float* milliseconds, Event start, Event end) = nullptr;

  Result (*moduleLoadDataEx)(Module* module, const void* image, unsigned optionCount, int* options, void** values) = nullptr;
  Result (*moduleUnload)(Module module) = nullptr;
  Result (*moduleGetFunction)(Function* function, Module module, const char* name) = nullptr;
  Result (*functionSetAttribute)(Function function, int attribute, int value) = nullptr;
  Result (*launchKernel)(Function function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
                         unsigned blockZ, unsigned sharedBytes, Stream stream, void** arguments, void** extra) = nullptr;

  /// Newest CUDA version that the driver serves, 1000 * major + 10 * minor.
  int version = 0;
  /// Keeps the library loaded.
  std::shared_ptr<void> library;
};

/// Where the driver is looked for, in this order: the path in the variable OFFLOAD_LENS_LIBCUDA alone if it is set, else the
/// loader's own search and the folders that containers and WSL mount it to.
std::vector<LibraryPath> driverPaths();

/// Loads and initialises the driver. Problems: CUDA_DRIVER_ABSENT, CUDA_DRIVER_FOREIGN, CUDA_DRIVER_TOO_OLD,
/// CUDA_DRIVER_MISMATCH, CUDA_NO_DEVICE, CUDA_DEVICE_BUSY, CUDA_FAILED.
std::variant<std::shared_ptr<const DriverApi>, Problem> loadDriver(const std::vector<LibraryPath>& paths);

}  // namespace offload::cuda
