/** Opens connections in limited time, with messages that name the place and what to do about it. */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { BackendError } from '../../../kit/faults.ts';
import { ConnectionCut } from './connection-cut.ts';
import { after } from './limits.ts';

type ServerAddress = { readonly path: string } | { readonly host: string; readonly port: number };

/** `host:port`, with brackets around what has colons itself. */
export const hostText = (host: string, port: number): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** What the operating system's codes mean, and what to do. */
const REASONS: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  ENOENT: [
    'there is no such socket',
    'run this on the master node (gnt-cluster getmaster), start its daemons, or give the path of the socket',
  ],
  ENOTSOCK: ['this is not a socket', 'name the socket of the daemon'],
  EACCES: ['permission denied', "the socket is for root and for members of the daemons' group"],
  ECONNREFUSED: ['nobody listens there', 'the daemon does not run, or listens elsewhere'],
  ECONNRESET: ['the connection was cut', 'the daemon was restarted, or something else listens there'],
  EPIPE: ['the connection was cut', 'the daemon was restarted, or something else listens there'],
  ENOTFOUND: ['the name is not known', 'check the spelling of the name'],
  EAI_AGAIN: ['the name service does not answer', 'try again, or give the address'],
  EHOSTUNREACH: ['there is no route to the host', 'check the address and the network'],
  ENETUNREACH: ['there is no route to the network', 'check the address and the network'],
};

/** The fault for an error of a socket. @param what what was tried, as in `cannot connect to X` */
export function socketFault(what: string, error: unknown): BackendError {
  const { code, message } = error as NodeJS.ErrnoException;
  const [reason, remedy] = REASONS[code ?? ''] ?? [code ?? message];
  const isCut = code === 'ECONNRESET' || code === 'EPIPE';
  return new (isCut ? ConnectionCut : BackendError)(`${what}: ${reason}`, remedy);
}

/** @throws BackendError when nobody takes the connection in time */
export async function openSocket(place: ServerAddress, seconds: number): Promise<Socket> {
  const what = `cannot connect to ${'path' in place ? place.path : hostText(place.host, place.port)}`;
  const late = after(seconds);
  const socket = createConnection(place);
  try {
    await once(socket, 'connect', { signal: late });
    return socket;
  } catch (error) {
    socket.destroy();
    if (!late.aborted) throw socketFault(what, error);
    throw new BackendError(
      `${what}: no answer within ${seconds} s`,
      'the host is down, or a firewall blocks the connection',
    );
  }
}
