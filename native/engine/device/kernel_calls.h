#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <variant>

namespace offload {

/// Memory of a device as an opaque number: a pointer on CpuDevice, a CUdeviceptr on a GPU, a made-up number on a simulated one.
using DeviceAddress = std::uint64_t;

/// Storage type of activations, weights and gradients. Arithmetic inside a kernel is fp32 in either case.
enum class ElementType : std::uint8_t { bf16, f32 };

constexpr std::uint64_t bytesPerElement(ElementType type) { return type == ElementType::bf16 ? 2 : 4; }

/*
 * One struct per operator: what a device must be able to compute. `E` below is the element type of the call; every other
 * type is named. All matrices are row-major and contiguous. `rows` is the number of tokens S = batch * seq unless the
 * comment says otherwise. No call reads its outputs unless the comment says "accumulates". Each is deterministic: the same
 * bits for the same inputs, whatever else runs.
 *
 * The arithmetic follows the framework's eager operators (facts: which tensors are saved), so that what the
 * backward calls read is exactly what the framework saves.
 */

/// out[i] = 0 for `bytes` bytes.
struct Memset { DeviceAddress out; std::uint64_t bytes; };

/// out[i] = value, `count` elements of E (norm weights).
struct FillConstant { ElementType element; DeviceAddress out; std::uint64_t count; float value; };

/// Pseudo-normal weights: element i is stddev * g(seed, i), where g is the centred, scaled sum of four 16-bit lanes of a
/// splitmix64 hash (Irwin-Hall): integer arithmetic only, hence the same bits on every device.
struct FillNormal { ElementType element; DeviceAddress out; std::uint64_t count; std::uint64_t seed; float stddev; };

/// Token ids (int32) in [0, vocab): splitmix64(seed + i) mod vocab.
struct FillTokens { DeviceAddress out; std::uint64_t count; std::uint64_t seed; std::uint32_t vocab; };

/// out (uint64) = sum over 8-byte little-endian words w_i of mix(w_i + (i + 1) * golden), modulo 2^64, the tail padded with
/// zeros; mix is splitmix64's finaliser. Independent of the order of summation.
struct Checksum { DeviceAddress input; std::uint64_t bytes; DeviceAddress out; };

/// cos, sin [rows, headDim] of E: angle(position, j) = position * theta^(-2 (j mod D/2) / D), position = row mod seq.
struct RotaryTables { ElementType element; DeviceAddress cos; DeviceAddress sin; std::uint64_t rows; std::uint32_t seq; std::uint32_t headDim; float theta; };

/// out[row] = table[ids[row]]; ids int32 [rows], table [vocab, hidden], out [rows, hidden].
struct EmbeddingForward { ElementType element; DeviceAddress ids; DeviceAddress table; DeviceAddress out; std::uint64_t rows; std::uint32_t hidden; std::uint32_t vocab; };

/// gradTable [vocab, hidden] += sum of gradOut rows by id. Accumulates into gradTable (zeroed by the caller); rows of one id
/// are added in ascending row order.
struct EmbeddingBackward { ElementType element; DeviceAddress ids; DeviceAddress gradOut; DeviceAddress gradTable; std::uint64_t rows; std::uint32_t hidden; std::uint32_t vocab; };

/// Per row of `width`: input32 = float(input); rstd = 1 / sqrt(mean(input32^2) + eps); normalised = E(input32 * rstd);
/// out = weight * normalised. `rows` counts norm rows (S, S*H for q_norm). input32 f32 [rows, width], rstd f32 [rows].
struct RmsNormForward { ElementType element; DeviceAddress input; DeviceAddress weight; DeviceAddress input32; DeviceAddress rstd; DeviceAddress normalised; DeviceAddress out; std::uint64_t rows; std::uint32_t width; float eps; };

/// From the three saved tensors and weight: gradInput [rows, width] of E and gradWeight [width] of E (overwritten).
/// h = float(gradOut) * weight; gradInput = rstd * h - input32 * rstd^3 * mean(h * input32).
struct RmsNormBackward { ElementType element; DeviceAddress gradOut; DeviceAddress weight; DeviceAddress input32; DeviceAddress rstd; DeviceAddress normalised; DeviceAddress gradInput; DeviceAddress gradWeight; std::uint64_t rows; std::uint32_t width; };

/// out [rows, outWidth] = input [rows, inWidth] * weight^T (+ bias), weight [outWidth, inWidth]; bias 0 for none.
struct LinearForward { ElementType element; DeviceAddress input; DeviceAddress weight; DeviceAddress bias; DeviceAddress out; std::uint64_t rows; std::uint32_t inWidth; std::uint32_t outWidth; };

/// gradInput [rows, inWidth] = gradOut * weight.
struct LinearBackwardInput { ElementType element; DeviceAddress gradOut; DeviceAddress weight; DeviceAddress gradInput; std::uint64_t rows; std::uint32_t inWidth; std::uint32_t outWidth; };

/// gradWeight [outWidth, inWidth] = gradOut^T * input; gradBias [outWidth] = column sums of gradOut, 0 for none.
struct LinearBackwardWeight { ElementType element; DeviceAddress gradOut; DeviceAddress input; DeviceAddress gradWeight; DeviceAddress gradBias; std::uint64_t rows; std::uint32_t inWidth; std::uint32_t outWidth; };

/// Rotates pairs (j, j + D/2) of input [rows, heads, headDim]: out = input * cos + rotateHalf(input) * sin; with `inverse`
/// the transpose of that map (the backward).
struct Rotary { ElementType element; DeviceAddress input; DeviceAddress cos; DeviceAddress sin; DeviceAddress out; std::uint64_t rows; std::uint32_t heads; std::uint32_t headDim; bool inverse; };

/// Causal attention with grouped heads, scale 1/sqrt(headDim). query, out [batch, seq, heads, headDim]; key, value
/// [batch, seq, keyValueHeads, headDim]; logSumExp f32 [batch, heads, seq]. Query head h reads key head h / (heads / keyValueHeads).
struct AttentionForward { ElementType element; DeviceAddress query; DeviceAddress key; DeviceAddress value; DeviceAddress out; DeviceAddress logSumExp; std::uint32_t batch; std::uint32_t seq; std::uint32_t heads; std::uint32_t keyValueHeads; std::uint32_t headDim; };

/// Gradients of the above from its five saved tensors. `delta` is scratch, f32 [batch, heads, seq]: sum of gradOut * out.
struct AttentionBackward { ElementType element; DeviceAddress gradOut; DeviceAddress query; DeviceAddress key; DeviceAddress value; DeviceAddress out; DeviceAddress logSumExp; DeviceAddress delta; DeviceAddress gradQuery; DeviceAddress gradKey; DeviceAddress gradValue; std::uint32_t batch; std::uint32_t seq; std::uint32_t heads; std::uint32_t keyValueHeads; std::uint32_t headDim; };

/// silu = E(gate * sigmoid(gate)); product = E(silu * up). `count` elements each.
struct SwiGluForward { ElementType element; DeviceAddress gate; DeviceAddress up; DeviceAddress silu; DeviceAddress product; std::uint64_t count; };

/// gradUp = gradProduct * silu; gradGate = gradProduct * up * sigmoid(gate) * (1 + gate * (1 - sigmoid(gate))).
struct SwiGluBackward { ElementType element; DeviceAddress gradProduct; DeviceAddress gate; DeviceAddress up; DeviceAddress silu; DeviceAddress gradGate; DeviceAddress gradUp; std::uint64_t count; };

/// out = left + right, `count` elements; out may be left (residual, and the sum of gradients of several uses).
struct Add { ElementType element; DeviceAddress left; DeviceAddress right; DeviceAddress out; std::uint64_t count; };

/// hidden32 f32 = float(hidden); loss (f32 scalar) = mean(hidden32^2), summed in a fixed order.
struct LossForward { ElementType element; DeviceAddress hidden; DeviceAddress hidden32; DeviceAddress loss; std::uint64_t count; };

/// gradHidden = E(2 * hidden32 / count).
struct LossBackward { ElementType element; DeviceAddress hidden32; DeviceAddress gradHidden; std::uint64_t count; };

/// out f32 = float(input), `count` elements.
struct Widen { ElementType element; DeviceAddress input; DeviceAddress out; std::uint64_t count; };

/// out = E(input), input f32.
struct Narrow { ElementType element; DeviceAddress input; DeviceAddress out; std::uint64_t count; };

/// Per row of `width`, all f32: out = input - log(sum(exp(input))), the largest entry taken out before the exponential.
struct LogSoftmax { DeviceAddress input; DeviceAddress out; std::uint64_t rows; std::uint32_t width; };

/// Gradient of factor * mean(-logSoftmax[row, next(row)]) in logSoftmax f32 [rows, width]: 0 but for the entries of the next tokens.
/// ids int32 [rows]; next(row) = ids[row + 1], and the last row of every sequence of `seq` has none.
struct NextTokenGradient { DeviceAddress ids; DeviceAddress out; std::uint64_t rows; std::uint32_t seq; std::uint32_t width; float factor; };

/// Per row, all f32: out = gradOut - exp(logSoftmax) * sum(gradOut).
struct LogSoftmaxBackward { DeviceAddress gradOut; DeviceAddress logSoftmax; DeviceAddress out; std::uint64_t rows; std::uint32_t width; };

/// sum (double) += sum of squares, `count` elements, added in a fixed order.
struct SumOfSquares { ElementType element; DeviceAddress input; DeviceAddress sum; std::uint64_t count; };

/// values = E(values * min(1, most / (sqrt(sum) + 1e-6))), sum a double: `torch.nn.utils.clip_grad_norm_`.
struct ClipToNorm { ElementType element; DeviceAddress values; DeviceAddress sum; std::uint64_t count; float most; };

/// One step of AdamW (Loshchilov, Hutter 2019) as torch.optim.AdamW computes it, in f32, parameter and both moments rounded to E at
/// the end: decay, moments, bias corrections of step `step` (from 1), update. In place.
struct AdamW { ElementType element; DeviceAddress parameter; DeviceAddress gradient; DeviceAddress first; DeviceAddress second; std::uint64_t count; std::uint32_t step; float rate; float decay; };

/// Products of sorted tokens with the weights of their experts, in one kernel: `rows` tokens, evenly over `experts` weights
/// [outWidth, inWidth] each; forward, or the gradient of the input or of the weights. Simulated devices only.
struct GroupedProduct { ElementType element; std::uint64_t rows; std::uint32_t inWidth; std::uint32_t outWidth; std::uint64_t experts; bool isBackward; };

/// A chain of pointwise, gathering or sorting operators: the bytes that they read and write, the kernels that run and the
/// operators that the host issues for them. `isWide`: over tensors so large that kernels come near the device's bandwidth.
/// Simulated devices only.
struct MemoryPass { std::uint64_t bytes; std::uint32_t kernels; std::uint32_t operators; bool isBackward; bool isWide = false; };

using KernelCall =
    std::variant<Memset, FillConstant, FillNormal, FillTokens, Checksum, RotaryTables, EmbeddingForward, EmbeddingBackward,
                 RmsNormForward, RmsNormBackward, LinearForward, LinearBackwardInput, LinearBackwardWeight, Rotary,
                 AttentionForward, AttentionBackward, SwiGluForward, SwiGluBackward, Add, LossForward, LossBackward,
                 Widen, Narrow, LogSoftmax, NextTokenGradient, LogSoftmaxBackward, SumOfSquares, ClipToNorm, AdamW,
                 GroupedProduct, MemoryPass>;

/// Head, loss, clip and optimizer: not on every device. A simulated one counts them as MemoryPass.
template <class Call>
inline constexpr bool isWholeStepCall =
    std::is_same_v<Call, Widen> || std::is_same_v<Call, Narrow> || std::is_same_v<Call, LogSoftmax> ||
    std::is_same_v<Call, NextTokenGradient> || std::is_same_v<Call, LogSoftmaxBackward> || std::is_same_v<Call, SumOfSquares> ||
    std::is_same_v<Call, ClipToNorm> || std::is_same_v<Call, AdamW>;

}  // namespace offload
