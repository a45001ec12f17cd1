/** One HTTP request over a connection that is there already. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { BackendError } from '../../../kit/faults.ts';
import { ConnectionCut } from './connection-cut.ts';
import { after, type WireLimits } from './limits.ts';
import { socketFault } from './open-socket.ts';

interface HttpQuestion {
  /** Host, and port unless it is the usual one, as the `Host` header has it. */
  readonly host: string;
  readonly path: string;
  /** `name:password`; none = nobody in particular asks. */
  readonly credentials?: string | undefined;
  /** How messages call the server's answer: its address. */
  readonly url: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** Asks, gives the whole answer whatever its status, closes. @throws BackendError for no answer in time */
export async function httpGet(
  socket: Socket,
  { host, path, credentials, url }: HttpQuestion,
  { answerSeconds, maxBytes }: WireLimits,
): Promise<HttpAnswer> {
  const late = after(answerSeconds);
  const pieces: Buffer[] = [];
  let length = 0;
  let response: IncomingMessage | undefined;
  try {
    const headers = {
      ...{ Host: host, Accept: 'application/json', Connection: 'close' },
      ...(credentials !== undefined && {
        Authorization: `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`,
      }),
    };
    const asked = request({ createConnection: () => socket, method: 'GET', path, headers, signal: late });
    // What ends an answer that has begun is told by the answer.
    asked.on('error', () => {});
    asked.end();
    [response] = (await once(asked, 'response')) as [IncomingMessage];
    for await (const piece of response) {
      length += piece.length;
      if (length > maxBytes)
        throw new BackendError(`${url}: the answer has no end`, 'this is not a Ganeti server');
      pieces.push(piece);
    }
    return { status: response.statusCode ?? 0, body: Buffer.concat(pieces, length) };
  } catch (error) {
    if (error instanceof BackendError) throw error;
    if (late.aborted)
      throw new BackendError(
        `${url}: ${response ? 'half an answer' : 'no answer'} within ${answerSeconds} s`,
        'the server is busy or hangs; try again, or allow more time with --answer-timeout',
      );
    if (!response) throw httpFault(url, error as Error);
    throw new ConnectionCut(
      `${url}: the connection was cut after ${length} bytes of the answer`,
      'try again',
    );
  } finally {
    socket.destroy();
  }
}

/** What the HTTP parser refuses has codes of its own. */
function httpFault(url: string, error: Error): BackendError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code.startsWith('HPE_')) {
    return new BackendError(
      `${url}: the answer is not HTTP`,
      'another kind of server listens there; check the port',
    );
  }
  return socketFault(`${url}: no answer`, error);
}
