/* The plain C program that the Numba kernel is measured against: the same shoes, the same draws, the same cells.
   gcc -O3 -march=native -o reference reference.c && ./reference SEED SHOES ROUNDS  (Fortune Six, eight decks) */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIZE 416
#define GOLDEN 0x9E3779B97F4A7C15ULL
static const uint64_t POINTS = 0x987654321ULL;
static const uint64_t ROWS[10] = {1023, 1023, 1023, 767, 252, 240, 192, 0, 0, 0};

static inline uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

int main(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], 0, 10) : 7;
  long shoes = argc > 2 ? atol(argv[2]) : 100000, rounds = argc > 3 ? atol(argv[3]) : 67;
  static uint8_t fresh[SIZE], deck[SIZE];
  static int64_t counts[288];
  for (int i = 0; i < SIZE; i++) fresh[i] = (uint8_t)((i % 52) % 13 | ((i % 52) / 13) << 4);
  uint64_t most = 1;
  for (int i = 0; i < 6; i++) most *= SIZE;
  struct timespec a, b_;
  clock_gettime(CLOCK_MONOTONIC, &a);
  for (long shoe = 0; shoe < shoes; shoe++) {
    memcpy(deck, fresh, SIZE);
    uint64_t key = mix(seed + (uint64_t)(shoe + 1) * GOLDEN), draw = 0;
    int64_t at = 0;
    for (long r = 0; r < rounds; r++) {
      int64_t j[6];
      for (;;) {
        draw += GOLDEN;
        uint64_t x = mix(key + draw);
        for (int i = 0; i < 6; i++) {
          uint64_t n = (uint64_t)(SIZE - at - i);
          unsigned __int128 wide = (unsigned __int128)x * n;
          j[i] = at + i + (int64_t)(uint64_t)(wide >> 64);
          x = (uint64_t)wide;
        }
        if (x >= most) break;
        uint64_t ways = 1;
        for (int i = 0; i < 6; i++) ways *= (uint64_t)(SIZE - at - i);
        if (x >= ways || x >= (0 - ways) % ways) break;
      }
      int64_t rank[6], v[6];
      for (int i = 0; i < 6; i++) {
        uint8_t swap = deck[at + i], card = deck[j[i]];
        deck[j[i]] = swap;
        deck[at + i] = card;
        rank[i] = card & 15;
        v[i] = (int64_t)((POINTS >> (rank[i] << 2)) & 15);
      }
      int64_t p = v[0] + v[2], b = v[1] + v[3];
      p -= 10 * (p >= 10);
      b -= 10 * (b >= 10);
      int64_t stop = ((768 >> p) | (768 >> b)) & 1;
      int64_t p3 = (63 >> p) & 1 & (stop ^ 1);
      int64_t b3 = ((p3 ? (int64_t)(ROWS[b] >> v[4]) : (int64_t)(63 >> b)) & 1) & (stop ^ 1);
      int64_t pt = p + (p3 ? v[4] : 0), bt = b + (b3 ? (p3 ? v[5] : v[4]) : 0);
      pt -= 10 * (pt >= 10);
      bt -= 10 * (bt >= 10);
      int pw = pt > bt, tie = pt == bt, bw = bt > pt, six = bw & (bt == 6);
      int64_t cell = (pw ? 0 : tie ? 1 : 2) + 3 * (six ? 0 : bw ? 1 : tie ? 2 : 3) + 12 * (tie ? 0 : 1) +
                     24 * (rank[0] == rank[2] ? 0 : 1) + 48 * (rank[1] == rank[3] ? 0 : 1) +
                     96 * (six & !b3 ? 0 : six & b3 ? 1 : 2);
      counts[cell]++;
      at += 4 + p3 + b3;
    }
  }
  clock_gettime(CLOCK_MONOTONIC, &b_);
  double seconds = (double)(b_.tv_sec - a.tv_sec) + 1e-9 * (double)(b_.tv_nsec - a.tv_nsec);
  printf("%.9f\n", seconds);
  for (int i = 0; i < 288; i++) printf("%lld ", (long long)counts[i]);
  printf("\n");
  return 0;
}
