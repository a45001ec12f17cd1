/**
 * Which servers are believed. Ganeti's own certificates are self-signed, so by default none is verified, as
 * in the stock programs; a file of certificate authorities or the fingerprint of the certificate changes
 * that. Who gives a password has to say which server is to have it, or that any may.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { BackendError } from '../../../kit/faults.ts';
import { readInput } from '../../../kit/files/read-input.ts';
import { shorten } from '../../../kit/printable.ts';
import { ConnectionCut } from '../wire/connection-cut.ts';
import { after } from '../wire/limits.ts';

export interface Trust {
  /** Certificates (PEM) behind the server's, which must carry its name; undefined = not verified. */
  readonly authorities?: string | undefined;
  /** SHA-256 fingerprints of which the server's certificate must have one; empty = any. */
  readonly fingerprints: readonly string[];
  /** A password goes to any server, as in the stock programs. */
  readonly isInsecure: boolean;
}

const FINGERPRINT_DIGITS = 64;

/** The digits of a fingerprint, without colons and in capitals; undefined when it is no SHA-256 one. */
function readFingerprint(text: string): string | undefined {
  const digits = text.replaceAll(':', '').toUpperCase();
  return digits.length === FINGERPRINT_DIGITS && /^[0-9A-F]+$/.test(digits) ? digits : undefined;
}

/** @throws BackendError for an unreadable file, a text that is no fingerprint, words that contradict */
export function readTrust(
  authoritiesFile: string | undefined,
  fingerprints: readonly string[],
  isInsecure: boolean,
): Trust {
  if (isInsecure && (authoritiesFile !== undefined || fingerprints.length > 0))
    throw new BackendError(
      '--rapi-insecure trusts any server, and --rapi-ca and --rapi-fingerprint only some',
      'leave one of them out',
    );
  const digits = fingerprints.map(readFingerprint);
  const wrong = fingerprints.filter((_, at) => digits[at] === undefined);
  if (wrong.length > 0)
    throw new BackendError(
      `'${wrong.map((text) => shorten(text)).join("', '")}' is not a SHA-256 fingerprint`,
      'take what this prints: openssl x509 -noout -fingerprint -sha256 -in CERTIFICATE',
    );
  return {
    isInsecure,
    authorities: authoritiesFile === undefined ? undefined : readAuthorities(authoritiesFile),
    fingerprints: digits as string[],
  };
}

function readAuthorities(path: string): string {
  const text = Buffer.from(readInput(path)).toString('utf8');
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new BackendError(`there is no certificate in ${path}`, 'give a file in PEM form');
}

/** Why a server that speaks TLS is not believed; undefined = it is. */
function distrust(socket: TLSSocket, { fingerprints }: Trust): string | undefined {
  if (fingerprints.length === 0) return undefined;
  const shown = readFingerprint(socket.getPeerCertificate().fingerprint256 ?? '');
  return shown !== undefined && fingerprints.includes(shown)
    ? undefined
    : `its certificate has the fingerprint ${shown ?? '(none)'}`;
}

/** Speaks TLS, after finding out whom to. @throws BackendError if it is another, or not in time */
export async function secure(
  raw: Socket,
  host: string,
  url: string,
  trust: Trust,
  hasPassword: boolean,
  seconds: number,
): Promise<Socket> {
  const { authorities, fingerprints, isInsecure } = trust;
  // Without a word about whom to trust, a password is for servers that the usual authorities vouch for.
  const needsUsual = hasPassword && authorities === undefined && fingerprints.length === 0 && !isInsecure;
  const isVerified = authorities !== undefined || needsUsual;
  const late = after(seconds);
  const closed = new AbortController();
  const socket = connect({
    socket: raw,
    // Addresses are not allowed as names here.
    ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
    ...(authorities === undefined ? {} : { ca: authorities }),
    ...(isVerified ? { host } : {}),
    rejectUnauthorized: isVerified,
  });
  socket.once('close', () => closed.abort());
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.any([late, closed.signal]) });
    const why = distrust(socket, trust);
    if (why === undefined) return socket;
    throw new BackendError(
      `${url} is not the server that is trusted: ${why}`,
      'somebody intercepts the connection, or the certificate was renewed; compare with that of the cluster before you change --rapi-fingerprint',
    );
  } catch (error) {
    // What it says of its own end is of no use.
    socket.on('error', () => {});
    raw.destroy();
    if (error instanceof BackendError) throw error;
    if ((error as Error).name !== 'AbortError') throw tlsFault(url, error as Error, needsUsual);
    throw late.aborted
      ? new BackendError(`${url}: no TLS within ${seconds} s`, 'what listens there does not speak https')
      : new ConnectionCut(`${url}: the connection was closed during the TLS handshake`);
  }
}

function tlsFault(url: string, error: Error, isUsual: boolean): BackendError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ECONNRESET') {
    return new ConnectionCut(
      `${url}: the connection was cut during the TLS handshake`,
      'what listens there may not speak https',
    );
  }
  const isNoTls = code?.startsWith('ERR_SSL') === true;
  if (isNoTls)
    return new BackendError(
      `${url}: what listens there does not speak TLS (${code})`,
      'check the port, or write http://',
    );
  const reason = shorten(message, 200);
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return new BackendError(
      `${url} is not trusted: ${reason}`,
      'check the clock of this machine, or make the cluster a new certificate: gnt-cluster renew-crypto --new-rapi-certificate',
    );
  return isUsual
    ? new BackendError(
        `${url} is not given the password: nobody vouches for its certificate (${reason})`,
        'pin the certificate with --rapi-fingerprint or name a file of authorities with --rapi-ca; --rapi-insecure gives the password to any server',
      )
    : new BackendError(
        `${url} is not trusted: ${reason}`,
        'compare the certificate with the one in --rapi-ca; a self-signed one without the right name can be pinned with --rapi-fingerprint',
      );
}
