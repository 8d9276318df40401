import { batchCases } from './contract-batches.ts';
import { buildCases } from './contract-builds.ts';
import { queryCases } from './contract-queries.ts';
import { rowCases } from './contract-rows.ts';
import type { Case, Stage } from './contract-stage.ts';

export { type Case, type Stage, things } from './contract-stage.ts';

/** What every adapter must do, by name. */
export const readModelsContract: Readonly<Record<string, Case>> = { ...rowCases, ...queryCases, ...batchCases, ...buildCases };

/** Runs one case on an empty store of its own. */
export async function onStage(open: () => Promise<Stage>, run: Case): Promise<void> {
  const stage = await open();
  try {
    await run(stage);
  } finally {
    await stage.close();
  }
}
