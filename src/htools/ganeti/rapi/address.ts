/** Where a cluster's RAPI is (`-m`, hscan). Source: htools(1), `-m`; forms with a port alone are ours. */
import { isIPv6 } from 'node:net';
import { ExecutionError } from '../../../kit/faults.ts';
import { hostText } from '../wire/open-socket.ts';

/** Source: ganeti-rapi(8). */
const USUAL_PORT = 5080;
const PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };
const FOLDER_PREFIX = 'file://';
const MAX_PORT = 65535;

export type RapiAddress =
  | { readonly kind: 'folder'; readonly folder: string }
  | {
      readonly kind: 'server';
      readonly isSecure: boolean;
      readonly host: string;
      readonly port: number;
      /** What stands in front of `/2/...`; without a slash at its end. */
      readonly base: string;
    };

export type RapiServer = Extract<RapiAddress, { kind: 'server' }>;

const refuse = (text: string, why: string): ExecutionError =>
  new ExecutionError(
    `'${text}' is not the address of a cluster: ${why}`,
    'write HOST, HOST:PORT, https://HOST:PORT, or file://FOLDER for its answers in files',
  );

/**
 * Reads `HOST[:PORT]`, `http[s]://HOST[:PORT]` or `file://FOLDER`.
 * @throws ExecutionError for anything else, or a password, which everybody on the machine could read
 */
export function parseRapiAddress(text: string): RapiAddress {
  if (text.startsWith(FOLDER_PREFIX)) return { kind: 'folder', folder: text.slice(FOLDER_PREFIX.length) };
  if (/^[a-z]+:\/\//i.test(text)) return parseUrl(text);
  if (isIPv6(text)) return server(true, text, USUAL_PORT);
  const [, host, port] = /^(\[[^\]]*\]|[^:/@\s]+)(?::(\d+))?$/.exec(text) ?? [];
  if (host === undefined) {
    if (text.includes('@')) throw withPassword(text);
    throw refuse(text, 'that is neither a host nor a URL');
  }
  return server(true, host, port === undefined ? USUAL_PORT : portOf(text, port));
}

function portOf(text: string, digits: string): number {
  const port = Number(digits);
  if (port < 1 || port > MAX_PORT) throw refuse(text, `there is no port ${digits}`);
  return port;
}

const withPassword = (text: string): ExecutionError =>
  new ExecutionError(
    `the address '${text.slice(text.lastIndexOf('@') + 1)}' carries a name or a password, which everybody on this machine could read`,
    'write them to a file and name it with --rapi-credentials',
  );

const server = (isSecure: boolean, host: string, port: number, base = ''): RapiAddress => ({
  kind: 'server',
  isSecure,
  host: host.replace(/^\[(.*)\]$/, '$1'),
  port,
  base,
});

function parseUrl(text: string): RapiAddress {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw refuse(text, 'that is not a URL');
  }
  const usual = PORTS[url.protocol];
  if (usual === undefined) throw refuse(text, `${url.protocol}// is not supported`);
  if (url.username !== '' || url.password !== '') throw withPassword(text);
  if (url.search !== '' || url.hash !== '') throw refuse(text, 'leave out the query after the question mark');
  const port = url.port === '' ? usual : Number(url.port);
  return server(url.protocol === 'https:', url.hostname, port, url.pathname.replace(/\/+$/, ''));
}

/** The address as URLs begin with it. */
export function urlOf({ isSecure, host, port, base }: RapiServer): string {
  return `http${isSecure ? 's' : ''}://${hostText(host, port)}${base}`;
}
