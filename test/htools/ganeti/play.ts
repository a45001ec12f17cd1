/** Servers on this machine that play recorded conversations, or do whatever a test wants. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { fileURLToPath } from 'node:url';

export const LIVE = fileURLToPath(new URL('../../../testdata/live/', import.meta.url));

/** The states of the recorded cluster. */
export type Recorded = 'healthy' | 'trouble' | 'silent';

export interface LuxiRequest {
  readonly method: string;
  readonly args: readonly unknown[];
}

const END = '\x03';

/** Starts a server, runs the work with it, and stops it with all its connections. */
async function serving<T>(
  server: Server,
  at: string | number,
  work: (port: number) => Promise<T>,
): Promise<T> {
  const sockets = new Set<Socket>();
  const remember = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  server.on('connection', remember);
  server.on('secureConnection', remember);
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    if (typeof at === 'string') server.listen(at, resolve);
    else server.listen(at, '127.0.0.1', resolve);
  });
  const address = server.address();
  try {
    return await work(typeof address === 'object' && address !== null ? address.port : 0);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

/** A unix socket in a folder of its own. */
export async function withSocket<T>(
  talk: (socket: Socket) => void,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'evk-'));
  const path = join(folder, 'socket');
  try {
    return await serving(createServer(talk), path, () => work(path));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A LUXI server whose answers (without the end mark) a function makes. */
export const withLuxi = <T>(
  answer: (request: LuxiRequest) => string | Buffer | Promise<string | Buffer>,
  work: (path: string) => Promise<T>,
): Promise<T> =>
  withSocket((socket) => {
    let text = '';
    socket.on('data', (piece) => {
      text += piece.toString('utf8');
      for (let at = text.indexOf(END); at >= 0; at = text.indexOf(END)) {
        const request = JSON.parse(text.slice(0, at)) as LuxiRequest;
        text = text.slice(at + 1);
        Promise.resolve(request)
          .then(answer)
          .then(
            (bytes) => socket.write(Buffer.concat([Buffer.from(bytes), Buffer.from(END)])),
            (error: Error) => socket.destroy(error),
          );
      }
    });
  }, work);

/** What the recorded cluster answers; the questions must be the recorded ones to the last field. */
export function recordedLuxi(state: Recorded): (request: LuxiRequest) => string {
  const lines = readFileSync(join(LIVE, state, 'luxi.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  const answers = new Map(
    lines.map((line) => {
      const { request, answer } = JSON.parse(line) as { request: LuxiRequest; answer: string };
      return [JSON.stringify([request.method, request.args]), answer];
    }),
  );
  return ({ method, args }) =>
    answers.get(JSON.stringify([method, args])) ??
    JSON.stringify({ success: false, result: `nobody has recorded this: ${JSON.stringify(args)}` });
}

export const withTcp = <T>(talk: (socket: Socket) => void, work: (port: number) => Promise<T>): Promise<T> =>
  serving(createServer(talk), 0, work);

const tlsFile = (name: string): Buffer => readFileSync(join(LIVE, 'tls', name));

export const CERTIFICATE_FILE = join(LIVE, 'tls', 'certificate.pem');
export const KEY_FILE = join(LIVE, 'tls', 'key.pem');

export const EXPIRED_FILE = join(LIVE, 'tls', 'expired.pem');

export const withTls = <T>(
  talk: (socket: Socket) => void,
  work: (port: number) => Promise<T>,
  certificate = 'certificate.pem',
): Promise<T> =>
  serving(createTlsServer({ key: tlsFile('key.pem'), cert: tlsFile(certificate) }, talk), 0, work);

export interface HttpRequest {
  readonly path: string;
  readonly headers: string;
}

export interface HttpReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Talks HTTP as Ganeti's servers do: one request a connection. */
export const httpTalk =
  (reply: (request: HttpRequest) => HttpReply) =>
  (socket: Socket): void => {
    let text = '';
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      const [first = '', ...headers] = text.slice(0, end).split('\r\n');
      const {
        status = 200,
        headers: more = {},
        body,
      } = reply({ path: first.split(' ')[1] ?? '', headers: headers.join('\n') });
      const bytes = Buffer.from(body);
      const lines = Object.entries({ 'Content-Length': `${bytes.length}`, Connection: 'close', ...more });
      const head = [`HTTP/1.1 ${status} Whatever`, ...lines.map(([name, value]) => `${name}: ${value}`)];
      socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]));
    });
  };

/** What the recorded RAPI server answers. */
export function recordedRapi(state: Recorded): (request: HttpRequest) => HttpReply {
  return ({ path }) => {
    const name =
      /^\/2\/(groups|nodes|instances|networks)\?bulk=1$/.exec(path)?.[1] ??
      (path === '/2/info' ? 'info' : undefined);
    if (name === undefined)
      return { status: 404, body: JSON.stringify({ code: 404, message: 'Not Found', explain: path }) };
    return { body: readFileSync(join(LIVE, state, `${name}.json`)) };
  };
}
