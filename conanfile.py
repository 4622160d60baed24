# SPDX-License-Identifier: Apache-2.0

"""Conan 2 recipe. Try it with `conan create . -s compiler.cppstd=gnu20`.

It packages the sources that it lies in. A recipe for ConanCenter has, in place
of `set_version` and `exports_sources`, a conandata.yml with the address and the
SHA-256 of each release's archive, and a `source` that gets it:

    sources:
      "0.1.0":
        url: "the archive that tools/scripts/release_check.sh made"
        sha256: "what it printed"

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

It also names `homepage`, `url` (ConanCenter's own repository) and one version
of each requirement.
"""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

required_conan_version = ">=2.1"


class OrboxConan(ConanFile):
    name = "orbox"
    description = (
        "Exact proximity and range queries over triangle meshes, on hierarchies"
        " that mix spheres, axis-aligned and oriented boxes"
    )
    license = "Apache-2.0"
    topics = ("bvh", "collision-detection", "proximity", "clearance", "mesh")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "fPIC": [True, False],
        "with_tbb": [True, False],
        "with_gltf": [True, False],
        "with_3mf": [True, False],
        "with_tools": [True, False],
        "with_png": [True, False],
        "with_mpi": [True, False],
    }
    default_options = {
        "shared": False,
        "fPIC": True,
        "with_tbb": True,
        # Readers of files that have bodies.
        "with_gltf": True,
        "with_3mf": True,
        # The command; libraries are what packages are mostly for.
        "with_tools": False,
        "with_png": True,
        # One mesh on many machines.
        "with_mpi": False,
        # Only headers are used, and only while Orbox itself is compiled.
        "boost/*:header_only": True,
    }
    implements = ["auto_shared_fpic"]
    exports_sources = (
        "CMakeLists.txt",
        "LICENSE",
        "README.md",
        "bvh/*",
        "cmake/*",
        "data/*",
        "orbox.h",
        "overlap/*",
        "tests/*",
        "tools/*",
    )
    test_package_folder = "tests/package"

    @property
    def _with_tests(self):
        # Off unless asked for with `-c tools.build:skip_test=False`: who
        # installs a package seldom wants to compile and run its tests.
        return not self.conf.get(
            "tools.build:skip_test", default=True, check_type=bool
        )

    @property
    def _with_png(self):
        return bool(self.options.with_tools and self.options.with_png)

    def set_version(self):
        cmake = load(self, os.path.join(self.recipe_folder, "CMakeLists.txt"))
        self.version = re.search(r"\bVERSION (\d+\.\d+\.\d+)", cmake).group(1)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        # absl::Status is in our signatures; the others are not.
        self.requires(
            "abseil/[>=20220623.1 <20270101]", transitive_headers=True,
            transitive_libs=True,
        )
        self.requires("boost/[>=1.74 <2]")
        self.requires("highway/[>=1.0.3 <2]")
        if self.options.with_tbb:
            self.requires("onetbb/[>=2021 <2023]")
        if self.options.with_mpi:
            # MPI_Comm is in our signatures.
            self.requires("openmpi/[>=4.1 <6]", transitive_headers=True,
                          transitive_libs=True)
        if self.options.with_3mf:
            self.requires("expat/[>=2.4 <3]")
            self.requires("zlib/[>=1.2.11 <2]")
        if self.options.with_gltf or self.options.with_tools:
            # Headers, and only while Orbox itself is compiled.
            self.requires("nlohmann_json/[>=3.11 <4]", visible=False)
        if self._with_png:
            # The command alone draws; nobody who links the libraries sees it.
            self.requires("libpng/[>=1.6 <2]", visible=False)

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.25]")
        if self._with_tests:
            self.test_requires("gtest/[>=1.12 <2]")

    def validate(self):
        check_min_cppstd(self, 20)
        # Abseil's types change with the standard (its own string_view before
        # C++17, for one), so its binary must have been made with ours.
        ours = self.settings.get_safe("compiler.cppstd")
        theirs = self.dependencies["abseil"].settings.get_safe(
            "compiler.cppstd"
        )
        if theirs is not None and theirs.strip("gnu") != ours.strip("gnu"):
            raise ConanInvalidConfiguration(
                f"abseil was built with compiler.cppstd={theirs} and orbox with"
                f" {ours}, which do not link; set the same for both"
            )

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["ORBOX_BUILD_TESTS"] = self._with_tests
        toolchain.cache_variables["ORBOX_BUILD_TOOLS"] = bool(
            self.options.with_tools
        )
        toolchain.cache_variables["ORBOX_BUILD_BENCHMARKS"] = False
        toolchain.cache_variables["ORBOX_WITH_TBB"] = bool(
            self.options.with_tbb
        )
        toolchain.cache_variables["ORBOX_WITH_GLTF"] = bool(
            self.options.with_gltf
        )
        toolchain.cache_variables["ORBOX_WITH_3MF"] = bool(
            self.options.with_3mf
        )
        toolchain.cache_variables["ORBOX_WITH_PNG"] = self._with_png
        toolchain.cache_variables["ORBOX_WITH_MPI"] = bool(
            self.options.with_mpi
        )
        # Reading headers is most of what sources take to compile.
        toolchain.cache_variables["ORBOX_PRECOMPILE_HEADERS"] = True
        # It comes from npm, and packages are built without network.
        toolchain.cache_variables["ORBOX_WITH_VIEWER"] = False
        toolchain.generate()
        deps = CMakeDeps(self)
        # ConanCenter's recipe leaves Highway without its upstream CMake names.
        deps.set_property("highway", "cmake_file_name", "hwy")
        deps.set_property("highway::hwy", "cmake_target_name", "hwy::hwy")
        deps.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()
        if self._with_tests:
            cmake.ctest(["--output-on-failure", "--no-tests=error"])

    def package(self):
        copy(
            self, "LICENSE", self.source_folder,
            os.path.join(self.package_folder, "licenses"),
        )
        CMake(self).install()
        # Conan's generators make what these would hold.
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))
        rmdir(self, os.path.join(self.package_folder, "share"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "orbox")
        self.cpp_info.set_property("cmake_target_name", "orbox::orbox")

        overlap = self.cpp_info.components["overlap"]
        overlap.set_property("cmake_target_name", "orbox::overlap")
        overlap.libs = ["orbox_overlap"]
        overlap.requires = ["boost::headers", "highway::hwy"]
        if self.settings.compiler in ("gcc", "clang", "apple-clang"):
            # As our own CMake targets say: on machines with fused products,
            # users' copies of inline functions would round otherwise.
            overlap.cxxflags = ["-ffp-contract=off"]

        bvh = self.cpp_info.components["bvh"]
        bvh.set_property("cmake_target_name", "orbox::bvh")
        bvh.libs = ["orbox_bvh"]
        bvh.requires = [
            "overlap",
            "abseil::absl_function_ref",
            "abseil::absl_status",
            "abseil::absl_statusor",
            "abseil::absl_strings",
            "boost::headers",
            "highway::hwy",
        ]
        if self.options.with_tbb:
            bvh.requires.append("onetbb::libtbb")

        # They stand on the core.
        siblings = {
            "io": [],
            "solids": ["boost::headers"],
            "motion": [],
            "large": ["io", "highway::hwy"],
            "broad_phases": ["boost::headers", "highway::hwy"],
        }
        for name, needed in siblings.items():
            sibling = self.cpp_info.components[name]
            sibling.set_property("cmake_target_name", f"orbox::{name}")
            sibling.libs = [f"orbox_{name}"]
            sibling.requires = ["bvh", "abseil::absl_strings", *needed]
        if self.options.with_3mf:
            io = self.cpp_info.components["io"]
            io.requires += ["expat::expat", "zlib::zlib"]
        # Headers alone.
        boost_geometry = self.cpp_info.components["boost_geometry"]
        boost_geometry.set_property(
            "cmake_target_name", "orbox::boost_geometry"
        )
        boost_geometry.requires = ["bvh", "boost::headers"]

        if self.options.with_mpi:
            mpi = self.cpp_info.components["mpi"]
            mpi.set_property("cmake_target_name", "orbox::mpi")
            mpi.libs = ["orbox_mpi"]
            mpi.requires = [
                "large",
                "io",
                "abseil::absl_status",
                "abseil::absl_statusor",
                "openmpi::openmpi",
            ]
            # The C interface alone.
            mpi.defines = ["OMPI_SKIP_MPICXX=1", "MPICH_SKIP_MPICXX=1"]

        if self.options.with_tools:
            # The command alone: nothing to link.
            tools = self.cpp_info.components["tools"]
            tools.set_property("cmake_target_name", "orbox::tools")
            tools.includedirs = []
            tools.libdirs = []

        if self.settings.os in ("Linux", "FreeBSD"):
            overlap.system_libs = ["m"]
            bvh.system_libs = ["m", "pthread"]
            for name in siblings:
                self.cpp_info.components[name].system_libs = ["m"]
