import { createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { askMonitors } from '../../../../src/htools/ganeti/mond/client.ts';
import { USUAL_LIMITS } from '../../../../src/htools/ganeti/wire/limits.ts';
import { httpTalk } from '../play.ts';

const AT_ONCE = 64;
/** So long no further connection comes when no more are to be had. */
const QUIET_MS = 40;

describe('asking monitoring daemons', () => {
  it('asks no more than 64 at once, and gives the answers in the order of the nodes', async () => {
    const answer = httpTalk(({ headers }) => ({ body: /Host: ([\d.]+)/i.exec(headers)![1]! }));
    const held: Socket[] = [];
    let most = 0;
    let timer: NodeJS.Timeout | undefined;
    const server = createServer({ pauseOnConnect: true }, (socket) => {
      held.push(socket);
      most = Math.max(most, held.length);
      clearTimeout(timer);
      timer = setTimeout(() => {
        for (const one of held.splice(0)) {
          answer(one);
          one.resume();
        }
      }, QUIET_MS);
    });
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '0.0.0.0', () => resolve((server.address() as { port: number }).port)),
    );
    // The whole of 127/8 is this machine.
    const nodes = Array.from({ length: 150 }, (_, at) => `127.0.0.${250 - at}`);
    try {
      const answers = await askMonitors(nodes, 'cpu-avg-load', USUAL_LIMITS, port);
      expect([...answers]).to.deep.equal(nodes.map((node) => [node, { report: node }]));
      expect(most).to.equal(AT_ONCE);
    } finally {
      server.close();
    }
  });
});
