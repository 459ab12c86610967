#pragma once

#include <new>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>

#include "nn/base/activation.hpp"

/// oneDNN's primitives on plain pointers.
namespace lipizz::nn {

/// Calls what calls oneDNN: std::bad_alloc where that gets no memory.
template <class Call>
auto with_onednn(const Call& call) {
  try {
    return call();
  } catch (const dnnl::error& error) {
    if (error.status == dnnl_out_of_memory) throw std::bad_alloc();
    throw;
  }
}

using DataType = dnnl::memory::data_type;

/// Row-major [rows, columns], `gap` numbers between rows; transposed: the same memory read by
/// columns.
dnnl::memory::desc matrix(std::int64_t rows, std::int64_t columns, bool is_transposed = false,
                          DataType type = DataType::f32, std::int64_t gap = 0);

/// The operations after a product: `adds` adds it to the result's old values. The activation is
/// among them where it is two straight lines; with AVX2 tanh takes oneDNN four times as long as us.
dnnl::primitive_attr attributes_of(Activation activation, bool adds = false);

/// A primitive with the memory that it runs on.
class Primitive {
 public:
  Primitive();

  [[nodiscard]] const dnnl::engine& engine() const { return engine_; }
  void set(const dnnl::primitive& primitive) { primitive_ = primitive; }
  void add(int role, const dnnl::memory::desc& description);
  /// Where the operand of this role lies.
  void point(int role, const void* data);
  void run();

 private:
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::primitive primitive_;
  std::unordered_map<int, dnnl::memory> arguments_;
};

/// c = activation(a b + bias), or c += a b. The bias, where there is one, is [columns of b]. The
/// factors may be in bf16.
class Product {
 public:
  Product(const dnnl::memory::desc& a, const dnnl::memory::desc& b, const dnnl::memory::desc& c,
          bool has_bias, Activation activation, bool adds = false);
  void run(const void* a, const void* b, const float* bias, float* c);

 private:
  Primitive primitive_;
  Activation activation_;
  std::size_t n_results_;
};

}  // namespace lipizz::nn
