/** What the programs that move instances between groups work on. */
import type { Progress } from '../../../../kit/report/progress.ts';
import type { Snapshot } from '../../../cluster/snapshot.ts';
import type { ProgramOptions } from '../../../options/command-options.ts';
import type { SuperCluster } from '../../../planners/groups/homes/super-cluster.ts';
import type { WhatIfMember } from '../questions/report-what-if.ts';
import type { GroupSelection } from './group-selection.ts';

export type GroupProgram = 'hcompress' | 'hredist' | 'hspread';

/** The options that these programs have in common. */
export type GroupWorkOptions =
  | ProgramOptions<'hcompress'>
  | ProgramOptions<'hredist'>
  | ProgramOptions<'hspread'>;

/** A loaded cluster, and how to talk about it. */
export interface GroupWork<Options extends GroupWorkOptions = GroupWorkOptions> {
  readonly program: GroupProgram;
  readonly options: Options;
  /** The cluster as it was read, and the same with the command line's say about nodes. */
  readonly loaded: Snapshot;
  readonly snapshot: Snapshot;
  /** The member of the document that tells of changes in thought. */
  readonly whatIf: WhatIfMember;
  readonly cluster: SuperCluster;
  readonly selection: GroupSelection;
  /** Says something unless a document or keys are asked for. */
  readonly say: (text: string) => void;
  readonly progress: Progress;
}
