// SPDX-License-Identifier: BSD-3-Clause
// Caliper: its functions for C, which Fortran and its macros use, and the classes behind its macros for C++.
// Where its library is in the program, each call goes on there. The interface is described at
// software.llnl.gov/Caliper.
#include <array>
#include <atomic>
#include <map>
#include <string_view>
#include <utility>

#include "tracing/recorder/annotations/forward.h"
#include "tracing/recorder/annotations/names.h"

#define HOLOS_VISIBLE __attribute__((visibility("default")))
#define HOLOS_CALIPER extern "C" HOLOS_VISIBLE void

using namespace holos::tracing;
using namespace holos::tracing::annotations;

namespace {

constexpr Annotation kCaliper = Annotation::Caliper;

/// Things that begin and end are values of an attribute: that of regions has their names as values.
using AttributeId = unsigned long long;

constexpr const char* kRegion = "region";
constexpr std::string_view kIteration = "iteration#";  ///< in front of the name of a loop

/// Attributes whose values are names by themselves.
bool isPlain(std::string_view attribute) noexcept {
    for (const std::string_view plain : {"region", "function", "loop", "annotation", "phase", "comm.region"})
        if (attribute == plain) return true;
    return false;
}

std::string_view viewOf(const char* text) noexcept {
    return text != nullptr ? std::string_view(text) : std::string_view{};
}

std::uint64_t keyOf(std::string_view attribute) noexcept {
    return hashOf(attribute);
}

template <class Text>
void beginText(What what, std::string_view attribute, Text text) noexcept {
    if (!hears(kCaliper) || attribute.empty()) return;
    Name* const name = isPlain(attribute) ? nameOf(kCaliper, what, {}, text)
                                          : nameOf(kCaliper, what, Prefix(attribute.data()).view(), text);
    begin(kCaliper, name, keyOf(attribute));
}
void beginTrue(std::string_view attribute) noexcept {
    if (hears(kCaliper) && !attribute.empty())
        begin(kCaliper, nameOf(kCaliper, What::Region, {}, attribute), keyOf(attribute));
}
/// An iteration of a loop is a phase.
void beginInteger(std::string_view attribute, long long number) noexcept {
    if (!hears(kCaliper) || attribute.empty()) return;
    const bool isIteration = attribute.starts_with(kIteration);
    const std::string_view loop = isIteration ? attribute.substr(kIteration.size()) : attribute;
    Name* const name = isIteration ? nameOf(kCaliper, What::Phase, "iteration of ", loop)
                                   : nameOf(kCaliper, What::Region, {}, attribute);
    begin(kCaliper, name, keyOf(attribute));
    parameter(nameOf(kCaliper, What::Parameter, {}, isIteration ? std::string_view("iteration") : attribute),
              number);
}
void beginReal(std::string_view attribute, double number) noexcept {
    beginTrue(attribute);
    if (hears(kCaliper) && !attribute.empty()) value(nameOf(kCaliper, What::Real, {}, attribute), number);
}
void endAttribute(std::string_view attribute) noexcept {
    if (hears(kCaliper) && !attribute.empty()) end(kCaliper, keyOf(attribute));
}
void setInteger(std::string_view attribute, long long number) noexcept {
    if (hears(kCaliper) && !attribute.empty()) value(nameOf(kCaliper, What::Integer, {}, attribute), number);
}
void setReal(std::string_view attribute, double number) noexcept {
    if (hears(kCaliper) && !attribute.empty()) value(nameOf(kCaliper, What::Real, {}, attribute), number);
}

constinit Forwarded<const char*(AttributeId)> nextAttributeName("cali_attribute_name");

std::string_view nameOf(AttributeId attribute, const void* caller) noexcept {
    return hears(kCaliper) ? viewOf(nextAttributeName.call(caller, attribute)) : std::string_view{};
}

}  // namespace

// A function that begins something goes on to Caliper first, one that ends something afterwards: what Caliper
// does itself belongs to the region around it.
#define HOLOS_FIRST(function, type, ...)             \
    static constinit Forwarded<type> next(function); \
    next.call(HOLOS_HERE, __VA_ARGS__)

HOLOS_CALIPER cali_begin_region(const char* name) {
    HOLOS_FIRST("cali_begin_region", void(const char*), name);
    beginText(What::Region, kRegion, name);
}
HOLOS_CALIPER cali_end_region(const char* name) {
    endAttribute(kRegion);
    HOLOS_FIRST("cali_end_region", void(const char*), name);
}
HOLOS_CALIPER cali_begin_phase(const char* name) {
    HOLOS_FIRST("cali_begin_phase", void(const char*), name);
    beginText(What::Phase, "phase", name);
}
HOLOS_CALIPER cali_end_phase(const char* name) {
    endAttribute("phase");
    HOLOS_FIRST("cali_end_phase", void(const char*), name);
}
HOLOS_CALIPER cali_begin_comm_region(const char* name) {
    HOLOS_FIRST("cali_begin_comm_region", void(const char*), name);
    beginText(What::Region, "comm.region", name);
}
HOLOS_CALIPER cali_end_comm_region(const char* name) {
    endAttribute("comm.region");
    HOLOS_FIRST("cali_end_comm_region", void(const char*), name);
}

HOLOS_CALIPER cali_begin(AttributeId attribute) {
    HOLOS_FIRST("cali_begin", void(AttributeId), attribute);
    beginTrue(nameOf(attribute, HOLOS_HERE));
}
HOLOS_CALIPER cali_begin_string(AttributeId attribute, const char* text) {
    HOLOS_FIRST("cali_begin_string", void(AttributeId, const char*), attribute, text);
    beginText(What::Region, nameOf(attribute, HOLOS_HERE), text);
}
HOLOS_CALIPER cali_begin_int(AttributeId attribute, int number) {
    HOLOS_FIRST("cali_begin_int", void(AttributeId, int), attribute, number);
    beginInteger(nameOf(attribute, HOLOS_HERE), number);
}
HOLOS_CALIPER cali_begin_double(AttributeId attribute, double number) {
    HOLOS_FIRST("cali_begin_double", void(AttributeId, double), attribute, number);
    beginReal(nameOf(attribute, HOLOS_HERE), number);
}
HOLOS_CALIPER cali_end(AttributeId attribute) {
    endAttribute(nameOf(attribute, HOLOS_HERE));
    HOLOS_FIRST("cali_end", void(AttributeId), attribute);
}
HOLOS_CALIPER cali_set_int(AttributeId attribute, int number) {
    HOLOS_FIRST("cali_set_int", void(AttributeId, int), attribute, number);
    setInteger(nameOf(attribute, HOLOS_HERE), number);
}
HOLOS_CALIPER cali_set_double(AttributeId attribute, double number) {
    HOLOS_FIRST("cali_set_double", void(AttributeId, double), attribute, number);
    setReal(nameOf(attribute, HOLOS_HERE), number);
}

HOLOS_CALIPER cali_begin_byname(const char* attribute) {
    HOLOS_FIRST("cali_begin_byname", void(const char*), attribute);
    beginTrue(viewOf(attribute));
}
HOLOS_CALIPER cali_begin_string_byname(const char* attribute, const char* text) {
    HOLOS_FIRST("cali_begin_string_byname", void(const char*, const char*), attribute, text);
    beginText(What::Region, viewOf(attribute), text);
}
HOLOS_CALIPER cali_begin_int_byname(const char* attribute, int number) {
    HOLOS_FIRST("cali_begin_int_byname", void(const char*, int), attribute, number);
    beginInteger(viewOf(attribute), number);
}
HOLOS_CALIPER cali_begin_double_byname(const char* attribute, double number) {
    HOLOS_FIRST("cali_begin_double_byname", void(const char*, double), attribute, number);
    beginReal(viewOf(attribute), number);
}
HOLOS_CALIPER cali_end_byname(const char* attribute) {
    endAttribute(viewOf(attribute));
    HOLOS_FIRST("cali_end_byname", void(const char*), attribute);
}
HOLOS_CALIPER cali_set_int_byname(const char* attribute, int number) {
    HOLOS_FIRST("cali_set_int_byname", void(const char*, int), attribute, number);
    setInteger(viewOf(attribute), number);
}
HOLOS_CALIPER cali_set_double_byname(const char* attribute, double number) {
    HOLOS_FIRST("cali_set_double_byname", void(const char*, double), attribute, number);
    setReal(viewOf(attribute), number);
}

// --- C++: objects of these classes are made by Caliper's macros -------------------------------------------

namespace cali {

class HOLOS_VISIBLE Function {
  public:
    explicit Function(const char* name);
    ~Function();
};
class HOLOS_VISIBLE ScopeAnnotation {
  public:
    explicit ScopeAnnotation(const char* name);
    ~ScopeAnnotation();
};

/// Caliper's library makes and takes away what it has.
class HOLOS_VISIBLE Loop {
  public:
    class Iteration {
      public:
        Iteration(const Iteration&) = delete;
        ~Iteration();

      private:
        friend class Loop;
        Iteration() = default;
        const void* its_ = nullptr;
    };
    explicit Loop(const char* name);
    ~Loop();
    Iteration iteration(int number) const;
    void end();

  private:
    const void* its_;
};

Function::Function(const char* name) {
    HOLOS_FIRST("_ZN4cali8FunctionC1EPKc", void(void*, const char*), this, name);
    beginText(What::Region, kRegion, name);
}
Function::~Function() {
    endAttribute(kRegion);
    HOLOS_FIRST("_ZN4cali8FunctionD1Ev", void(void*), this);
}
ScopeAnnotation::ScopeAnnotation(const char* name) {
    HOLOS_FIRST("_ZN4cali15ScopeAnnotationC1EPKc", void(void*, const char*), this, name);
    beginText(What::Region, kRegion, name);
}
ScopeAnnotation::~ScopeAnnotation() {
    endAttribute(kRegion);
    HOLOS_FIRST("_ZN4cali15ScopeAnnotationD1Ev", void(void*), this);
}

namespace {

/// Of the loop, and of the one iteration of it that goes on.
std::uint64_t keyOf(const void* loop) noexcept {
    return reinterpret_cast<std::uint64_t>(loop);
}

}  // namespace

Loop::Loop(const char* name) {
    its_ = nullptr;
    HOLOS_FIRST("_ZN4cali4LoopC1EPKc", void(void*, const char*), this, name);
    if (hears(kCaliper)) begin(kCaliper, nameOf(kCaliper, What::Region, {}, name), keyOf(its_));
}
void Loop::end() {
    if (hears(kCaliper)) holos::tracing::annotations::end(kCaliper, keyOf(its_), false);
    HOLOS_FIRST("_ZN4cali4Loop3endEv", void(void*), this);
}
Loop::~Loop() {
    if (hears(kCaliper)) holos::tracing::annotations::end(kCaliper, keyOf(its_), false);
    HOLOS_FIRST("_ZN4cali4LoopD1Ev", void(void*), this);
}

Loop::Iteration Loop::iteration(int number) const {
    static constinit Forwarded<Iteration(const Loop*, int)> next("_ZNK4cali4Loop9iterationEi");
    const Name* const loop = hears(kCaliper) ? innermost(kCaliper, keyOf(its_)) : nullptr;
    if (loop != nullptr) {
        begin(kCaliper, nameOf(kCaliper, What::Phase, "iteration of ", loop->view()), keyOf(its_) + 1);
        parameter(nameOf(kCaliper, What::Parameter, {}, std::string_view("iteration")), number);
    }
    auto* const made = next.behind(HOLOS_HERE);
    if (made == nullptr) return {};
    return made(this, number);
}
Loop::Iteration::~Iteration() {
    if (hears(kCaliper)) holos::tracing::annotations::end(kCaliper, keyOf(its_) + 1, false);
    HOLOS_FIRST("_ZN4cali4Loop9IterationD1Ev", void(void*), this);
}

// --- `cali::Annotation`: an attribute, and its values
// -------------------------------------------------------

/// A value of any type.
class HOLOS_VISIBLE Variant {
  public:
    enum Type { kInteger = 2, kUnsigned = 3, kText = 4, kReal = 6 };

    int type() const noexcept { return static_cast<int>(typeAndSize_ & 0xFF); }
    long long integer() const noexcept { return integer_; }
    double real() const noexcept { return real_; }
    std::string_view text() const noexcept { return {text_, typeAndSize_ >> 32}; }

  private:
    std::uint64_t typeAndSize_;
    union {
        long long integer_;
        double real_;
        const char* text_;
    };
};

/// Caliper's library makes what it has, which copies share, and takes it away.
class HOLOS_VISIBLE Annotation {
  public:
    class Guard {
      public:
        Guard(const Guard&) = delete;
        ~Guard();

      private:
        const void* its_;
    };
    Annotation(const char* name, int options);
    Annotation(const char* name, const std::map<const char*, Variant>& metadata, int options);
    Annotation& begin();
    Annotation& begin(int number);
    Annotation& begin(double number);
    Annotation& begin(const Variant& value);
    Annotation& set(int number);
    Annotation& set(double number);
    Annotation& set(const Variant& value);
    void end();

  private:
    const void* its_;
};

namespace {

/// Names of annotations by what the library has of them. What it has taken away may come back as another's.
struct Known {
    std::atomic<const void*> its{nullptr};
    std::atomic<const Name*> name{nullptr};
};
constexpr std::size_t kMostKnown = 4096, kTried = 16;
std::array<Known, kMostKnown> known;

Known& placeOf(const void* its, std::size_t attempt) noexcept {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
    constexpr unsigned kHighBits = 52;
    return known[((keyOf(its) * kOdd >> kHighBits) + attempt) % kMostKnown];
}

void know(const void* its, const char* text) noexcept {
    if (its == nullptr || !isWanted(kCaliper)) return;
    const Name* const name = nameOf(kCaliper, What::Text, {}, text);
    for (std::size_t attempt = 0; attempt < kTried; ++attempt) {
        Known& place = placeOf(its, attempt);
        const void* there = nullptr;
        if (!place.its.compare_exchange_strong(there, its) && there != its) continue;
        return place.name.store(name, std::memory_order_release);
    }
    noteOddity(kCaliper, Oddity::TooManyNames);
}

/// Empty where it is not known.
std::string_view attributeOf(const void* its) noexcept {
    for (std::size_t attempt = 0; attempt < kTried; ++attempt) {
        const Known& place = placeOf(its, attempt);
        if (place.its.load(std::memory_order_acquire) != its) continue;
        const Name* const name = place.name.load(std::memory_order_acquire);
        return name != nullptr ? name->view() : std::string_view{};
    }
    return {};
}

constinit thread_local bool isInside __attribute__((tls_model("initial-exec"))) = false;

/// Caliper's functions call each other, some by way of these here: the first one is heard.
class Call {
  public:
    Call() noexcept : isFirst_(!std::exchange(isInside, true)) {}
    ~Call() {
        if (isFirst_) isInside = false;
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    bool isHeard() const noexcept { return isFirst_ && hears(kCaliper); }

  private:
    bool isFirst_;
};

void beginValue(std::string_view attribute, const Variant& value) noexcept {
    if (value.type() == Variant::kInteger || value.type() == Variant::kUnsigned)
        beginInteger(attribute, value.integer());
    else if (value.type() == Variant::kReal)
        beginReal(attribute, value.real());
    else if (value.type() == Variant::kText)
        beginText(What::Region, attribute, value.text());
    else
        beginTrue(attribute);
}
void setValue(std::string_view attribute, const Variant& value) noexcept {
    if (value.type() == Variant::kInteger || value.type() == Variant::kUnsigned)
        setInteger(attribute, value.integer());
    else if (value.type() == Variant::kReal)
        setReal(attribute, value.real());
}

}  // namespace

Annotation::Annotation(const char* name, int options) {
    its_ = nullptr;
    HOLOS_FIRST("_ZN4cali10AnnotationC1EPKci", void(void*, const char*, int), this, name, options);
    know(its_, name);
}
Annotation::Annotation(const char* name, const std::map<const char*, Variant>& metadata, int options) {
    its_ = nullptr;
    HOLOS_FIRST("_ZN4cali10AnnotationC1EPKcRKSt3mapIS2_NS_7VariantESt4lessIS2_ESaISt4pairIKS2_S4_EEEi",
                void(void*, const char*, const void*, int), this, name, static_cast<const void*>(&metadata),
                options);
    know(its_, name);
}
Annotation& Annotation::begin() {
    const Call call;
    HOLOS_FIRST("_ZN4cali10Annotation5beginEv", void*(void*), this);
    if (call.isHeard()) beginTrue(attributeOf(its_));
    return *this;
}
Annotation& Annotation::begin(int number) {
    const Call call;
    HOLOS_FIRST("_ZN4cali10Annotation5beginEi", void*(void*, int), this, number);
    if (call.isHeard()) beginInteger(attributeOf(its_), number);
    return *this;
}
Annotation& Annotation::begin(double number) {
    const Call call;
    HOLOS_FIRST("_ZN4cali10Annotation5beginEd", void*(void*, double), this, number);
    if (call.isHeard()) beginReal(attributeOf(its_), number);
    return *this;
}
Annotation& Annotation::begin(const Variant& value) {
    const Call call;
    HOLOS_FIRST("_ZN4cali10Annotation5beginERKNS_7VariantE", void*(void*, const Variant*), this, &value);
    if (call.isHeard()) beginValue(attributeOf(its_), value);
    return *this;
}
Annotation& Annotation::set(int number) {
    const Call call;
    HOLOS_FIRST("_ZN4cali10Annotation3setEi", void*(void*, int), this, number);
    if (call.isHeard()) setInteger(attributeOf(its_), number);
    return *this;
}
Annotation& Annotation::set(double number) {
    const Call call;
    HOLOS_FIRST("_ZN4cali10Annotation3setEd", void*(void*, double), this, number);
    if (call.isHeard()) setReal(attributeOf(its_), number);
    return *this;
}
Annotation& Annotation::set(const Variant& value) {
    const Call call;
    HOLOS_FIRST("_ZN4cali10Annotation3setERKNS_7VariantE", void*(void*, const Variant*), this, &value);
    if (call.isHeard()) setValue(attributeOf(its_), value);
    return *this;
}
void Annotation::end() {
    endAttribute(attributeOf(its_));
    HOLOS_FIRST("_ZN4cali10Annotation3endEv", void(void*), this);
}
Annotation::Guard::~Guard() {
    endAttribute(attributeOf(its_));
    HOLOS_FIRST("_ZN4cali10Annotation5GuardD1Ev", void(void*), this);
}

}  // namespace cali
