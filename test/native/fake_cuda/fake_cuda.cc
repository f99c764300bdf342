#include "fake_cuda.h"

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>

namespace {

struct Fault {
  int left = 0;
  int result = 0;
  bool isSticky = false;
};

struct State {
  std::map<std::string, Fault> faults;
  std::map<std::string, int> calls;
  std::map<void*, std::size_t> memory;
  int live = 0;
  int busy = 0;
  int capability = 90;
  int driver = 13000;
  int devices = 1;
  unsigned long long freeBytes = 8ULL << 30U;
  unsigned long long totalBytes = 8ULL << 30U;
  unsigned long long throttleReasons = 0;
  const void* lastImage = nullptr;
};

State& state() {
  static State instance;
  return instance;
}

constexpr int kNotReady = 600;

/// Counts a call and gives the failure that was asked for.
int enter(const char* entry) {
  ++state().calls[entry];
  auto fault = state().faults.find(entry);
  if (fault == state().faults.end() || fault->second.left == 0) return 0;
  if (--fault->second.left > 0) return 0;
  if (fault->second.isSticky) fault->second.left = 1;
  return fault->second.result;
}

int query(const char* entry) {
  if (const int failed = enter(entry)) return failed;
  if (state().busy == 0) return 0;
  --state().busy;
  return kNotReady;
}

double nowMs() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class T>
int make(const char* entry, T** handle) {
  if (const int failed = enter(entry)) return failed;
  *handle = new T{};
  ++state().live;
  return 0;
}

template <class T>
int end(const char* entry, T* handle) {
  const int failed = enter(entry);
  delete handle;
  --state().live;
  return failed;
}

struct FakeStream {
  int unused = 0;
};
struct FakeEvent {
  double atMs = -1;
};
struct FakeModule {
  int unused = 0;
};

int takeMemory(void** address, std::size_t bytes) {
  if (bytes > state().freeBytes) return 2;
  *address = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (*address == nullptr) return 2;
  state().memory[*address] = bytes;
  state().freeBytes -= bytes;
  ++state().live;
  return 0;
}

void giveMemory(void* address) {
  state().freeBytes += state().memory[address];
  state().memory.erase(address);
  std::free(address);
  --state().live;
}

void* pointer(unsigned long long address) { return reinterpret_cast<void*>(address); }

}  // namespace

extern "C" {

void fakeCudaFail(const char* entry, int nth, int result, bool isSticky) { state().faults[entry] = {nth, result, isSticky}; }
void fakeCudaBusy(int queries) { state().busy = queries; }
void fakeCudaReset() {
  for (const auto& [address, bytes] : state().memory) std::free(address);
  state() = State{};
}
int fakeCudaLive() { return state().live; }
int fakeCudaCalls(const char* entry) { return state().calls[entry]; }
void fakeCudaMemory(unsigned long long freeBytes, unsigned long long totalBytes) {
  state().freeBytes = freeBytes;
  state().totalBytes = totalBytes;
}
void fakeCudaVersions(int capability, int driver) {
  state().capability = capability;
  state().driver = driver;
}
void fakeCudaDevices(int count) { state().devices = count; }
const void* fakeCudaLastImage() { return state().lastImage; }
void fakeCudaThrottle(unsigned long long reasons) { state().throttleReasons = reasons; }

int cuInit(unsigned) { return enter("cuInit"); }
int cuDriverGetVersion(int* version) {
  *version = state().driver;
  return enter("cuDriverGetVersion");
}
int cuGetErrorName(int, const char** name) {
  *name = "FAKE_ERROR";
  return 0;
}
int cuGetErrorString(int, const char** text) {
  *text = "made by a test";
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = state().devices;
  return enter("cuDeviceGetCount");
}
int cuDeviceGet(int* device, int index) {
  *device = index;
  return enter("cuDeviceGet");
}
int cuDeviceGetName(char* name, int bytes, int device) {
  std::snprintf(name, static_cast<std::size_t>(bytes), "Fake GPU %d", device);
  return enter("cuDeviceGetName");
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == 75 ? state().capability / 10 : attribute == 76 ? state().capability % 10 : 1;
  return enter("cuDeviceGetAttribute");
}
int cuDeviceGetPCIBusId(char* text, int bytes, int) {
  std::snprintf(text, static_cast<std::size_t>(bytes), "FFFF:FF:00.0");
  return enter("cuDeviceGetPCIBusId");
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  if (const int failed = enter("cuDevicePrimaryCtxRetain")) return failed;
  static int one = 0;
  *context = &one;
  ++state().live;
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) {
  --state().live;
  return enter("cuDevicePrimaryCtxRelease");
}
int cuCtxSetCurrent(void*) { return enter("cuCtxSetCurrent"); }
int cuMemGetInfo_v2(std::size_t* freeBytes, std::size_t* totalBytes) {
  *freeBytes = state().freeBytes;
  *totalBytes = state().totalBytes;
  return enter("cuMemGetInfo");
}
int cuMemAlloc_v2(unsigned long long* address, std::size_t bytes) {
  if (const int failed = enter("cuMemAlloc")) return failed;
  void* memory = nullptr;
  const int outcome = takeMemory(&memory, bytes);
  *address = reinterpret_cast<unsigned long long>(memory);
  return outcome;
}
int cuMemFree_v2(unsigned long long address) {
  giveMemory(pointer(address));
  return enter("cuMemFree");
}
int cuMemHostAlloc(void** address, std::size_t bytes, unsigned) {
  if (const int failed = enter("cuMemHostAlloc")) return failed;
  const int outcome = takeMemory(address, bytes);
  if (outcome == 0) state().freeBytes += bytes;
  return outcome;
}
int cuMemFreeHost(void* address) {
  // A driver that unpins more than anybody waits for.
  while (std::getenv("FAKE_CUDA_UNPINS_FOREVER") != nullptr) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  state().freeBytes -= state().memory[address];
  giveMemory(address);
  return enter("cuMemFreeHost");
}
int cuMemcpyDtoHAsync_v2(void* to, unsigned long long from, std::size_t bytes, void*) {
  if (const int failed = enter("cuMemcpyDtoHAsync")) return failed;
  std::memcpy(to, pointer(from), bytes);
  return 0;
}
int cuMemcpyHtoDAsync_v2(unsigned long long to, const void* from, std::size_t bytes, void*) {
  if (const int failed = enter("cuMemcpyHtoDAsync")) return failed;
  std::memcpy(pointer(to), from, bytes);
  return 0;
}
int cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from, std::size_t bytes, void*) {
  if (const int failed = enter("cuMemcpyDtoDAsync")) return failed;
  std::memcpy(pointer(to), pointer(from), bytes);
  return 0;
}
int cuMemsetD8Async(unsigned long long address, unsigned char value, std::size_t count, void*) {
  if (const int failed = enter("cuMemsetD8Async")) return failed;
  std::memset(pointer(address), value, count);
  return 0;
}
int cuStreamCreate(FakeStream** stream, unsigned) { return make("cuStreamCreate", stream); }
int cuStreamDestroy_v2(FakeStream* stream) { return end("cuStreamDestroy", stream); }
int cuStreamQuery(void*) { return query("cuStreamQuery"); }
int cuStreamWaitEvent(void*, void*, unsigned) { return enter("cuStreamWaitEvent"); }
int cuEventCreate(FakeEvent** event, unsigned) { return make("cuEventCreate", event); }
int cuEventDestroy_v2(FakeEvent* event) { return end("cuEventDestroy", event); }
int cuEventRecord(FakeEvent* event, void*) {
  event->atMs = nowMs();
  return enter("cuEventRecord");
}
int cuEventQuery(void*) { return query("cuEventQuery"); }
int cuEventElapsedTime(float* milliseconds, FakeEvent* start, FakeEvent* stop) {
  *milliseconds = static_cast<float>(stop->atMs - start->atMs);
  return enter("cuEventElapsedTime");
}
int cuModuleLoadDataEx(FakeModule** module, const void* image, unsigned, int*, void**) {
  const int failed = make("cuModuleLoadDataEx", module);
  if (failed == 0) state().lastImage = image;
  return failed;
}
int cuModuleUnload(FakeModule* module) { return end("cuModuleUnload", module); }
int cuModuleGetFunction(void** function, void*, const char*) {
  static int one = 0;
  *function = &one;
  return enter("cuModuleGetFunction");
}
int cuFuncSetAttribute(void*, int, int) { return enter("cuFuncSetAttribute"); }
int cuLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**) {
  return enter("cuLaunchKernel");
}

int nvmlInit_v2() { return enter("nvmlInit"); }
int nvmlShutdown() { return enter("nvmlShutdown"); }
int nvmlDeviceGetHandleByPciBusId_v2(const char*, void** device) {
  static int one = 0;
  *device = &one;
  return enter("nvmlDeviceGetHandleByPciBusId");
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
  *reasons = state().throttleReasons;
  return enter("nvmlDeviceGetCurrentClocksThrottleReasons");
}
int nvmlSystemGetDriverVersion(char* text, unsigned bytes) {
  std::snprintf(text, bytes, "123.45");
  return enter("nvmlSystemGetDriverVersion");
}

int cublasCreate_v2(void** handle) {
  static int one = 0;
  *handle = &one;
  ++state().live;
  return enter("cublasCreate");
}
int cublasDestroy_v2(void*) {
  --state().live;
  return enter("cublasDestroy");
}
int cublasGetProperty(int property, int* value) {
  *value = property + 1;
  return 0;
}
int cublasSetStream_v2(void*, void*) { return enter("cublasSetStream"); }
int cublasSetWorkspace_v2(void*, void*, std::size_t) { return enter("cublasSetWorkspace"); }
int cublasSetMathMode(void*, int) { return enter("cublasSetMathMode"); }
int cublasGemmEx(void*, int leftOp, int rightOp, int rows, int columns, int depth, const float* alpha, const float* left, int, int leftStride,
                 const float* right, int, int rightStride, const float* beta, float* out, int, int outStride, int, int) {
  if (const int failed = enter("cublasGemmEx")) return failed;
  const auto at = [](const float* matrix, int row, int column, int stride, bool isTransposed) {
    return isTransposed ? matrix[column + static_cast<std::size_t>(row) * stride] : matrix[row + static_cast<std::size_t>(column) * stride];
  };
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      float sum = 0;
      for (int k = 0; k < depth; ++k) {
        sum += at(left, row, k, leftStride, leftOp != 0) * at(right, k, column, rightStride, rightOp != 0);
      }
      float& target = out[row + static_cast<std::size_t>(column) * outStride];
      target = *alpha * sum + (*beta == 0 ? 0 : *beta * target);
    }
  }
  return 0;
}
}
