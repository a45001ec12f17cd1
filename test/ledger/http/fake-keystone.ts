/** A Keystone for tests. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** Answers as Keystone does; knows the tokens of `holders`. */
export class FakeKeystone {
  readonly holders = new Map<string, object>();
  readonly asked: string[] = [];
  password = 'secret';
  /** Whether it closes a connection without a word, as uwsgi does, also when another request comes on it. */
  isAbrupt = false;
  /** Whether it says that it is busy. */
  isBusy = false;
  private ownTokens = 0;
  private readonly seen = new WeakSet<Socket>();
  private readonly server: Server = createServer((request, response) => {
    if (this.isAbrupt && this.seen.has(request.socket)) return request.socket.destroy();
    this.seen.add(request.socket);
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { 'x-auth-token': own, 'x-subject-token': subject } = request.headers;
      const answer = (status: number, document: object, headers = {}) =>
        response.writeHead(status, headers).end(JSON.stringify(document));
      if (request.url !== '/v3/auth/tokens') return answer(404, {});
      if (request.method === 'POST') {
        this.asked.push('log in');
        const { user } = JSON.parse(body).auth.identity.password;
        if (user.password !== this.password || user.name !== 'placement') return answer(401, {});
        return answer(201, {}, { 'x-subject-token': `own ${++this.ownTokens}` });
      }
      this.asked.push(String(subject));
      if (this.isBusy) return answer(503, {});
      if (own !== `own ${this.ownTokens}`) return answer(401, {});
      const token = this.holders.get(String(subject));
      return token ? answer(200, { token }) : answer(404, {});
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Its own token of ours ends. */
  endOwnToken(): void {
    this.ownTokens++;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
