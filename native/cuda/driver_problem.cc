#include "cuda/driver_problem.h"

#include <string>
#include <utility>

namespace offload::cuda {
namespace {

bool isKernelFault(Result failed) {
  return failed == result::illegalAddress || failed == result::assertFailed ||
         (failed >= result::firstInstructionFault && failed <= result::launchFailed);
}

bool isBusy(Result failed) { return failed == result::deviceUnavailable || failed == result::systemNotReady; }

}  // namespace

bool isImageRefusal(Result failed) {
  return failed == result::invalidImage || failed == result::noBinaryForGpu || failed == result::invalidPtx ||
         failed == result::unsupportedPtxVersion;
}

std::string describeResult(const DriverApi& api, Result failed, const char* call) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (api.getErrorName(failed, &name) != result::success || name == nullptr) name = "unknown error";
  if (api.getErrorString(failed, &text) != result::success || text == nullptr) text = "no description";
  return std::string(call) + ": " + name + " (" + std::to_string(failed) + "), " + text;
}

Problem driverProblem(const DriverApi& api, Result failed, const char* call) {
  std::string cause = describeResult(api, failed, call) + ".";
  if (failed == result::outOfMemory) {
    return {"DEVICE_OUT_OF_MEMORY", "The GPU has not enough free memory.", std::move(cause),
            "Look with nvidia-smi who else uses the GPU; or use fewer layers, a shorter sequence or a smaller micro-batch."};
  }
  if (failed == result::insufficientDriver || failed == result::stubLibrary) {
    return {"CUDA_DRIVER_TOO_OLD", "The NVIDIA driver that was found cannot run the CUDA device.", std::move(cause),
            "Install a driver of version 450 or newer, and see that libcuda.so.1 is the driver's own and no stub of a toolkit."};
  }
  if (failed == result::driverMismatch) {
    return {"CUDA_DRIVER_MISMATCH", "The NVIDIA driver library and the kernel module are of different versions.", std::move(cause),
            "Restart the machine after the driver's update; in a container, start the container anew."};
  }
  if (failed == result::noDevice) {
    return {"CUDA_NO_DEVICE", "The NVIDIA driver sees no GPU.", std::move(cause),
            "(1) Check CUDA_VISIBLE_DEVICES: an empty value hides every GPU. (2) In a container, pass the GPU through. "
            "(3) Run nvidia-smi; a GPU that fell off the bus needs a restart."};
  }
  if (isBusy(failed)) {
    return {"CUDA_DEVICE_BUSY", "The GPU does not take another process now.", std::move(cause),
            "(1) Look with nvidia-smi whether it is in exclusive mode and who holds it. (2) Wait until that job ends, or choose "
            "another GPU with CUDA_VISIBLE_DEVICES."};
  }
  if (isKernelFault(failed)) {
    return {"CUDA_KERNEL_FAULT", "A kernel failed on the GPU.", std::move(cause), "Please report this with the config used."};
  }
  if (failed == result::uncorrectableMemoryError || failed == result::deinitialized) {
    return {"CUDA_DEVICE_LOST", "The GPU stopped working during the run.", std::move(cause),
            "Look with nvidia-smi and in the system's log for Xid errors; the GPU may need a reset."};
  }
  if (isImageRefusal(failed)) {
    return {"CUDA_IMAGE_REFUSED", "The driver does not load the kernels of this version.", std::move(cause),
            "Update the NVIDIA driver, or use the device cpu or sim:NAME."};
  }
  return {"CUDA_FAILED", "A call of the CUDA driver failed.", std::move(cause),
          "Run it again; if it stays, look into the system's log for NVIDIA errors and report it."};
}

void check(const DriverApi& api, Result outcome, const char* call) {
  if (outcome != result::success) throw EngineError(driverProblem(api, outcome, call));
}

}  // namespace offload::cuda
