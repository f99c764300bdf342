#pragma once

#include "engine/tape/autograd.h"

namespace offload {

/*
 * Several residual streams beside each other, in one tensor [streams, batch, seq, width] (bytes and layout rules are those of
 * any other order). They stand in for the learned mixtures of families that have them: size and life of the streams are
 * theirs, the arithmetic is plain sums, which save nothing.
 */

/// As many copies of the hidden states [batch, seq, width].
Tensor expandStreams(Autograd& autograd, const Tensor& hidden, std::uint32_t streams);

/// The sum of all streams, [batch, seq, width].
Tensor collapseStreams(Autograd& autograd, const Tensor& streams);

/// Every stream plus `hidden` [batch, seq, width].
Tensor addToStreams(Autograd& autograd, const std::string& name, const Tensor& streams, const Tensor& hidden);

}  // namespace offload
