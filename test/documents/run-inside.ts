/** Runs a program in this process and gives what it prints: quick enough for many runs. */

import type { ProgramName } from '../../src/cli/options/program-table.ts';
import { holdOut, setPainter } from '../../src/cli/output.ts';
import { exitStatusOf, type Main } from '../../src/cli/run.ts';
import { main as hail } from '../../src/programs/hail/main.ts';
import { main as harep } from '../../src/programs/harep/main.ts';
import { main as hbal } from '../../src/programs/hbal/main.ts';
import { main as hcand } from '../../src/programs/hcand/main.ts';
import { main as hcheck } from '../../src/programs/hcheck/main.ts';
import { main as hcompress } from '../../src/programs/hcompress/main.ts';
import { main as hdisk } from '../../src/programs/hdisk/main.ts';
import { main as hinfo } from '../../src/programs/hinfo/main.ts';
import { main as hredist } from '../../src/programs/hredist/main.ts';
import { main as hroller } from '../../src/programs/hroller/main.ts';
import { main as hscan } from '../../src/programs/hscan/main.ts';
import { main as hspace } from '../../src/programs/hspace/main.ts';
import { main as hspread } from '../../src/programs/hspread/main.ts';
import { main as hsqueeze } from '../../src/programs/hsqueeze/main.ts';

const MAINS: Readonly<{ [P in ProgramName]?: Main<P> }> = {
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
    const status = await exitStatusOf(program as 'hbal', words, MAINS[program as 'hbal']!);
    return { status, stdout: release() };
  } finally {
    release();
    setPainter('err', (text) => text);
  }
}
