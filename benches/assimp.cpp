// In: lines with a model file's path. Out: for each, the nanoseconds that Assimp took to read it without post-processing.
#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <chrono>
#include <iostream>
#include <string>

int main() {
    std::string path;
    while (std::getline(std::cin, path)) {
        const auto began = std::chrono::steady_clock::now();
        const aiScene *scene = aiImportFile(path.c_str(), 0);
        const auto ended = std::chrono::steady_clock::now();
        if (scene == nullptr) std::cout << "error " << aiGetErrorString() << std::endl;
        else std::cout << std::chrono::duration_cast<std::chrono::nanoseconds>(ended - began).count() << std::endl;
        aiReleaseImport(scene);
    }
}
