// The program kafkasim.
#include <iostream>

int main() {
  std::cout << "kafkasim 0.1.0\n";
  return 0;
}
