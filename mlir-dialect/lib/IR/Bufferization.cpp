// Part of Relayout, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpSupport.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace relayout {

namespace {
/// Out of place: the source is read, the dest written; without a dest the result
/// is a new allocation.
template <typename OpT>
struct RearrangementModel : BufferizableOpInterface::ExternalModel<RearrangementModel<OpT>, OpT> {
  bool bufferizesToAllocation(Operation *op, Value) const { return !cast<OpT>(op).getDest(); }

  bool bufferizesToMemoryRead(Operation *, OpOperand &operand, const AnalysisState &) const {
    return operand.getOperandNumber() == 0;
  }

  bool bufferizesToMemoryWrite(Operation *, OpOperand &operand, const AnalysisState &) const {
    return operand.getOperandNumber() != 0;
  }

  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    if (operand.getOperandNumber() == 0)
      return {};
    return {{op->getResult(0), BufferRelation::Equivalent}};
  }

  FailureOr<BufferLikeType> getBufferType(Operation *op, Value value,
                                          const BufferizationOptions &options,
                                          const BufferizationState &state,
                                          SmallVector<Value> &invocationStack) const {
    if (Value dest = cast<OpT>(op).getDest())
      return bufferization::getBufferType(dest, options, state, invocationStack);
    // A new buffer lies in the memory space of the source.
    FailureOr<BufferLikeType> source =
        bufferization::getBufferType(cast<OpT>(op).getSource(), options, state, invocationStack);
    if (failed(source))
      return failure();
    return cast<BufferLikeType>(getMemRefTypeWithStaticIdentityLayout(
        cast<TensorType>(value.getType()), cast<BaseMemRefType>(*source).getMemorySpace()));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    auto rearrangement = cast<OpT>(op);
    FailureOr<Value> source = getBuffer(rewriter, rearrangement.getSource(), options, state);
    FailureOr<Value> dest = getDestBuffer(rearrangement, rewriter, options, state);
    if (failed(source) || failed(dest))
      return failure();
    if (Status status = detail::checkOperands(*source, *dest); !status)
      return op->emitOpError(status.error().message);
    OperationState newOp(op->getLoc(), OpT::getOperationName(), {*source, *dest}, {},
                         op->getAttrs());
    rewriter.create(newOp);
    replaceOpWithBufferizedValues(rewriter, op, *dest);
    return success();
  }

private:
  static FailureOr<Value> getDestBuffer(OpT op, RewriterBase &rewriter,
                                        const BufferizationOptions &options,
                                        BufferizationState &state) {
    if (Value dest = op.getDest())
      return getBuffer(rewriter, dest, options, state);
    FailureOr<BufferLikeType> type = bufferization::getBufferType(op.getResult(), options, state);
    if (failed(type))
      return failure();
    return options.createAlloc(rewriter, op.getLoc(), cast<MemRefType>(*type), {});
  }
};

template <typename... OpTs> void attachModels(MLIRContext *context) {
  (OpTs::template attachInterface<RearrangementModel<OpTs>>(*context), ...);
}
} // namespace

void RelayoutDialect::attachBufferizationModels() {
  attachModels<DepthToSpaceOp, SpaceToDepthOp, SpaceToBatchOp, BatchToSpaceOp, RearrangeOp>(
      getContext());
}

} // namespace relayout
