// SPDX-License-Identifier: BSD-3-Clause
// Libraries by which programs say what they do: each function of Caliper and LIKWID that programs call, which
// counts its calls, so that the program sees that they arrive.
extern "C" {
int calls = 0;

const char* cali_attribute_name(unsigned long long attribute) {
    return attribute == 1   ? "loop"
           : attribute == 2 ? "iteration#steps"
           : attribute == 3 ? "particles"
                            : nullptr;
}
void cali_begin_region(const char*) {
    ++calls;
}
void cali_end_region(const char*) {
    ++calls;
}
void cali_begin_phase(const char*) {
    ++calls;
}
void cali_end_phase(const char*) {
    ++calls;
}
void cali_begin_string(unsigned long long, const char*) {
    ++calls;
}
void cali_begin_int(unsigned long long, int) {
    ++calls;
}
void cali_end(unsigned long long) {
    ++calls;
}
void cali_set_double(unsigned long long, double) {
    ++calls;
}
int likwid_markerStartRegion(const char*) {
    return ++calls;
}
int likwid_markerStopRegion(const char*) {
    return ++calls;
}
}

namespace cali {

class Function {
  public:
    explicit Function(const char* name);
    ~Function();
};
class Loop {
  public:
    class Iteration {
      public:
        explicit Iteration(const void* its) : its_(its) {}
        ~Iteration();
        const void* its_;
    };
    explicit Loop(const char* name);
    ~Loop();
    Iteration iteration(int number) const;
    void end();
    const void* its_;
};

Function::Function(const char*) {
    ++calls;
}
Function::~Function() {
    ++calls;
}
Loop::Loop(const char*) : its_(&calls) {
    ++calls;
}
Loop::~Loop() {
    if (its_ == &calls) ++calls;
}
Loop::Iteration Loop::iteration(int) const {
    ++calls;
    return Iteration(its_);
}
Loop::Iteration::~Iteration() {
    if (its_ == &calls) ++calls;
}
void Loop::end() {
    ++calls;
}

class Variant {
  public:
    explicit Variant(bool value) : typeAndSize_(7), value_(value ? 1 : 0) {}
    explicit Variant(int value) : typeAndSize_(2), value_(value) {}

  private:
    unsigned long long typeAndSize_;
    long long value_;
};
/// Its parts call each other, as those of Caliper do.
class Annotation {
  public:
    class Guard {
      public:
        explicit Guard(Annotation& annotation);
        ~Guard();
        const void* its_;
    };
    explicit Annotation(const char* name, int options);
    Annotation& begin();
    Annotation& begin(int number);
    Annotation& begin(const Variant& value);
    Annotation& set(double number);
    void end();
    const char* its_;
};

Annotation::Annotation(const char* name, int) : its_(name) {
    ++calls;
}
Annotation& Annotation::begin() {
    ++calls;
    return begin(Variant(true));
}
Annotation& Annotation::begin(int number) {
    ++calls;
    return begin(Variant(number));
}
Annotation& Annotation::begin(const Variant&) {
    ++calls;
    return *this;
}
Annotation& Annotation::set(double) {
    ++calls;
    return *this;
}
void Annotation::end() {
    ++calls;
}
Annotation::Guard::Guard(Annotation& annotation) : its_(annotation.its_) {
    ++calls;
}
Annotation::Guard::~Guard() {
    ++calls;
}

}  // namespace cali
