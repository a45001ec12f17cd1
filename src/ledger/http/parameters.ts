/** Single parameters of a query. */
import { ApiError } from './api-error.ts';
import type { Request } from './route.ts';

/** The last use of a query parameter. */
export const parameter = ({ query }: Request, name: string): string | undefined =>
  query.findLast(([key]) => key === name)?.[1];

/** @throws {ApiError} 400 */
export function wholeParameter(request: Request, name: string, usual: number, most: number): number {
  const text = parameter(request, name);
  if (text === undefined) return usual;
  if (!/^[1-9]\d{0,15}$/.test(text))
    throw new ApiError(
      400,
      `Invalid query string parameters: ${name}=${text} is not a whole number of at least 1`,
    );
  return Math.min(Number(text), most);
}
