#pragma once

/*
 * A libcuda for tests: memory is the host's, work is done at once, kernels do nothing. It is an NVML too, and a cuBLAS that
 * multiplies fp32. Tests reach these controls by dlsym.
 */
extern "C" {

/// The n-th call (1 is the next) of an entry point, by its name without version, gives `result`; from there on all do while
/// `isSticky`. 0 clears.
void fakeCudaFail(const char* entry, int nth, int result, bool isSticky);
/// The next n queries of streams and events say that work is under way.
void fakeCudaBusy(int queries);
/// Everything as at the start; live objects are forgotten.
void fakeCudaReset();
/// Contexts, allocations, streams, events and modules that were not given back.
int fakeCudaLive();
/// Calls of an entry point so far.
int fakeCudaCalls(const char* entry);
/// What cuMemGetInfo tells at the start.
void fakeCudaMemory(unsigned long long freeBytes, unsigned long long totalBytes);
/// Compute capability as 10 * major + minor, and the version that cuDriverGetVersion tells.
void fakeCudaVersions(int capability, int driver);
void fakeCudaDevices(int count);
/// The image of the last module that loaded.
const void* fakeCudaLastImage();

/// What NVML, which this library is too, tells as reasons for lower clocks.
void fakeCudaThrottle(unsigned long long reasons);
}
