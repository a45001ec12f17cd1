/** The argument of --listen. */
import { UsageError } from '../../../../kit/faults.ts';

export type Address = { readonly host: string; readonly port: number } | { readonly path: string };

const FORM = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/;
const MOST_PORT = 65_535;

/** @throws {UsageError} */
export function readAddress(text: string): Address {
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
