/** Where the master daemon's socket is. Source: ganeti(7), `GANETI_ROOTDIR`. */
import { BackendError } from '../../../kit/faults.ts';

const USUAL_SOCKET = '/var/run/ganeti/socket/ganeti-query';

/** The kernel's limit for the path of a socket, in bytes, with the zero byte at its end. */
const MAX_PATH_BYTES = 108;

/** The master's socket on this machine; `GANETI_ROOTDIR` moves it, as it moves everything of Ganeti's. */
export const masterSocket = (rootDirectory: string | undefined): string =>
  `${rootDirectory ?? ''}${USUAL_SOCKET}`;

/** @throws BackendError for a path that no socket can have */
export function checkSocketPath(path: string): string {
  if (Buffer.byteLength(path) < MAX_PATH_BYTES) return path;
  throw new BackendError(
    `the path of the socket has ${Buffer.byteLength(path)} bytes, and the system allows ${MAX_PATH_BYTES - 1}: ${path}`,
    'make a symbolic link to its folder in a place with a shorter name',
  );
}
