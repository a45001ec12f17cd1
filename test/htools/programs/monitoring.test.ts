/** `--mond` through a program: the daemons are asked by the nodes' names, on their port. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { newFolder } from '../../builders/folder.ts';
import { runApart } from '../../suite/run-built.ts';
import { httpTalk } from '../ganeti/play.ts';

const dataAt = (name: string): string => fileURLToPath(new URL(`../../../testdata/${name}`, import.meta.url));
const SMALL = dataAt('small.data');
const REQUEST = dataAt('small-allocate.json');
const PORT = 1815;
const NODES = 4;
/** Addresses of this machine that no other test has; they stand for the nodes' names. */
const network = `127.${64 + Math.floor(Math.random() * 128)}.${Math.floor(Math.random() * 256)}`;
const addressOf = (node: number): string => `${network}.${10 + node}`;

const withAddresses = (text: string): string =>
  text.replace(/\bnode(\d)\.example\.com/g, (_, n) => addressOf(Number(n)));

const report = (name: string, data: object): string =>
  JSON.stringify({ name, version: 'B', format_version: 1, timestamp: 1, category: null, kind: 0, data });

const totalOf = (load: number): string =>
  report('cpu-avg-load', { cpu_number: 1, cpus: [load], cpu_total: load });

/** Runs a daemon for each node that has something to say. */
async function withMonitors<T>(
  reports: ReadonlyMap<number, string>,
  work: (asked: readonly string[]) => Promise<T>,
): Promise<T> {
  const asked: string[] = [];
  const servers: Server[] = [];
  for (const [node, body] of reports) {
    const server = createServer(
      httpTalk(({ path }) => {
        asked.push(path);
        return { body };
      }),
    );
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(PORT, addressOf(node), resolve);
    });
    servers.push(server);
  }
  try {
    return await work(asked);
  } finally {
    for (const server of servers) server.close();
  }
}

/** cpu loads in the table of nodes, by node. */
const loadsIn = (text: string): string[] =>
  [...text.matchAll(/^ +127\S+ +([\d.]+)$/gm)].map(([, load]) => load!);

describe('loads from monitoring daemons', () => {
  const folder = newFolder();
  let file: string;
  before(() => {
    file = join(folder, 'cluster.data');
    writeFileSync(file, withAddresses(readFileSync(SMALL, 'utf8')));
  });

  const ask = (...more: readonly string[]) =>
    runApart('hbal', ['-t', file, '-l0', '-pname,cload', '--mond=yes', ...more]);
  const everyNode = (text: (node: number) => string): ReadonlyMap<number, string> =>
    new Map(Array.from({ length: NODES }, (_, n) => [n + 1, text(n + 1)]));

  it('are those of the nodes', () =>
    withMonitors(
      everyNode((node) => totalOf(node * 1.5)),
      async (asked) => {
        const { status, stderr } = await ask();
        expect(status).to.equal(0);
        expect(loadsIn(stderr).slice(0, NODES)).to.deep.equal(['1.500', '3.000', '4.500', '6.000']);
        expect(asked).to.deep.equal(Array(NODES).fill('/1/report/default/cpu-avg-load'));
      },
    ));

  it('are those of the instances with --mond-xen', () => {
    const names = [...readFileSync(SMALL, 'utf8').matchAll(/^(\S+?)\|.*\|drbd\|/gm)].map(([, name]) => name!);
    // Whichever node speaks of an instance: node1 has four of them, node4 none. One that is down counts, as
    // in stock.
    const loads = Object.fromEntries(names.map((name) => [name, 1.25]));
    return withMonitors(
      everyNode((node) => report('xen-cpu-avg-load', node === 4 ? loads : {})),
      async (asked) => {
        const { stderr } = await ask('--mond-xen');
        expect(asked).to.deep.equal(Array(NODES).fill('/1/report/default/xen-cpu-avg-load'));
        expect(loadsIn(stderr).slice(0, NODES)).to.deep.equal(['5.000', '3.750', '3.750', '0.000']);
      },
    );
  });

  it('count in the score that Ganeti is answered with', () => {
    const request = join(folder, 'request.json');
    writeFileSync(request, withAddresses(readFileSync(REQUEST, 'utf8')));
    return withMonitors(new Map([1, 2, 3].map((node) => [node, totalOf(node === 3 ? 2 : 0)])), async () => {
      const scoreOf = async (...words: readonly string[]): Promise<string | undefined> =>
        /score: ([\d.]+)/.exec((await runApart('hail', [request, ...words])).stdout)?.[1];
      expect(await scoreOf()).to.equal('2.27323348');
      expect(await scoreOf('--mond')).to.equal('3.21604252');
      expect(await scoreOf('--mond', '--reserve=memory=10%')).to.equal('3.21604252');
    });
  });

  it('are left aside, or missed, as a whole when a node does not tell', () =>
    withMonitors(
      new Map([
        [1, totalOf(9)],
        [2, totalOf(9)],
        [3, '{"half": '],
      ]),
      async () => {
        const { status, stderr } = await ask();
        expect(stderr).to.include(
          "Didn't receive an answer by all MonDs, cpu-avg-load's data will be ignored.",
        );
        expect(stderr).to.include(`\n  ${addressOf(3)}: no report that can be read\n`);
        expect(stderr).to.include(`${addressOf(4)}:1815`);
        expect(loadsIn(stderr)).to.not.include('9.000');
        expect(status).to.equal(0);
        const missed = await ask('--exit-on-missing-mond-data');
        expect(missed.stderr).to.match(/^Error: Not all required data available/m);
        expect(missed.status).to.equal(1);
      },
    ));
});
