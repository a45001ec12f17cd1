/**
 * The header `openstack-api-version: placement X.Y`, by which a client says which form of each answer it
 * understands. Only the minor number matters: the major is 1.
 */
import { ApiError } from '../../../http/api-error.ts';

export const VERSION_HEADER = 'openstack-api-version';
const SERVICE = 'placement';
/** Ours: allocations that end by themselves unless somebody confirms them. */
export const ENDS_SINCE = 41;

/** As in `1.39`. */
export const versionText = (minor: number): string => `1.${minor}`;

/**
 * @param header value of the header; several services may be named in it, divided by commas
 * @param latest minor number that `latest` stands for
 * @param most highest minor number that may be asked for
 * @returns the minor number; 0 when the header does not name this service
 * @throws {ApiError} 400 when the version cannot be read, 406 when there is no such version
 */
export function requestedMinor(header: string | undefined, latest: number, most: number): number {
  const item = (header ?? '')
    .split(',')
    .map((part) => part.trim().split(/\s+/))
    .findLast(([service]) => service?.toLowerCase() === SERVICE);
  if (!item) return 0;
  const text = item.slice(1).join(' ');
  if (text === 'latest') return latest;
  const match = /^(\d{1,9})\.(\d{1,9})$/.exec(text);
  if (!match) throw new ApiError(400, `Invalid version header: invalid version string: ${text}`);
  const minor = Number(match[2]);
  if (match[1] === '1' && minor <= most) return minor;
  throw new ApiError(406, `Unacceptable version header: ${text}`, {
    extra: { max_version: versionText(most), min_version: versionText(0) },
  });
}
