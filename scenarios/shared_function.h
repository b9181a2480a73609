// A function value that is cheap to copy: all copies share one callable. Forms are built of forms
// that are built of forms; with std::function each step would copy everything below it.

#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace kafkasim::scenarios {

template <typename Signature>
class SharedFunction;

template <typename Result, typename... Arguments>
class SharedFunction<Result(Arguments...)> {
 public:
  SharedFunction() = default;

  template <typename Callable>
  requires(!std::is_same_v<std::decay_t<Callable>, SharedFunction> &&
           std::is_invocable_r_v<Result, const std::decay_t<Callable>&, Arguments...>)
      SharedFunction(Callable&& callable)  // NOLINT(google-explicit-constructor): as std::function
      : function_(std::make_shared<const std::function<Result(Arguments...)>>(
            std::forward<Callable>(callable))) {}

  // Needs a callable.
  Result operator()(Arguments... arguments) const {
    return (*function_)(std::forward<Arguments>(arguments)...);
  }

  explicit operator bool() const { return function_ != nullptr; }

 private:
  std::shared_ptr<const std::function<Result(Arguments...)>> function_;
};

}  // namespace kafkasim::scenarios
