/** UUIDs that follow from names: the same cluster gives the same providers, however often it is imported. */
import { createHash } from 'node:crypto';

const VERSION_5 = 0x50;
const VARIANT = 0x80;

/** @param kind what the name names, such as `node`: equal names of different kinds get different UUIDs. */
export function derivedUuid(kind: string, name: string): string {
  const bytes = createHash('sha1').update(`evenkeel:${kind}:${name}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | VERSION_5;
  bytes[8] = (bytes[8]! & 0x3f) | VARIANT;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
