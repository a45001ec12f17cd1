/** OpenStack's Placement, as Debian packages it, in a folder and on ports of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { cpuSecondsOf } from '../../measure.ts';
import { until } from '../../until.ts';

const PROGRAMS = {
  placement: '/usr/bin/placement-manage',
  mariadb: '/usr/sbin/mariadbd',
  uwsgi: '/usr/bin/uwsgi_python3',
} as const;
const START_MS = 120_000;

export const isInstalled = (program: keyof typeof PROGRAMS): boolean => existsSync(PROGRAMS[program]);

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });

const answers = (ask: () => Promise<unknown>, what: string): Promise<void> =>
  until(
    START_MS,
    () =>
      ask().then(
        () => undefined,
        () => `${what} did not come up`,
      ),
    200,
  );

const asUser = process.getuid?.() === 0 ? ['--user=root'] : [];

/** A server of MariaDB. */
export class MariaDb {
  private readonly folder: string;
  private readonly port: number;
  private readonly process: ChildProcess;

  private constructor(folder: string, port: number, process: ChildProcess) {
    this.folder = folder;
    this.port = port;
    this.process = process;
  }

  static async start(folder: string): Promise<MariaDb> {
    mkdirSync(folder);
    const data = ['--no-defaults', ...asUser, `--datadir=${join(folder, 'data')}`];
    execFileSync('mariadb-install-db', [...data, '--auth-root-authentication-method=normal'], {
      stdio: 'ignore',
    });
    const port = await freePort();
    const words = [`--socket=${join(folder, 's')}`, `--port=${port}`, '--bind-address=127.0.0.1'];
    const server = new MariaDb(
      folder,
      port,
      spawn(PROGRAMS.mariadb, [...data, ...words], { stdio: 'ignore' }),
    );
    // It outlives nobody who is ended.
    process.once('exit', () => server.stop());
    await answers(async () => server.sql('SELECT 1'), 'MariaDB');
    for (const host of ['localhost', '127.0.0.1'])
      server.sql(`GRANT ALL ON *.* TO placement@'${host}' IDENTIFIED BY 'secret'`);
    return server;
  }

  sql(statements: string): string {
    const words = [`--socket=${join(this.folder, 's')}`, '-uroot', '-e', statements];
    return execFileSync('mariadb', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  }

  /**
   * An empty database.
   * @param collation of its texts: the usual one takes upper and lower case for the same
   * @returns its URL, as placement.conf has it
   */
  database(name: string, collation = 'utf8mb3_general_ci'): string {
    const [characters] = collation.split('_');
    this.sql(`CREATE DATABASE ${name} CHARACTER SET ${characters} COLLATE ${collation}`);
    // The driver knows no utf8mb3; the server converts.
    return `mysql+pymysql://placement:secret@127.0.0.1:${this.port}/${name}?charset=utf8mb4`;
  }

  /** That it has used so far. */
  cpuSeconds(): number {
    return cpuSecondsOf(this.process.pid!);
  }

  stop(): void {
    this.process.kill('SIGKILL');
  }
}

/** A Placement over HTTP, on a database of its own. */
export class RealPlacement {
  readonly url: string;
  readonly log: string;
  private readonly process: ChildProcess;

  private constructor(url: string, log: string, process: ChildProcess) {
    this.url = url;
    this.log = log;
    this.process = process;
  }

  /** Makes the tables, unless they are there, and starts it, which makes the standard names. */
  static async start(folder: string, database: string): Promise<RealPlacement> {
    mkdirSync(folder, { recursive: true });
    const conf = join(folder, 'placement.conf');
    writeFileSync(conf, `[placement_database]\nconnection = ${database}\n[api]\nauth_strategy = noauth2\n`);
    execFileSync(PROGRAMS.placement, ['--config-file', conf, 'db', 'sync'], { stdio: 'ignore' });
    const port = await freePort();
    const log = join(folder, 'log');
    const file = openSync(log, 'a');
    const uwsgi =
      `--master --processes 2 --lazy-apps --http-socket 127.0.0.1:${port} --die-on-term --disable-logging --need-app`.split(
        ' ',
      );
    const [program, words] = isInstalled('uwsgi')
      ? [PROGRAMS.uwsgi, [...uwsgi, '--wsgi-file', '/usr/bin/placement-api']]
      : ['/usr/bin/placement-api', ['--host', '127.0.0.1', '--port', String(port)]];
    const child = spawn(program, words, {
      env: { ...process.env, OS_PLACEMENT_CONFIG_DIR: folder },
      stdio: ['ignore', file, file],
    });
    const placement = new RealPlacement(`http://127.0.0.1:${port}`, log, child);
    await answers(() => placement.call('GET', '/traits'), 'Placement');
    return placement;
  }

  /** @returns the answer's document; undefined for none @throws on any other status than of success */
  // biome-ignore lint/suspicious/noExplicitAny: documents of many forms
  async call(method: string, path: string, body?: object): Promise<any> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        'x-auth-token': 'admin',
        'openstack-api-version': 'placement 1.38',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** How many requests it has answered, and the cpu seconds of all its processes. */
  effort(): { readonly requests: number; readonly cpuSeconds: number } {
    const requests = readFileSync(this.log, 'utf8').split('placement.requestlog').length - 1;
    const { pid } = this.process;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const each = [pid!, ...children.split(' ').filter(Boolean)].map(cpuSecondsOf);
    return { requests, cpuSeconds: each.reduce((sum, one) => sum + one, 0) };
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGTERM');
    await ended;
  }
}
