// SPDX-License-Identifier: Apache-2.0

// 3MF packages in tests: ZIP archives byte by byte, good and bad ones.
//
//   std::string file = meshes::Package3mf(model);
#ifndef ORBOX_TESTS_SUPPORT_PACKAGE_3MF_H_
#define ORBOX_TESTS_SUPPORT_PACKAGE_3MF_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orbox/bvh/io/internal/little_endian.h"
#include "orbox/bvh/io/read_mesh.h"

namespace orbox::meshes {

struct ZippedFile {
  std::string name;
  std::string bytes;     // as they are in the archive
  uint16_t method = 0;   // 0 for bytes as they are, 8 for deflated ones
  std::string unpacked;  // of deflated ones
  bool is_wide = false;  // sizes in 64 bits, in the extra field
};

inline uint32_t ChecksumOf(std::string_view bytes) {
  uint32_t sum = ~uint32_t{0};
  for (const char c : bytes) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) {
      sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0xedb88320 : 0);
    }
  }
  return ~sum;
}

inline std::string Zip(const std::vector<ZippedFile>& files) {
  using mesh_internal::AppendLittle;
  constexpr uint32_t kElsewhere = ~uint32_t{0};
  std::string out;
  std::string directory;
  for (const ZippedFile& file : files) {
    const std::string& unpacked = file.method == 0 ? file.bytes : file.unpacked;
    const auto packed_size = static_cast<uint32_t>(file.bytes.size());
    const auto size = static_cast<uint32_t>(unpacked.size());
    const auto name_size = static_cast<uint16_t>(file.name.size());
    const auto at = static_cast<uint32_t>(out.size());
    // Version, flags, method, time, date, checksum.
    const auto append_facts = [&](std::string& to) {
      for (const int n : {20, 0, int{file.method}, 0, 33}) {
        AppendLittle(static_cast<uint16_t>(n), to);
      }
      AppendLittle(ChecksumOf(unpacked), to);
    };
    out += "PK\x03\x04";
    append_facts(out);
    AppendLittle(packed_size, out);
    AppendLittle(size, out);
    AppendLittle(name_size, out);
    AppendLittle(uint16_t{0}, out);
    out += file.name + file.bytes;
    directory += "PK\x01\x02";
    AppendLittle(uint16_t{20}, directory);
    append_facts(directory);
    AppendLittle(file.is_wide ? kElsewhere : packed_size, directory);
    AppendLittle(file.is_wide ? kElsewhere : size, directory);
    AppendLittle(name_size, directory);
    AppendLittle(static_cast<uint16_t>(file.is_wide ? 28 : 0), directory);
    // The comment's size, the disk, two sets of attributes.
    directory.append(10, '\0');
    AppendLittle(file.is_wide ? kElsewhere : at, directory);
    directory += file.name;
    if (file.is_wide) {
      AppendLittle(uint16_t{1}, directory);
      AppendLittle(uint16_t{24}, directory);
      for (const uint32_t n : {size, packed_size, at}) {
        AppendLittle(uint64_t{n}, directory);
      }
    }
  }
  const auto begin = static_cast<uint32_t>(out.size());
  const auto count = static_cast<uint16_t>(files.size());
  out += directory + "PK\x05\x06" + std::string(4, '\0');
  AppendLittle(count, out);
  AppendLittle(count, out);
  AppendLittle(static_cast<uint32_t>(directory.size()), out);
  AppendLittle(begin, out);
  AppendLittle(uint16_t{0}, out);
  return out;
}

inline ZippedFile Relationships3mf() {
  return {"_rels/.rels",
          "<?xml version=\"1.0\"?><Relationships xmlns=\"http://schemas."
          "openxmlformats.org/package/2006/relationships\"><Relationship "
          "Target=\"/3D/3dmodel.model\" Id=\"r\" Type=\"http://schemas."
          "microsoft.com/3dmanufacturing/2013/01/3dmodel\"/></Relationships>"};
}

inline std::string Package3mf(const std::string& model) {
  return Zip({Relationships3mf(), {"3D/3dmodel.model", model}});
}

// A model of some resources and a build, with attributes.
inline std::string Model3mfText(const std::string& resources,
                                const std::string& build,
                                const std::string& attributes = "") {
  return "<?xml version=\"1.0\"?><model xmlns=\"http://schemas.microsoft.com/"
         "3dmanufacturing/core/2015/02\" xmlns:p=\"http://schemas.microsoft."
         "com/3dmanufacturing/production/2015/06\" " +
         attributes + "><resources>" + resources + "</resources><build>" +
         build + "</build></model>";
}

// An object that is a tetrahedron with a corner in the origin.
inline std::string Object3mfText(int id, const std::string& attributes = "",
                                 const std::string& more = "") {
  return "<object id=\"" + std::to_string(id) + "\" " + attributes + ">" +
         more +
         "<mesh><vertices><vertex x=\"0\" y=\"0\" z=\"0\"/>"
         "<vertex x=\"1\" y=\"0\" z=\"0\"/><vertex x=\"0\" y=\"1e0\" "
         "z=\"0\"/><vertex x=\"0\" y=\"0\" z=\"0.1\"/></vertices><triangles>"
         "<triangle v1=\"0\" v2=\"2\" v3=\"1\"/><triangle v1=\"0\" v2=\"1\" "
         "v3=\"3\"/><triangle v1=\"0\" v2=\"3\" v3=\"2\"/><triangle v1=\"1\" "
         "v2=\"2\" v3=\"3\"/></triangles></mesh></object>";
}

// Returns true if this build reads 3MF.
inline bool Reads3mf() {
  const std::string bytes =
      Package3mf(Model3mfText(Object3mfText(1), "<item objectid=\"1\"/>"));
  const absl::Status status = ReadMesh(bytes, MeshFormat::k3mf, "one").status();
  return status.ok() ||
         status.message().find("ORBOX_WITH_3MF") == std::string::npos;
}

}  // namespace orbox::meshes

#endif  // ORBOX_TESTS_SUPPORT_PACKAGE_3MF_H_
