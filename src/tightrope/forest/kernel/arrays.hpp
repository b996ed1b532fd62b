// Arrays between Python and the kernel, and kernel work without the GIL.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <vector>

#include "parallel.hpp"

namespace forest {

namespace nb = nanobind;

template <class T, int N>
using Array = nb::ndarray<const T, nb::ndim<N>, nb::c_contig, nb::device::cpu>;
using Matrix = Array<double, 2>;
using Vector = Array<double, 1>;

template <class T>
nb::ndarray<nb::numpy, T> owned(std::vector<T> values, std::initializer_list<size_t> shape) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T>(kept->data(), shape, owner);
}

/// Runs kernel work without the GIL; Ctrl-C stops it.
template <class Work>
void without_gil(Work work) {
    bool interrupted = false;
    Stop stop([&] {
        const nb::gil_scoped_acquire gil;
        return interrupted = PyErr_CheckSignals() != 0;
    });
    try {
        const nb::gil_scoped_release release;
        work(stop);
    } catch (const Stopped&) {
        if (interrupted) throw nb::python_error();
        throw;
    }
}

}  // namespace forest
