# SPDX-License-Identifier: Apache-2.0

"""Builds and runs a user's project against the package just created."""

import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout


class TestPackageConan(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps", "CMakeToolchain"

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires(self.tested_reference_str)

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.25]")

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if can_run(self):
            for name in ("overlap", "bvh", "io", "solids", "motion", "large",
                         "broad_phases", "all"):
                program = os.path.join(self.cpp.build.bindir, f"use_{name}")
                self.run(program, env="conanrun")
