/** Runs a program in this process and gives what it prints: quick enough for many runs. */

import { main as hdisk } from '../../../src/disk/programs/hdisk/main.ts';
import { main as hail } from '../../../src/htools/programs/hail/main.ts';
import { main as harep } from '../../../src/htools/programs/harep/main.ts';
import { main as hbal } from '../../../src/htools/programs/hbal/main.ts';
import { main as hcheck } from '../../../src/htools/programs/hcheck/main.ts';
import { main as hcompress } from '../../../src/htools/programs/hcompress/main.ts';
import { main as hinfo } from '../../../src/htools/programs/hinfo/main.ts';
import { main as hredist } from '../../../src/htools/programs/hredist/main.ts';
import { main as hroller } from '../../../src/htools/programs/hroller/main.ts';
import { main as hscan } from '../../../src/htools/programs/hscan/main.ts';
import { main as hspace } from '../../../src/htools/programs/hspace/main.ts';
import { main as hspread } from '../../../src/htools/programs/hspread/main.ts';
import { main as hsqueeze } from '../../../src/htools/programs/hsqueeze/main.ts';
import { exitStatusOf, type Main } from '../../../src/kit/cli/run.ts';
import { holdOut, setPainter } from '../../../src/kit/report/output.ts';
import { main as hcand } from '../../../src/ledger/programs/hcand/main.ts';
import { PROGRAMS, type ProgramName } from '../../../src/suite/programs.ts';
import type { OptionsOf } from '../../builders/command-line.ts';

const MAINS: Readonly<{ [P in ProgramName]?: Main<OptionsOf<P>> }> = {
  hail,
  harep,
  hbal,
  hcand,
  hcheck,
  hcompress,
  hdisk,
  hinfo,
  hredist,
  hroller,
  hscan,
  hspace,
  hspread,
  hsqueeze,
};

/** @param line program and arguments, divided by single blanks; remarks on standard error are dropped */
export async function runInside(line: string): Promise<{ status: number; stdout: string }> {
  const [program = '', ...words] = line.split(' ');
  setPainter('err', () => '');
  const release = holdOut();
  try {
    const status = await exitStatusOf(PROGRAMS[program as 'hbal'], words, MAINS[program as 'hbal']!);
    return { status, stdout: release() };
  } finally {
    release();
    setPainter('err', (text) => text);
  }
}
