/** Where the service listens and who may ask, as the options say it; its certificate. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { createSecureContext, type Server as TlsServer } from 'node:tls';
import { allSaid, refuse } from '../../../../kit/cli/all-said.ts';
import { ExecutionError, UsageError } from '../../../../kit/faults.ts';
import { readInput, readPrivate } from '../../../../kit/files/read-input.ts';
import { decodeUtf8 } from '../../../../kit/files/utf8.ts';
import { keystoneUrl, readCredentials } from '../../../http/door/credentials.ts';
import { Keystone } from '../../../http/door/keystone.ts';
import { isLoopback } from '../../../http/door/names.ts';
import { readRights, USUAL_RIGHTS } from '../../../http/door/rights.ts';
import { type Authenticator, OPEN, tokensIn } from '../../../http/door/tokens.ts';
import type { ProgramOptions } from '../../../options/program-table.ts';

export type Address = { readonly host: string; readonly port: number } | { readonly path: string };

const FORM = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/;
const MOST_PORT = 65_535;

function readAddress(text: string): Address {
  const path = /^unix:(.+)$/.exec(text)?.[1];
  if (path !== undefined) return { path };
  const match = FORM.exec(text);
  const port = Number(match?.[3]);
  if (!match || port > MOST_PORT)
    throw new UsageError(
      `--listen ${text}: this is not an address and a port`,
      'write it as 127.0.0.1:8778, [::1]:8778 or unix:/run/hplaced/socket',
    );
  return { host: (match[1] ?? match[2])!, port };
}

type Options = ProgramOptions<'hplaced'>;

/** Options that are to be said together, or cannot be right. @throws {UsageError} with all that are not */
function checkWords({ keystone, keystoneCredentials, keystoneRoles, tlsCert, tlsKey }: Options): void {
  const isUrl = keystone === undefined || /^https?:\/\/[^\s"/]+/.test(keystone);
  allSaid(
    refuse(
      (keystone === undefined) !== (keystoneCredentials === undefined),
      '--keystone and --keystone-credentials belong together',
      'name both, or neither',
    ),
    refuse(
      keystone === undefined && keystoneRoles !== undefined,
      '--keystone-roles belongs to --keystone',
      'name both, or leave it out',
    ),
    refuse(!isUrl, `--keystone: '${keystone}' is not a URL`, 'write it as https://HOST:5000'),
    refuse(
      (tlsCert === undefined) !== (tlsKey === undefined),
      '--tls-cert and --tls-key belong together',
      'name both, or neither',
    ),
  );
}

/** @throws {UsageError} where anybody who reaches the address could change the ledger */
function addressOf({ tokens, keystone, listen }: Options): Address {
  const address = readAddress(listen);
  if (tokens === undefined && keystone === undefined && 'host' in address && !isLoopback(address.host))
    throw new UsageError(
      `--listen ${listen}: without --tokens anybody who reaches this address could change the ledger`,
      'name a file of tokens, or listen on 127.0.0.1',
    );
  return address;
}

function whoMayAsk({
  tokens: file,
  keystone: url,
  keystoneCredentials,
  keystoneRoles,
}: Options): Authenticator {
  const tokens = file === undefined ? undefined : tokensIn(readPrivate(file, 'tokens'), file, Date.now);
  if (url === undefined) return tokens ?? OPEN;
  const text = readPrivate(keystoneCredentials!, 'credentials');
  const keystone = new Keystone({
    url: keystoneUrl(url),
    credentials: readCredentials(text, keystoneCredentials!),
    rights:
      keystoneRoles === undefined
        ? USUAL_RIGHTS
        : readRights(decodeUtf8(readInput(keystoneRoles), keystoneRoles), keystoneRoles),
    now: Date.now,
  });
  if (!tokens) return keystone;
  // Those of the file cost nothing to look at.
  const callerOf = (token: string) => tokens.callerOf(token) ?? keystone.callerOf(token);
  return { challenge: keystone.challenge, callerOf };
}

function readFile(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ExecutionError(
      `--${option} ${file}: ${(error as Error).message}`,
      'check the name and the rights of the file',
    );
  }
}

function tlsOf({ tlsCert, tlsKey }: Options): { cert: string; key: string } | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  const tls = { cert: readFile('tls-cert', tlsCert), key: readFile('tls-key', tlsKey) };
  try {
    // Of nothing a context can be made, which no client would talk to.
    new X509Certificate(tls.cert);
    createSecureContext(tls);
  } catch (error) {
    throw new ExecutionError(
      `--tls-cert ${tlsCert}, --tls-key ${tlsKey}: ${(error as Error).message}`,
      'name a certificate and its own key, both in PEM form',
    );
  }
  return tls;
}

export class Door implements Authenticator {
  readonly address: Address;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  private who: Authenticator;

  constructor(private readonly options: Options) {
    [this.address] = allSaid(
      () => addressOf(options),
      () => checkWords(options),
    );
    this.who = whoMayAsk(options);
    this.tls = tlsOf(options);
  }

  get challenge(): string | undefined {
    return this.who.challenge;
  }

  callerOf(token: string): ReturnType<Authenticator['callerOf']> {
    return this.who.callerOf(token);
  }

  /** Reads tokens and certificates anew. @throws a Fault, and all stays as it was */
  readAgain(server: Server): void {
    const context = tlsOf(this.options);
    this.who = whoMayAsk(this.options);
    if (context) (server as TlsServer).setSecureContext(context);
  }
}
