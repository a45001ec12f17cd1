/** A real Placement, that takes everybody for an administrator who says so. */
import { Daemon, run, write } from './machine.ts';

const PORT = 8779;
const FOLDER = '/srv/placement';
const CONF = `[placement_database]
connection = sqlite:///${FOLDER}/placement.db
[api]
auth_strategy = noauth2
`;

export async function startPlacement(): Promise<{ readonly url: string; readonly daemon: Daemon }> {
  write(`${FOLDER}/placement.conf`, CONF);
  await run(['placement-manage', '--config-file', `${FOLDER}/placement.conf`, 'db', 'sync']);
  const words = ['--host', '127.0.0.1', '--port', String(PORT)];
  const daemon = new Daemon('placement', ['placement-api', ...words], { OS_PLACEMENT_CONFIG_DIR: FOLDER });
  await daemon.listens(PORT);
  return { url: `http://127.0.0.1:${PORT}`, daemon };
}
