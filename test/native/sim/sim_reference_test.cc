// The simulated H200 against training steps recorded on a real one (test/fixtures/reference-runs.json).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

double relative(double value, double truth) { return std::abs(value / truth - 1); }

/// The recorded mode as strategy and checkpointing.
struct Mode {
  std::string strategy;
  bool isCheckpointed;
};

Mode modeOf(const std::string& text) {
  const auto has = [&](const char* word) { return text.find(word) != std::string::npos; };
  const std::string strategy = has("veomni_async")         ? "veomni_async"
                               : has("verl_double_buffer") ? "verl_double_buffer"
                               : has("save_on_cpu")        ? "save_on_cpu"
                                                           : "none";
  return {strategy, text.starts_with("gc")};
}

void checkRun(const Json& recorded) {
  const std::string shape = recorded["shape"];
  const Mode mode = modeOf(recorded["mode"]);
  const bool isLarge = shape == "q8_s8k";
  ProfileRequest request = simRequest(qwen3Config(isLarge, isLarge ? 36 : 28), {shape == "q06_s16k" ? 16384u : shape == "q06_s4k" ? 4096u : 8192u});
  request.strategies = {mode.strategy};
  request.gradientCheckpointing = mode.isCheckpointed ? Checkpointing::on : Checkpointing::off;
  if (recorded.contains("patterns") && recorded["patterns"].is_array()) {
    request.patterns = recorded["patterns"].get<std::vector<std::string>>();
  }
  request.cacheLimitGb = recorded.value("cache_limit_gb", 4.0);
  // verl ran as it is: the sums of gradients in the recording are those of its own key.
  request.doubleBufferKey = CopyKey::original;

  const Json result = profileJson(request, simFactory());
  REQUIRE_MESSAGE(result.contains("runs"), result.dump());
  const Json& run = result["runs"][0];

  if (!recorded["pool"].is_null()) CHECK(run["pool"] == recorded["pool"]);
  const double truthStatic = recorded["static_bytes"];
  const double afterForward = recorded["after_forward_bytes"].get<double>() - truthStatic;
  // The recording counts its loss as one block of 1,024 bytes; save_on_cpu leaves nothing else.
  CHECK(std::abs(static_cast<double>(overStatic(run)) - afterForward) <= std::max(0.01 * afterForward, 1024.0));
  const double peak = recorded["peak_bytes"].get<double>() - truthStatic;
  CHECK(relative(run["peakBytes"].get<double>() - run["staticBytes"].get<double>(), peak) <= 0.05);

  const double step = run["stepMs"]["median"];
  if (shape == "q06_s4k") {
    // Small kernels: the host's costs show, and so do those of single copies.
    const auto samples = recorded["step_ms_samples"].get<std::vector<double>>();
    const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
    INFO("step " << step << " ms, recorded " << *least << " to " << *most);
    CHECK(step >= *least);
    CHECK(step <= *most);
  } else {
    INFO("step " << step << " ms, recorded " << recorded["step_ms_median"]);
    CHECK(relative(step, recorded["step_ms_median"]) <= 0.1);
  }
}

}  // namespace

TEST_CASE("every recorded run: counters equal, bytes within 1 % and 5 %, steps within 10 % or the recorded spread") {
  const Json reference = readFixture("reference-runs.json");
  REQUIRE(reference["runs"].size() == 17);
  for (const Json& recorded : reference["runs"]) {
    CAPTURE(recorded["shape"].get<std::string>());
    CAPTURE(recorded["mode"].get<std::string>());
    checkRun(recorded);
  }
}

TEST_CASE("the pinned allocator below the pool: recorded counters and bytes, slow first steps, and a small limit is faster") {
  const Json reference = readFixture("reference-runs.json");
  for (const Json& recorded : reference["host_allocator_runs"]["runs"]) {
    const std::string name = recorded["name"];
    CAPTURE(name);
    const auto seqLens = recorded["seq_lens"].get<std::vector<std::uint32_t>>();
    ProfileRequest request = simRequest(qwen3Config(false, 28), seqLens);
    request.steps = static_cast<std::uint32_t>(seqLens.size());
    request.strategies = {recorded["pool"].is_null() ? "none" : "veomni_async"};
    request.cacheLimitGb = name.ends_with("limit 0") ? 0 : name.ends_with("limit .25") ? 0.25 : 4;
    const Json result = profileJson(request, simFactory());
    REQUIRE_MESSAGE(result.contains("runs"), result.dump());
    const Json& run = result["runs"][0];
    const auto samples = run["stepMs"]["samples"].get<std::vector<double>>();

    if (recorded["pool"].is_null()) {
      // Nothing is pinned but the recording's own block of one byte.
      CHECK(recorded["pinned_allocations_by_the_framework_allocator"] == 1);
      CHECK(recorded["pinned_bytes_held_at_end"] == 1);
      CHECK(run["hostAllocator"].is_null());
      CHECK(run["pinnedPeakBytes"] == 0);
      // The lengths are known to the step: nothing else explains them. The shortest are bound by the host.
      for (std::size_t i = 0; i < samples.size(); ++i) {
        CAPTURE(seqLens[i + 2]);
        CHECK(relative(samples[i], recorded["step_ms"][i + 2]) <= 0.1);
      }
      continue;
    }
    CHECK(run["pool"] == recorded["pool"]);
    // One block of one byte is the recording's own.
    CHECK(run["hostAllocator"]["allocations"].get<int>() == recorded["pinned_allocations_by_the_framework_allocator"].get<int>() - 1);
    CHECK(run["hostAllocator"]["bytesHeld"].get<std::int64_t>() == recorded["pinned_bytes_held_at_end"].get<std::int64_t>() - 1);

    if (!name.starts_with("varying")) continue;
    request.cacheLimitGb = 0.25;
    const auto small = profileJson(request, simFactory())["runs"][0]["stepMs"]["samples"].get<std::vector<double>>();
    // Seven steps pin new memory at 4 GiB; two of them are warm-up. Afterwards the limit makes little difference.
    double slow = 0;
    double fast = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(samples[i] > small[i] + 250);
      slow += samples[i];
      fast += small[i];
    }
    CHECK(slow > 1.4 * fast);
    for (std::size_t i = 5; i < samples.size(); ++i) CHECK(samples[i] < small[i] + 60);
  }
}

TEST_CASE("two ranks of FSDP2: bytes within 5 % and 10 %, steps within 10 %") {
  const Json reference = readFixture("reference-runs.json");
  for (const Json& recorded : reference["fsdp2_runs"]) {
    const std::string name = recorded["name"];
    CAPTURE(name);
    ProfileRequest request = simRequest(qwen3Config(true, recorded["layers"]), {recorded["seq"].get<std::uint32_t>()});
    request.ranks.worldSize = recorded["world"];
    request.strategies = {recorded["pool"].is_null() ? "none" : "veomni_async"};
    const Json result = profileJson(request, simFactory());
    REQUIRE_MESSAGE(result.contains("runs"), result.dump());
    const Json& run = result["runs"][0];
    const double afterForward = recorded["after_forward"].get<double>() - recorded["static"].get<double>();
    const double peak = recorded["peak"].get<double>() - recorded["static"].get<double>();
    INFO("after forward " << overStatic(run) << " of " << afterForward << ", step " << run["stepMs"]["median"]);
    INFO("peak " << run["peakBytes"].get<double>() - run["staticBytes"].get<double>() << " of " << peak);
    CHECK(relative(static_cast<double>(overStatic(run)), afterForward) <= 0.05);
    CHECK(relative(run["peakBytes"].get<double>() - run["staticBytes"].get<double>(), peak) <= 0.1);
    CHECK(relative(run["staticBytes"], recorded["static"]) <= 0.02);
    CHECK(relative(run["stepMs"]["median"], recorded["step_ms"]) <= 0.1);
    if (recorded["pool"].is_null()) continue;
    CHECK(run["pool"]["allocations"] == recorded["pool"]["alloc"]);
    CHECK(run["pool"]["reuses"] == recorded["pool"]["reuse"]);
  }
}
