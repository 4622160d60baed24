// The orbox command: prepares the process, then runs (run.h).

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "tools/orbox/run.h"

namespace {

// A process may be started with descriptors 0, 1 or 2 closed; the next file
// that is opened would then take their place and receive our messages. Here
// they are filled, in the direction in which using them is an error.
void ReserveStandardDescriptors() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    const int mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (open("/dev/null", mode) != descriptor) return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  ReserveStandardDescriptors();
  // A reader that goes away is an error of write, with a message and an exit
  // code, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  return orbox::cli::Run(
      std::vector<std::string>(argv + (argc > 0), argv + argc));
}
