/** One HTTP request over a connection that is there already. */
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { BackendError } from '../../../kit/faults.ts';
import { ConnectionCut } from './connection-cut.ts';
import { deadline, type WireLimits } from './limits.ts';
import { socketFault } from './open-socket.ts';

/** What is asked, and of whom. */
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

const headersOf = ({ host, credentials }: HttpQuestion): Record<string, string> => ({
  Host: host,
  Accept: 'application/json',
  Connection: 'close',
  ...(credentials === undefined
    ? {}
    : { Authorization: `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}` }),
});

/** Collects the body of an answer; `fail` is called once when there will be none. */
function collect(
  response: IncomingMessage,
  url: string,
  maxBytes: number,
  fail: (fault: BackendError) => void,
  finish: (body: Buffer) => void,
): void {
  const pieces: Buffer[] = [];
  let length = 0;
  response.on('data', (piece: Buffer) => {
    length += piece.length;
    if (length > maxBytes)
      fail(new BackendError(`${url}: the answer has no end`, 'this is not a Ganeti server'));
    else pieces.push(piece);
  });
  response.on('error', () => {});
  response.on('close', () => {
    if (response.complete) finish(Buffer.concat(pieces, length));
    else
      fail(
        new ConnectionCut(`${url}: the connection was cut after ${length} bytes of the answer`, 'try again'),
      );
  });
}

/** Asks, gives the whole answer whatever its status, closes. @throws BackendError for no answer in time */
export function httpGet(socket: Socket, question: HttpQuestion, limits: WireLimits): Promise<HttpAnswer> {
  const { url, path } = question;
  const { answerSeconds, maxBytes } = limits;
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const stop = (): void => {
      inTime();
      socket.destroy();
    };
    const fail = (fault: BackendError): void => {
      stop();
      reject(fault);
    };
    const inTime = deadline(answerSeconds, () => {
      const so = bytes === 0 ? 'no answer' : 'half an answer';
      fail(
        new BackendError(
          `${url}: ${so} within ${answerSeconds} s`,
          'the server is busy or hangs; try again, or allow more time with --answer-timeout',
        ),
      );
    });
    const asked = request({
      createConnection: () => socket,
      method: 'GET',
      path,
      headers: headersOf(question),
    });
    asked.on('error', (error) => fail(httpFault(url, error)));
    asked.on('response', (response) => {
      bytes++;
      collect(response, url, maxBytes, fail, (body) => {
        stop();
        resolve({ status: response.statusCode ?? 0, body });
      });
    });
    asked.end();
  });
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
