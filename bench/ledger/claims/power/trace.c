/*
 * Preloaded into the processes of power-loss.ts: writes down what they write to a ledger's files, and when they have waited for the disk.
 * EVENKEEL_TRACED names the ledger, EVENKEEL_TRACE the file that takes the notes. Waiting for the disk takes a random time in place
 * of the disk's own. EVENKEEL_KILLED_AT=N kills the process when it would wait for the log for the Nth time. A note is: kind, file, position (8 bytes), length (4), process (4), then what was written.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { NONE, DATABASE, LOG, ANSWERS };

static int named(const char *path) {
  const char *database = getenv("EVENKEEL_TRACED");
  size_t length = database ? strlen(database) : 0;
  if (length == 0 || strncmp(path, database, length) != 0) return NONE;
  if (strcmp(path + length, "") == 0) return DATABASE;
  if (strcmp(path + length, "-wal") == 0) return LOG;
  return strcmp(path + length, "-answers") == 0 ? ANSWERS : NONE;
}

static int file_of(int descriptor) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return NONE;
  path[length] = 0;
  return named(path);
}

/* One write for a note: notes of several processes do not mix. */
static void note(char kind, int file, uint64_t position, uint32_t length, const void *data) {
  static int trace = -1;
  if (file == NONE) return;
  if (trace < 0) trace = open(getenv("EVENKEEL_TRACE"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  struct __attribute__((packed)) {
    char kind, file;
    uint64_t position;
    uint32_t length, process;
  } head = {kind, (char)file, position, length, (uint32_t)getpid()};
  struct iovec parts[2] = {{&head, sizeof head}, {(void *)data, data ? length : 0}};
  if (writev(trace, parts, 2) < 0) abort();
}

ssize_t pwrite64(int descriptor, const void *data, size_t length, off_t position) {
  static ssize_t (*real)(int, const void *, size_t, off_t);
  if (!real) real = (ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite64");
  ssize_t written = real(descriptor, data, length, position);
  if (written > 0) note('w', file_of(descriptor), position, written, data);
  return written;
}

ssize_t pwrite(int descriptor, const void *data, size_t length, off_t position) {
  return pwrite64(descriptor, data, length, position);
}

int ftruncate64(int descriptor, off_t length) {
  static int (*real)(int, off_t);
  if (!real) real = (int (*)(int, off_t))dlsym(RTLD_NEXT, "ftruncate64");
  int result = real(descriptor, length);
  if (result == 0) note('t', file_of(descriptor), length, 0, NULL);
  return result;
}

int ftruncate(int descriptor, off_t length) { return ftruncate64(descriptor, length); }

int unlink(const char *path) {
  static int (*real)(const char *);
  if (!real) real = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
  int result = real(path);
  if (result == 0) note('u', named(path), 0, 0, NULL);
  return result;
}

static int waited_for(int descriptor) {
  static int waits = 0;
  int file = file_of(descriptor);
  const char *last = getenv("EVENKEEL_KILLED_AT");
  if (file == LOG && last && ++waits == atoi(last)) raise(SIGKILL);
  note('b', file, 0, 0, NULL);
  usleep(100 + rand() % 900);
  note('e', file, 0, 0, NULL);
  return 0;
}

int fsync(int descriptor) { return waited_for(descriptor); }

int fdatasync(int descriptor) { return waited_for(descriptor); }
