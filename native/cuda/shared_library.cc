#include "cuda/shared_library.h"

#include <dlfcn.h>

#include <cstdlib>

namespace offload::cuda {
namespace {

/// What the loader says, with the path as messages name it. It starts with the path already, or with a sentence about it.
std::string reasonOf(const LibraryPath& library) {
  const char* text = dlerror();
  std::string reason = text != nullptr ? text : "unknown reason";
  if (reason.starts_with(library.path + ": ")) reason.erase(0, library.path.size() + 2);
  for (std::size_t at = 0; (at = reason.find(library.path, at)) != std::string::npos; at += library.shown.size()) {
    reason.replace(at, library.path.size(), library.shown);
  }
  return reason;
}

}  // namespace

LoadedLibrary loadLibrary(const std::vector<LibraryPath>& paths) {
  LoadedLibrary loaded;
  // Never unloaded: drivers and BLAS libraries start threads and exit handlers of their own.
  for (const LibraryPath& library : paths) {
    if (void* handle = dlopen(library.path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) {
      loaded.handle = std::shared_ptr<void>(handle, [](void* open) { dlclose(open); });
      loaded.shown = library.shown;
      return loaded;
    }
    loaded.attempts.push_back(library.shown + " (" + reasonOf(library) + ")");
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
