/** Servers that speak PostgreSQL's protocol as far as a test needs it, and misbehave as it says. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

const message = (kind: string, body: string): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(kind), length, Buffer.from(body, 'latin1')]);
};
const ready = (state: 'I' | 'T' | 'E'): Buffer => message('Z', state);

/** What a server says. */
export const says = {
  welcome: Buffer.concat([message('R', '\0\0\0\0'), ready('I')]),
  done: (command: 'BEGIN' | 'COMMIT' | 'ROLLBACK'): Buffer =>
    Buffer.concat([message('C', `${command}\0`), ready(command === 'BEGIN' ? 'T' : 'I')]),
  failed: (code: string): Buffer =>
    Buffer.concat([message('E', `SERROR\0VERROR\0C${code}\0Mit failed\0\0`), ready('E')]),
  farewell: (code: string): Buffer => message('E', `SFATAL\0VFATAL\0C${code}\0Mit ends\0\0`),
};

/** @param serve told of what a client says, and the how manieth it is, from 1 */
export async function fakePostgres(
  serve: (said: string, client: Socket, number: number) => void,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const clients: Socket[] = [];
  const server = createServer((client) => {
    const number = clients.push(client);
    client.on('data', (data) => serve(data.toString('latin1'), client, number)).on('error', () => {});
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://user@127.0.0.1:${port}/claims`,
    close: () => {
      for (const client of clients) client.destroy();
      server.close();
    },
  };
}
