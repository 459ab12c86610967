#include "nn/cpu/onednn_primitives.hpp"

#include "nn/cpu/elementwise.hpp"

namespace lipizz::nn {

dnnl::memory::desc matrix(std::int64_t rows, std::int64_t columns, bool is_transposed,
                          DataType type, std::int64_t gap) {
  // A transposed operand is the same memory read by columns.
  const dnnl::memory::dims dims =
      is_transposed ? dnnl::memory::dims{columns, rows} : dnnl::memory::dims{rows, columns};
  const dnnl::memory::dims strides =
      is_transposed ? dnnl::memory::dims{1, columns + gap} : dnnl::memory::dims{columns + gap, 1};
  return {dims, type, strides};
}

dnnl::primitive_attr attributes_of(Activation activation, bool adds) {
  dnnl::post_ops post;
  if (adds) post.append_sum(1);
  const auto slope = slope_below_zero(activation);
  if (slope && activation != Activation::kNone) {
    post.append_eltwise(1, dnnl::algorithm::eltwise_relu, *slope, 0);
  }
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(post);
  return attributes;
}

Primitive::Primitive() : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {}

void Primitive::add(int role, const dnnl::memory::desc& description) {
  arguments_.insert({role, dnnl::memory(description, engine_, nullptr)});
}

void Primitive::point(int role, const void* data) {
  // oneDNN takes one type of pointer for what it reads and what it writes.
  arguments_.at(role).set_data_handle(const_cast<void*>(data));
}

void Primitive::run() {
  with_onednn([this] {
    primitive_.execute(stream_, arguments_);
    stream_.wait();
  });
}

Product::Product(const dnnl::memory::desc& a, const dnnl::memory::desc& b,
                 const dnnl::memory::desc& c, bool has_bias, Activation activation, bool adds)
    : activation_(activation), n_results_(c.get_size() / sizeof(float)) {
  const dnnl::primitive_attr attributes = attributes_of(activation, adds);
  primitive_.add(DNNL_ARG_SRC, a);
  primitive_.add(DNNL_ARG_WEIGHTS, b);
  primitive_.add(DNNL_ARG_DST, c);
  if (has_bias) {
    const auto bias = matrix(1, c.dims()[1]);
    primitive_.add(DNNL_ARG_BIAS, bias);
    primitive_.set(
        dnnl::matmul({dnnl::matmul::desc(a, b, bias, c), attributes, primitive_.engine()}));
  } else {
    primitive_.set(dnnl::matmul({dnnl::matmul::desc(a, b, c), attributes, primitive_.engine()}));
  }
}

void Product::run(const void* a, const void* b, const float* bias, float* c) {
  primitive_.point(DNNL_ARG_SRC, a);
  primitive_.point(DNNL_ARG_WEIGHTS, b);
  primitive_.point(DNNL_ARG_DST, c);
  if (bias != nullptr) primitive_.point(DNNL_ARG_BIAS, bias);
  primitive_.run();
  finish_curve(activation_, c, n_results_);
}

}  // namespace lipizz::nn
