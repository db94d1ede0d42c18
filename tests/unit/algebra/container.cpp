// SPDX-License-Identifier: BSD-3-Clause
#include "tests/unit/algebra/container.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "tests/support/temporary_directory.h"

namespace holos::algebra::testing {
namespace {

constexpr std::size_t kBlock = 512;

template <class T>
void append(std::string& bytes, T value, bool swapped) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    if (swapped) std::reverse(raw, raw + sizeof(T));
    bytes.append(raw, sizeof(T));
}

}  // namespace

std::string tarOf(const Members& members, Padding padding) {
    std::string bytes;
    for (const auto& [name, content] : members) {
        std::string header(kBlock, '\0');
        header.replace(0, name.size(), name);
        char size[12];
        std::snprintf(size, sizeof size, "%011zo", content.size());
        header.replace(124, 11, size);
        header[156] = '0';
        header.replace(257, 8, std::string("ustar\00000", 8));
        bytes += header + content;
        const std::size_t rest = content.size() % kBlock;
        if (rest != 0 || (padding == Padding::Cube && !content.empty())) bytes.append(kBlock - rest, '\0');
    }
    return bytes + std::string(2 * kBlock, '\0');
}

std::filesystem::path fileWith(const std::string& bytes) {
    static const holos::testing::TemporaryDirectory directory;  // goes with what is left in it
    static int number = 0;
    const auto file = directory.path() / (std::to_string(number++) + ".cubex");
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
}

std::string anchorWith(const std::string& attributes, const std::string& dtype) {
    std::string text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"4.4\">\n<metrics>\n<metric id=\"7\" " +
        attributes + ">\n<disp_name>M</disp_name><uniq_name>m</uniq_name><dtype>" + dtype +
        "</dtype>\n</metric>\n</metrics>\n<program>\n";
    for (const std::string id : {"0", "1", "2", "3", "4", "5"})
        text.append("<region id=\"")
            .append(id)
            .append("\" mod=\"\" begin=\"-1\" end=\"-1\"><name>r")
            .append(id)
            .append("</name></region>\n");
    text +=
        R"(<cnode id="0" calleeId="0"><cnode id="1" calleeId="1"><cnode id="2" calleeId="2"></cnode></cnode>
<cnode id="3" calleeId="3"></cnode></cnode>
<cnode id="4" calleeId="4"><cnode id="5" calleeId="5"></cnode></cnode>
</program>
<system><systemtreenode Id="0"><name>n</name><class>node</class><locationgroup Id="0"><name>p</name><rank>0</rank>
<type>process</type><location Id="0"><name>a</name><rank>0</rank><type>thread</type></location>
<location Id="1"><name>b</name><rank>1</rank><type>thread</type></location></locationgroup></systemtreenode></system>
</cube>
)";
    return text;
}

std::string sparseIndex(const std::vector<std::uint32_t>& rows, bool swapped) {
    std::string bytes = "CUBEX.INDEX";
    append(bytes, std::uint32_t{1}, swapped);
    append(bytes, std::uint16_t{0}, swapped);
    bytes += '\1';
    append(bytes, static_cast<std::uint32_t>(rows.size()), swapped);
    for (const std::uint32_t row : rows) append(bytes, row, swapped);
    return bytes;
}

std::string denseIndex() {
    std::string bytes = "CUBEX.INDEX";
    append(bytes, std::uint32_t{1}, false);
    append(bytes, std::uint16_t{0}, false);
    return bytes + '\3';
}

std::string doubles(const std::vector<double>& values, bool swapped) {
    std::string bytes = "CUBEX.DATA";
    for (const double value : values) append(bytes, value, swapped);
    return bytes;
}

std::string gzipped(const std::string& text) {
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    std::string packed(deflateBound(&stream, text.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

}  // namespace holos::algebra::testing
