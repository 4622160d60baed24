# SPDX-License-Identifier: Apache-2.0

"""Replaces ConanCenter's packages of the libraries that the system has.

A package without files. It declares, under ConanCenter's names for packages and
components, that CMake finds the library by itself. One recipe, exported once per
library:

  conan export . --name boost --version 1.74.0 --user system
"""

from conan import ConanFile

# Per package: the name for find_package, and per component its target.
PACKAGES = {
    "abseil": (
        "absl",
        {
            f"absl_{name}": f"absl::{name}"
            for name in (
                "cord",
                "function_ref",
                "flags",
                "flags_parse",
                "inlined_vector",
                "span",
                "status",
                "statusor",
                "str_format",
                "strings",
            )
        },
    ),
    "boost": ("Boost", {"headers": "Boost::headers"}),
    # The target of the file for CMake that Expat installs, which is preferred
    # here. ConanCenter's is EXPAT::EXPAT.
    "expat": ("EXPAT", {"expat": "expat::expat"}),
    "gtest": (
        "GTest",
        {
            "libgtest": "GTest::gtest",
            "gtest_main": "GTest::gtest_main",
            "gmock": "GTest::gmock",
            "gmock_main": "GTest::gmock_main",
        },
    ),
    "highway": ("hwy", {"hwy": "hwy::hwy"}),
    "libpng": ("PNG", {"png": "PNG::PNG"}),
    "nlohmann_json": (
        "nlohmann_json",
        {"nlohmann_json": "nlohmann_json::nlohmann_json"},
    ),
    "onetbb": ("TBB", {"libtbb": "TBB::tbb"}),
    "zlib": ("ZLIB", {"zlib": "ZLIB::ZLIB"}),
}


class SystemConan(ConanFile):
    description = "The system's own library, under ConanCenter's names"
    options = {"header_only": [True, False]}
    default_options = {"header_only": False}

    def package_info(self):
        file_name, components = PACKAGES[self.name]
        self.cpp_info.set_property("cmake_file_name", file_name)
        self.cpp_info.set_property("cmake_find_mode", "none")
        for name, target in components.items():
            component = self.cpp_info.components[name]
            component.set_property("cmake_target_name", target)
            component.includedirs = []
            component.libdirs = []
            component.bindirs = []
