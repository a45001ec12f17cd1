/**
 * A PostgreSQL server of the tests' own, where Debian's packages are installed: in a temporary folder, without a network, as a user without
 * rights when the tests run as root.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

const DEBIAN_FOLDER = '/usr/lib/postgresql';
const USER = 'evenkeel';
const START_SECONDS = 30;

/** Folder of initdb and postgres, or undefined when they are not installed. */
export function postgresPrograms(): string | undefined {
  if (!existsSync(DEBIAN_FOLDER)) return undefined;
  const versions = readdirSync(DEBIAN_FOLDER).sort((a, b) => Number(b) - Number(a));
  return versions
    .map((version) => join(DEBIAN_FOLDER, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
}

/** The server refuses to run as root. */
function ownUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

export class PostgresServer {
  private readonly bin: string;
  private readonly folder: string;
  private readonly durable: boolean;
  private child: ChildProcess | undefined;
  private schemas = 0;

  private constructor(bin: string, folder: string, durable: boolean) {
    this.bin = bin;
    this.folder = folder;
    this.durable = durable;
  }

  /** @param durable false is quicker, and loses what was written when the machine (not the server) breaks down. */
  static async start(bin: string, durable = false): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'evenkeel-pg-'));
    const user = ownUser();
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!);
    execFileSync(
      join(bin, 'initdb'),
      ['-D', join(folder, 'data'), '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
      { ...user, cwd: folder, stdio: 'ignore' },
    );
    const server = new PostgresServer(bin, folder, durable);
    await server.run();
    return server;
  }

  /** URL of a schema that nobody has used yet: as good as a database, and made quicker. */
  async freshUrl(): Promise<string> {
    const schema = `t${++this.schemas}`;
    const client = new pg.Client({ connectionString: this.url() });
    await client.connect();
    await client.query(`CREATE SCHEMA ${schema}`);
    await client.end();
    return `${this.url()}&options=-csearch_path%3D${schema}`;
  }

  url(): string {
    return `postgres://${USER}@/postgres?host=${this.folder}`;
  }

  /** Starts the server (again) and waits until it answers. */
  async run(): Promise<void> {
    const settings = ['listen_addresses=', `unix_socket_directories=${this.folder}`, 'max_connections=100'];
    if (!this.durable) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off');
    this.child = spawn(
      join(this.bin, 'postgres'),
      ['-D', join(this.folder, 'data'), ...settings.flatMap((setting) => ['-c', setting])],
      { ...ownUser(), cwd: this.folder, stdio: 'ignore' },
    );
    const deadline = Date.now() + START_SECONDS * 1000;
    for (;;) {
      const client = new pg.Client({ connectionString: this.url() });
      try {
        await client.connect();
        await client.end();
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await wait(50);
      }
    }
  }

  /** Ends the server, at once and without any tidying when `signal` is SIGKILL or SIGQUIT. */
  async end(signal: NodeJS.Signals = 'SIGQUIT'): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }

  /** Ends the server and removes all its data. */
  async remove(): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
