/** Thread that balances groups which stand alone, one after another. */
import type { Snapshot } from '../cluster/snapshot.ts';
import type { Move } from '../model/moves/kinds.ts';
import { ClusterState } from '../model/state/state.ts';
import type { BalanceOptions } from '../planners/balance/options.ts';
import { balanceSteps } from '../planners/balance/steps/balance.ts';

export interface BalanceTask {
  /** All of it is one group. */
  readonly snapshot: Snapshot;
  readonly options: BalanceOptions;
}

export default ({ snapshot, options }: BalanceTask): readonly Move[] => [
  ...balanceSteps(new ClusterState(snapshot), [...snapshot.nodes.keys()], options),
];
