#include "cuda/shared_library.h"

#include <dlfcn.h>

#include <cstdlib>

namespace offload::cuda {
namespace {

/// What the loader says starts with the path already, or with a sentence about it.
std::string reasonOf(const std::string& path) {
  const char* text = dlerror();
  std::string reason = text != nullptr ? text : "unknown reason";
  if (reason.starts_with(path + ": ")) reason.erase(0, path.size() + 2);
  return reason;
}

}  // namespace

LoadedLibrary loadLibrary(const std::vector<std::string>& paths) {
  LoadedLibrary loaded;
  // Never unloaded: drivers and BLAS libraries start threads and exit handlers of their own.
  for (const std::string& path : paths) {
    if (void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) {
      loaded.handle = std::shared_ptr<void>(handle, [](void* open) { dlclose(open); });
      loaded.path = path;
      return loaded;
    }
    loaded.attempts.push_back(path + " (" + reasonOf(path) + ")");
  }
  return loaded;
}

std::string environmentValue(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

void* findSymbol(const std::shared_ptr<void>& library, const char* name) { return dlsym(library.get(), name); }

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) {
    if (!all.empty()) all += "; ";
    all += text;
  }
  return all;
}

}  // namespace offload::cuda
