/** The mail about a night that failed, as its unit has it sent. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newFolder } from '../builders/folder.ts';
import { ROOT } from '../suite/run-built.ts';

const SCRIPT = readFileSync(join(ROOT, 'scripts/packages/debian/mail-failure'), 'utf8');

describe('the mail about a run that failed', () => {
  const folder = newFolder();

  it('tells a signal from an exit status, and has what the run said', () => {
    const commands = {
      systemctl: 'case "$*" in *=Result*) echo signal ;; *=ExecMainStatus*) echo 15 ;; *) echo 4711 ;; esac',
      journalctl: 'echo "said: $*"',
      hostname: 'echo node1.example.com',
    };
    for (const [name, text] of Object.entries(commands)) {
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(folder, name), 0o755);
    }
    const { stdout } = spawnSync('sh', ['-s', 'hbal'], {
      input: SCRIPT.replace('/usr/sbin/sendmail -t', 'cat'),
      encoding: 'utf8',
      env: { PATH: `${folder}:/usr/bin:/bin`, MAILTO: 'root' },
    });
    expect(stdout).to.equal(
      'To: root\nSubject: hbal on node1.example.com failed: signal 15\n\n' +
        'said: --no-pager --output=cat _SYSTEMD_INVOCATION_ID=4711\n',
    );
  });
});
