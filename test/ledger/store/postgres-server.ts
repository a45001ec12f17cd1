/**
 * A PostgreSQL server of the tests' own, where Debian's packages are installed: in a temporary folder,
 * without a network, as a user without rights when the tests run as root.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

const DEBIAN_FOLDER = '/usr/lib/postgresql';
const USER = 'evenkeel';
const START_SECONDS = 100;

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

/** Data of a new server. Making it takes a second: the first of a run of tests is kept for others to copy. */
function makeData(bin: string, data: string): void {
  const { EVENKEEL_TESTS_FOLDER } = process.env;
  const kept = EVENKEEL_TESTS_FOLDER === undefined ? undefined : join(EVENKEEL_TESTS_FOLDER, 'postgres');
  if (kept !== undefined && existsSync(kept)) {
    execFileSync('cp', ['-a', kept, data]);
    return;
  }
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...ownUser(), cwd: dirname(data), stdio: 'ignore' },
  );
  if (kept === undefined) return;
  const copy = `${kept}-${process.pid}`;
  execFileSync('cp', ['-a', data, copy]);
  try {
    renameSync(copy, kept);
  } catch {
    // Another process was sooner.
  }
}

/** What stands in a file; nothing where there is none. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * What a committed change outlives: nothing, the death of the server, or that of the machine. The less, the
 * quicker.
 */
export type Durability = 'none' | 'server' | 'full';

export class PostgresServer {
  private readonly bin: string;
  private readonly folder: string;
  private readonly durability: Durability;
  private child: ChildProcess | undefined;
  private schemas = 0;

  private constructor(bin: string, folder: string, durability: Durability) {
    this.bin = bin;
    this.folder = folder;
    this.durability = durability;
  }

  static async start(bin: string, durability: Durability = 'none'): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'evenkeel-pg-'));
    const user = ownUser();
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!);
    makeData(bin, join(folder, 'data'));
    const server = new PostgresServer(bin, folder, durability);
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

  /** From now on this role needs its password; all others do not. */
  async askPasswordOf(role: string): Promise<void> {
    const file = join(this.folder, 'data', 'pg_hba.conf');
    writeFileSync(file, `local all ${role} scram-sha-256\n${readFileSync(file, 'utf8')}`);
    const client = new pg.Client({ connectionString: this.url() });
    await client.connect();
    await client.query('SELECT pg_reload_conf()');
    await client.end();
  }

  /** Starts the server (again) and waits until it answers. */
  async run(): Promise<void> {
    const settings = [
      'listen_addresses=',
      `unix_socket_directories=${this.folder}`,
      'max_connections=100',
      // A server that is killed would leave its memory on the machine; so it goes with the folder.
      'dynamic_shared_memory_type=mmap',
    ];
    if (this.durability !== 'full') settings.push('fsync=off', 'full_page_writes=off');
    if (this.durability === 'none') settings.push('synchronous_commit=off');
    const start = () =>
      spawn(
        join(this.bin, 'postgres'),
        ['-D', join(this.folder, 'data'), ...settings.flatMap((setting) => ['-c', setting])],
        { ...ownUser(), cwd: this.folder, stdio: 'ignore' },
      );
    this.child = start();
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
        // Where the former server was killed, its last processes may still hold the data.
        if (this.child.exitCode !== null) this.child = start();
      }
    }
  }

  /** Ends the server, at once and without any tidying when `signal` is SIGKILL or SIGQUIT. */
  async end(signal: NodeJS.Signals = 'SIGQUIT'): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    const servants = textOf(`/proc/${child.pid}/task/${child.pid}/children`).match(/\d+/g) ?? [];
    child.kill(signal);
    await gone;
    // Those who serve connections outlive a killed server for a moment, and longer on a busy machine.
    const isLiving = (pid: string): boolean => /\) [^Z] /.test(textOf(`/proc/${pid}/stat`));
    while (servants.some(isLiving)) await wait(5);
  }

  /**
   * Lets the server live for as long as this process does, which it does not keep from ending; its data goes
   * with it.
   */
  leaveToProcess(): void {
    const { child, folder } = this;
    child!.unref();
    process.once('exit', () => {
      child!.kill('SIGQUIT');
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    });
  }

  /** Ends the server and removes all its data. */
  async remove(): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
