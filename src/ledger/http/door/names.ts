/**
 * Names by which a service that asks for no tokens may be reached: those of this machine itself. Otherwise a
 * page from anywhere whose name was made to mean this machine could write through its reader's browser.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** Whether only this machine can reach the host. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/** `[::1]:8778` as `::1`. */
const nameIn = (authority: string): string =>
  authority
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();

/** What these answer to a page from elsewhere its browser keeps from it. */
const READING = ['GET', 'HEAD', 'OPTIONS'];

/** Whether it was asked by such names, and what writes from no page of elsewhere. */
export function areOwnNames({ host, origin }: IncomingHttpHeaders, method: string): boolean {
  const asked = [
    ...(host === undefined ? [] : [host]),
    ...(origin === undefined || READING.includes(method) ? [] : [origin.replace(/^https?:\/\//, '')]),
  ];
  return asked.every((name) => isLoopback(nameIn(name)));
}
