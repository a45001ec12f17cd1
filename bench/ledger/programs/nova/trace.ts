/** What clients ask of a Placement, kept, and asked again of another. */
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';

interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Of the interface; undefined: the first. */
  readonly version: string | undefined;
  readonly body: string;
  readonly status: number;
  readonly answer: string;
}

type Asked = Pick<Exchange, 'method' | 'path' | 'version' | 'body'>;

/** Asks one that takes everybody for an administrator who says so. */
const ask = (url: string, { method, path, version, body }: Asked): Promise<Response> =>
  fetch(url + path, {
    method,
    headers: {
      'x-auth-token': 'admin',
      accept: 'application/json',
      ...(version === undefined ? {} : { 'openstack-api-version': version }),
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === '' ? {} : { body }),
  });

/** Stands before a Placement, and lets in one request at a time, so that there is an order of them. */
export class Recorder {
  readonly trace: Exchange[] = [];
  private readonly server: Server;

  /** @param port where clients look for it. @param url where it is */
  constructor(port: number, url: string) {
    let last: Promise<unknown> = Promise.resolve();
    this.server = createServer(async (request, response) => {
      const asked: Asked = {
        method: request.method!,
        path: request.url!,
        version: request.headers['openstack-api-version'] as string | undefined,
        body: await text(request),
      };
      last = last.then(async () => {
        const { status, headers, body } = await ask(url, asked);
        const answer = body === null ? '' : await text(body);
        this.trace.push({ ...asked, status, answer });
        for (const name of ['content-type', 'openstack-api-version', 'location'])
          if (headers.has(name)) response.setHeader(name, headers.get(name)!);
        response.writeHead(status).end(answer);
      });
    }).listen(port, '127.0.0.1');
  }

  async end(): Promise<void> {
    const isClosed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await isClosed;
  }
}

/** A text that is the same for the same lists in any order: Placement promises none. */
function orderless(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(orderless).sort().join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${orderless(one)}`);
  return `{${members.sort().join()}}`;
}

/** An answer without what may differ: the words of an error are everybody's own. */
function meaning(status: number, answer: string): string {
  if (answer === '') return `${status}`;
  const document = JSON.parse(answer) as { readonly errors?: readonly { readonly code?: string }[] };
  return `${status} ${orderless(document.errors?.map(({ code }) => code) ?? document)}`;
}

/** Asks all of it, one after the other, of one that holds nothing. @returns what is answered otherwise */
export async function replay(trace: readonly Exchange[], url: string): Promise<readonly string[]> {
  const others: string[] = [];
  for (const exchange of trace) {
    const response = await ask(url, exchange);
    const [was, is] = [
      meaning(exchange.status, exchange.answer),
      meaning(response.status, await response.text()),
    ];
    if (was !== is)
      others.push(
        `${exchange.method} ${exchange.path} ${exchange.version} ${exchange.body}\n  Placement: ${was}\n  hplaced:   ${is}`,
      );
  }
  return others;
}
