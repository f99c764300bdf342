#include <napi.h>

#include <atomic>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>

#include "addon/messages.h"
#include "devices/open_device.h"
#include "engine/profile/profile.h"
#include "link/link.h"

/*
 * What Node sees (src/profiler/engine.ts):
 *   profile(requestJson: string, onProgress: (progressJson: string) => void): { promise: Promise<string>, cancel(): void }
 *   link(deviceName: string, onProgress: (progressJson: string) => void, calibrate?: boolean): the same; progress is never told
 *   version(): string
 * The promise resolves with the result JSON, with `{"problem": {...}}`, or with `{"problem": {...}, "resultJson": "..."}` for a
 * result that could not be saved; it rejects only on a bug of the engine.
 */

namespace offload {
namespace {

struct Answer {
  std::string text;
  bool isBug = false;
};

/// What a run computes from the text that JavaScript gave: text for JavaScript. May throw.
using Work = std::string (*)(const std::string& text, const ProgressCallback& onProgress, const std::atomic<bool>& cancelled);

std::string profileAnswer(const std::string& requestJson, const ProgressCallback& onProgress, const std::atomic<bool>& cancelled) {
  const auto request = parseRequest(requestJson);
  if (const auto* problem = std::get_if<Problem>(&request)) return problemJson(*problem);
  auto outcome = runProfile(std::get<ProfileRequest>(request), openDevice, onProgress, cancelled);
  if (const auto* problem = std::get_if<Problem>(&outcome)) return problemJson(*problem);
  ProfileOutcome& finished = std::get<ProfileOutcome>(outcome);
  if (finished.saveProblem) return unsavedJson(*finished.saveProblem, finished.resultJson);
  return std::move(finished.resultJson);
}

std::string linkAnswer(const std::string& deviceName, const ProgressCallback&, const std::atomic<bool>& cancelled, bool isCalibrating) {
  auto outcome = runLink(deviceName, openDevice, cancelled, isCalibrating);
  if (const auto* problem = std::get_if<Problem>(&outcome)) return problemJson(*problem);
  return std::move(std::get<std::string>(outcome));
}

std::string plainLinkAnswer(const std::string& deviceName, const ProgressCallback& onProgress, const std::atomic<bool>& cancelled) {
  return linkAnswer(deviceName, onProgress, cancelled, false);
}

std::string calibrateAnswer(const std::string& deviceName, const ProgressCallback& onProgress, const std::atomic<bool>& cancelled) {
  return linkAnswer(deviceName, onProgress, cancelled, true);
}

/// Does the work; no exception leaves it.
Answer answer(Work work, const std::string& text, const ProgressCallback& onProgress, const std::atomic<bool>& cancelled) noexcept {
  try {
    return {work(text, onProgress, cancelled)};
  } catch (const EngineError& error) {
    return {problemJson(error.problem())};
  } catch (const std::bad_alloc&) {
    return {R"({"problem":{"code":"HOST_OUT_OF_MEMORY","message":"The engine ran out of memory.","nextStep":"Use fewer layers or a shorter sequence."}})"};
  } catch (const std::exception& error) {
    return {error.what(), true};
  } catch (...) {
    return {"unknown exception", true};
  }
}

/*
 * What follows runs when Node calls back from a thread's message. There the plain C interface is used and its failures are
 * left alone: in an environment that is ending every call fails, and a C++ exception would end the process. What a listener
 * throws stays pending, and Node reports it as uncaught.
 */

napi_value textValue(napi_env env, const std::string& text) {
  napi_value value = nullptr;
  napi_create_string_utf8(env, text.data(), text.size(), &value);
  return value;
}

void callWithText(napi_env env, napi_value listener, const std::string& text) {
  napi_value argument = textValue(env, text);
  napi_value receiver = nullptr;
  if (argument == nullptr || napi_get_undefined(env, &receiver) != napi_ok) return;
  napi_call_function(env, receiver, listener, 1, &argument, nullptr);
}

void settle(napi_env env, napi_deferred deferred, const Answer& answer) {
  napi_value text = textValue(env, answer.isBug ? "The engine failed: " + answer.text : answer.text);
  if (text == nullptr) return;
  if (!answer.isBug) {
    napi_resolve_deferred(env, deferred, text);
    return;
  }
  napi_value error = nullptr;
  if (napi_create_error(env, nullptr, text, &error) == napi_ok) napi_reject_deferred(env, deferred, error);
}

/// One call of `profile` or `link`. Lives on the JavaScript thread: it is deleted there by `finish`, or by the clean-up of an
/// environment that ends first.
class Run {
 public:
  static Napi::Object start(Napi::Env env, Work work, std::string text, Napi::Function onProgress) {
    auto* run = new Run(env, onProgress);
    Napi::Object handle = Napi::Object::New(env);
    handle.Set("promise", Napi::Value(env, run->promise_));
    handle.Set("cancel", Napi::Function::New(env, [cancelled = run->cancelled_](const Napi::CallbackInfo&) { *cancelled = true; }));
    // Last, since nothing may fail once the thread runs.
    try {
      run->thread_ = std::thread([run, work, text = std::move(text)] { run->serve(work, text); });
    } catch (const std::system_error& error) {
      run->toJs_.Release();
      run->finish(env, {problemJson({"THREAD_REFUSED", "The system refused another thread.", error.what(), "End other programs and try again."})});
    }
    return handle;
  }

 private:
  Run(Napi::Env env, Napi::Function onProgress)
      : toJs_(Napi::ThreadSafeFunction::New(env, onProgress, "offload profile", 0, 1)),
        cleanUp_(env.AddCleanupHook(&Run::abandon, this)) {
    napi_create_promise(env, &deferred_, &promise_);
  }

  void serve(Work work, const std::string& text) {
    const auto onProgress = [this](const Progress& progress) {
      toJs_.BlockingCall([text = progressJson(progress)](Napi::Env env, Napi::Function callback) {
        callWithText(env, callback, text);
      });
    };
    Answer result = answer(work, text, onProgress, *cancelled_);
    toJs_.BlockingCall([this, result = std::move(result)](Napi::Env env, Napi::Function) { finish(env, result); });
    toJs_.Release();
  }

  void finish(Napi::Env env, const Answer& result) {
    if (thread_.joinable()) thread_.join();
    cleanUp_.Remove(env);
    const napi_deferred deferred = deferred_;
    delete this;
    settle(env, deferred, result);
  }

  /// The environment ends: nobody will hear the answer.
  static void abandon(Run* run) {
    *run->cancelled_ = true;
    run->thread_.join();
    delete run;
  }

  // Shared with the handle's `cancel`, which may be called after the run is gone.
  std::shared_ptr<std::atomic<bool>> cancelled_ = std::make_shared<std::atomic<bool>>(false);
  napi_deferred deferred_ = nullptr;
  napi_value promise_ = nullptr;  // valid during `start` only
  Napi::ThreadSafeFunction toJs_;
  Napi::Env::CleanupHook<void (*)(Run*), Run> cleanUp_;
  std::thread thread_;
};

Napi::Value profile(const Napi::CallbackInfo& info) {
  if (info.Length() < 2 || !info[0].IsString() || !info[1].IsFunction()) {
    throw Napi::TypeError::New(info.Env(), "profile(requestJson: string, onProgress: function) was called with other arguments");
  }
  return Run::start(info.Env(), profileAnswer, info[0].As<Napi::String>().Utf8Value(), info[1].As<Napi::Function>());
}

Napi::Value link(const Napi::CallbackInfo& info) {
  if (info.Length() < 2 || !info[0].IsString() || !info[1].IsFunction()) {
    throw Napi::TypeError::New(info.Env(), "link(deviceName: string, onProgress: function) was called with other arguments");
  }
  const bool isCalibrating = info.Length() > 2 && info[2].IsBoolean() && info[2].As<Napi::Boolean>().Value();
  return Run::start(info.Env(), isCalibrating ? calibrateAnswer : plainLinkAnswer, info[0].As<Napi::String>().Utf8Value(), info[1].As<Napi::Function>());
}

Napi::Object initialise(Napi::Env env, Napi::Object exports) {
  exports.Set("profile", Napi::Function::New(env, profile, "profile"));
  exports.Set("link", Napi::Function::New(env, link, "link"));
  exports.Set("version", Napi::Function::New(
                             env, [](const Napi::CallbackInfo& info) { return Napi::String::New(info.Env(), OFFLOAD_VERSION); }, "version"));
  return exports;
}

}  // namespace
}  // namespace offload

// The macro wants unqualified names.
using offload::initialise;
NODE_API_MODULE(offload_lens, initialise)
