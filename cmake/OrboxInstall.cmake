# Install rules: libraries, headers, and the package files for find_package.
