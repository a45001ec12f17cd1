/** A request as it goes over the wire, and what comes back of it. */
import { request } from 'node:http';

export interface Asked {
  /** Of the version that it asks for. */
  readonly minor: number;
  readonly method: string;
  /** As it is sent, with the query. */
  readonly target: string;
  /** The path with placeholders, for counting. */
  readonly route: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/** Sends it as it is, over a connection of its own: Placement's server closes after each answer. */
export function ask(url: string, { method, target, headers, body }: Asked): Promise<Answered> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const length = bytes === undefined ? {} : { 'content-length': bytes.length };
    const sent = request(
      { hostname, port, method, path: target, headers: { ...headers, ...length }, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers as Answered['headers'],
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(bytes);
  });
}
