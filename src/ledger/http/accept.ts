/** What a client takes, and what it sends. */
import { ApiError } from './api-error.ts';

export const JSON_TYPE = 'application/json';
export const HTML_TYPE = 'text/html';

const rangesOf = (header: string): readonly (readonly [type: string, quality: number])[] =>
  header.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const quality = Number(parameters.find((text) => text.startsWith('q='))?.slice(2) ?? 1);
    return [type, Number.isFinite(quality) ? quality : 0];
  });

/** Quality, 0 to 1, that an Accept header gives `type` by its most exact range. No header takes anything. */
export function qualityOf(header: string | undefined, type: string): number {
  if (header === undefined || header.trim() === '') return 1;
  const ranges = rangesOf(header);
  const family = `${type.split('/')[0]}/*`;
  for (const name of [type, family, '*/*']) {
    const range = ranges.find(([own]) => own === name);
    if (range) return range[1];
  }
  return 0;
}

/** @throws {ApiError} 406 */
export function requireAcceptsJson(header: string | undefined): void {
  if (qualityOf(header, JSON_TYPE) === 0) throw new ApiError(406, `Only ${JSON_TYPE} is provided`);
}

/** @throws {ApiError} 415 */
export function requireJson(header: string | undefined): void {
  const sent = (header ?? '').split(';')[0]!.trim().toLowerCase();
  if (sent !== JSON_TYPE)
    throw new ApiError(
      415,
      `The media type ${sent === '' ? 'None' : sent} is not supported, use ${JSON_TYPE}`,
    );
}
