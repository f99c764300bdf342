#include "engine/profile/whole_step_request.h"

#include "sim_fixture.h"

using namespace offload;
using namespace offload::testing;

namespace {

Json tinyRequest(const Json& members) {
  Json request{{"configJson", smallConfig().dump()}, {"device", "sim:H200"}, {"seqLens", {256}}, {"strategies", {"none"}},
      {"steps", 3}};
  request.update(members);
  return request;
}

/// The result, or {"problem": code} from wherever it comes.
Json answer(const Json& members) {
  const auto parsed = parseRequest(tinyRequest(members).dump());
  if (const auto* problem = std::get_if<Problem>(&parsed)) {
    CHECK_FALSE(problem->message.empty());
    CHECK_FALSE(problem->nextStep.empty());
    return {{"problem", problem->code}, {"message", problem->message}};
  }
  return profileJson(std::get<ProfileRequest>(parsed), simFactory());
}

std::string problemOf(const Json& members) { return answer(members).value("problem", "none"); }

std::uint64_t bytesOf(const Json& parts, const char* what) {
  for (const Json& part : parts) {
    if (part["what"] == what) return part["bytes"];
  }
  return 0;
}

}  // namespace

TEST_CASE("requests about the whole step that cannot run say why") {
  CHECK(problemOf({{"head", "critic"}}) == "HEAD_UNKNOWN");
  CHECK(problemOf({{"head", 3}}) == "HEAD_UNKNOWN");
  CHECK(problemOf({{"head", "hf_eager"}, {"entropy", "eager"}}) == "ENTROPY_NOT_OF_HEAD");
  CHECK(problemOf({{"entropy", "eager"}}) == "ENTROPY_NOT_OF_HEAD");
  CHECK(problemOf({{"accumulation", 0}}) == "ACCUMULATION_INVALID");
  CHECK(problemOf({{"accumulation", -1}}) == "ACCUMULATION_INVALID");
  CHECK(problemOf({{"accumulation", 1.5}}) == "ACCUMULATION_INVALID");
  CHECK(problemOf({{"optimizer", "sgd"}}) == "REQUEST_INVALID");
  CHECK(problemOf({{"clip", "yes"}}) == "REQUEST_INVALID");
  CHECK(problemOf({{"head", "chunk_loss"}, {"headChunk", 257}}) == "CHUNK_TOO_LARGE");
  CHECK(problemOf({{"head", "hf_eager"}, {"headChunk", 16}}) == "CHUNK_NOT_OF_HEAD");
  CHECK(problemOf({{"head", "verl_flash"}, {"entropy", "chunked"}, {"entropyChunk", 512}}) == "CHUNK_TOO_LARGE");
  CHECK(problemOf({{"pass", "logprob"}}) == "LOGPROB_NEEDS_HEAD");
  CHECK(problemOf({{"head", "hf_eager"}, {"worldSize", 2}, {"shard", "none"}}) == "WORLD_SIZE_INVALID");
  CHECK(problemOf({{"optimizer", "adamw_fused"}, {"optimizerBytes", 8}}) == "OPTIMIZER_TWICE");
  CHECK(problemOf({{"head", "chunk_loss"}, {"device", "cpu"}}) == "HEAD_NOT_ON_DEVICE");
  CHECK(problemOf({{"head", "hf_eager"}, {"master", "fp32"}, {"device", "cpu"}}) == "HEAD_NOT_ON_DEVICE");
  CHECK(problemOf({{"optimizer", "adamw_loop"}, {"shard", "fsdp2"}, {"device", "cpu"}}) == "HEAD_NOT_ON_DEVICE");
  CHECK(problemOf({{"head", "hf_eager"}}) == "none");
  CHECK(problemOf({{"head", "chunk_loss"}, {"headChunk", 256}}) == "none");
}

TEST_CASE("a model without logits has none of the heads") {
  for (const char* architecture : {"Qwen3ForTokenClassification", "Qwen3ForSequenceClassification", "Qwen3ForQuestionAnswering"}) {
    Json config = smallConfig();
    config["architectures"] = {architecture};
    CHECK(problemOf({{"configJson", config.dump()}, {"head", "hf_eager"}}) == "HEAD_NOT_OF_MODEL");
    CHECK(problemOf({{"configJson", config.dump()}}) == "none");
  }
}

TEST_CASE("byte counts that a double cannot hold are refused before anything runs") {
  Json config = smallConfig();
  config["vocab_size"] = 1u << 22;
  CHECK(problemOf({{"configJson", config.dump()}, {"head", "hf_eager"}, {"seqLens", {1u << 20}}, {"microBatch", 64}}) == "PRODUCT_TOO_LARGE");
  CHECK(problemOf({{"configJson", config.dump()}, {"head", "hf_eager"}}) == "none");
}

TEST_CASE("without head and optimizer the result is that of the stack alone") {
  const Json plain = answer(Json::object());
  CHECK(answer({{"head", "none"}, {"optimizer", "none"}}) == plain);
  CHECK_FALSE(plain["runs"][0].contains("phases"));
}

TEST_CASE("states of the optimizer are made in the first step, which has its own peak") {
  Json config = smallConfig();
  config["vocab_size"] = 4096;
  const Json run = answer({{"configJson", config.dump()}, {"head", "hf_eager"}, {"optimizer", "adamw_fused"}})["runs"][0];
  const std::uint64_t states = run["peakBytes"].get<std::uint64_t>() - run["firstStepPeakBytes"].get<std::uint64_t>();
  CHECK(run["peak"]["phase"] == "headBackward");
  CHECK(states == bytesOf(run["peak"]["parts"], "optimizerStates"));
  CHECK(states == 2 * bytesOf(run["peak"]["parts"], "parameters"));
}

TEST_CASE("one asked step is the one after the first") {
  const Json run = answer({{"head", "hf_eager"}, {"optimizer", "adamw_fused"}, {"steps", 1}})["runs"][0];
  CHECK(run["steps"] == 2);
  CHECK(bytesOf(run["peak"]["parts"], "optimizerStates") > 0);
}

TEST_CASE("more ranks make each rank's share of parameters, states and gradients smaller, and not the gathered root") {
  const Json common{{"head", "hf_eager"}, {"optimizer", "adamw_fused"}, {"master", "fp32"}, {"shard", "fsdp2"}};
  const auto run = [&](std::uint32_t ranks) {
    Json members = common;
    members["worldSize"] = ranks;
    return answer(members)["runs"][0];
  };
  const Json one = run(1);
  const Json eight = run(8);
  const auto staticOf = [](const Json& of) { return of["staticBytes"].get<std::uint64_t>() - (std::uint64_t{64} << 20); };
  CHECK(staticOf(one) == doctest::Approx(8.0 * static_cast<double>(staticOf(eight))).epsilon(0.01));
  CHECK(bytesOf(eight["peak"]["parts"], "gathered") >= 2 * (2 * 128 + 1) * 64);
  // A size that divides nothing pads.
  CHECK(staticOf(run(7)) > staticOf(eight));
}

TEST_CASE("gradients that are reduced at the end stay whole until then") {
  Json members{{"head", "hf_eager"}, {"optimizer", "adamw_fused"}, {"master", "fp32"}, {"worldSize", 4}, {"accumulation", 2}};
  const Json each = answer(members)["runs"][0];
  members["reduce"] = "last";
  const Json last = answer(members)["runs"][0];
  const auto endOfFirst = [](const Json& run) {
    for (const Json& phase : run["phases"]) {
      if (phase["phase"] == "stackBackward" && phase["microBatch"] == 0) return phase["endBytes"].get<std::uint64_t>() - run["staticBytes"].get<std::uint64_t>();
    }
    return std::uint64_t{0};
  };
  CHECK(endOfFirst(last) == doctest::Approx(4.0 * static_cast<double>(endOfFirst(each))).epsilon(0.02));
  CHECK(last["phases"].back()["endBytes"] == each["phases"].back()["endBytes"]);
}

TEST_CASE("a pass for log-probabilities has no backward and leaves nothing") {
  Json config = smallConfig();
  config["vocab_size"] = 65536;
  const Json run = answer({{"configJson", config.dump()}, {"head", "verl_flash"}, {"entropy", "eager"}, {"pass",
      "logprob"}})["runs"][0];
  REQUIRE(run["phases"].size() == 2);
  CHECK(run["peak"]["phase"] == "headForward");
  const std::uint64_t logits = std::uint64_t{256} * 65536;
  CHECK(run["peakBytes"].get<std::uint64_t>() - run["staticBytes"].get<std::uint64_t>() == doctest::Approx(16.0 * static_cast<double>(logits)).epsilon(0.01));
  CHECK(run["phases"][1]["endBytes"] == run["staticBytes"]);
}

TEST_CASE("samples share one row of positions in a whole step") {
  const auto afterForward = [](std::uint32_t batch, std::uint32_t seq) {
    const Json run = answer({{"head", "verl_chunked"}, {"headChunk", 256}, {"microBatch", batch}, {"seqLens",
        {seq}}})["runs"][0];
    return run["afterForwardBytes"].get<std::uint64_t>();
  };
  // Two tables of bf16 and the ids of positions, for a quarter of the positions.
  CHECK(afterForward(1, 1024) - afterForward(4, 256) == 768 * (2 * 16 * 2 + 8));
}

TEST_CASE("that the host reads loss and norm is no wait of offload") {
  const Json run = answer({{"head", "verl_flash"}, {"optimizer", "adamw_fused"}})["runs"][0];
  CHECK(run["hostStallMs"] == 0.0);
}
