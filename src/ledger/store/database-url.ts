/** How a database is called in messages: by its URL, less what nobody else may read. */
import { UsageError } from '../../kit/faults.ts';

const SECRET_PARAMETER = /password/i;
/** A URL without a server names a socket's folder in its query; the URL parser wants a server all the same. */
const NO_SERVER = /@(?=\/)/;
const ANY_SERVER = '@server';

/**
 * The URL without passwords, wherever they stand in it.
 * @throws {UsageError} where it is no URL; its text may hold a password then, and is not shown.
 */
export function shownUrl(url: string): string {
  if (!URL.canParse(url.replace(NO_SERVER, ANY_SERVER)))
    throw new UsageError(
      'the URL of the database cannot be read; it is not shown, since it may hold a password',
      1,
      'write postgres://USER@HOST/DATABASE; in names and passwords @ is %40, / is %2F, : is %3A, [ is %5B',
    );
  const shown = new URL(url.replace(NO_SERVER, ANY_SERVER));
  shown.password = '';
  for (const key of [...shown.searchParams.keys()])
    if (SECRET_PARAMETER.test(key)) shown.searchParams.delete(key);
  return shown.href.replace(`${ANY_SERVER}/`, '@/');
}
