// In: lines with a model file's path. Out: for each, the processor's nanoseconds that Assimp took to read it without post-processing.
#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <ctime>
#include <iostream>
#include <string>

/// Nanoseconds of this process on a processor: what other programs take does not count.
static double now() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

int main() {
    std::string path;
    while (std::getline(std::cin, path)) {
        const double began = now();
        const aiScene *scene = aiImportFile(path.c_str(), 0);
        const double ended = now();
        if (scene == nullptr) std::cout << "error " << aiGetErrorString() << std::endl;
        else std::cout << static_cast<long long>(ended - began) << std::endl;
        aiReleaseImport(scene);
    }
}
