import { batchCases } from './batches.ts';
import { versionCases } from './versions.ts';
import { generationCases } from './generations.ts';
import { queryCases } from './queries.ts';
import { rowCases } from './rows.ts';
import type { Case, Stage } from './stage.ts';

export { type Case, type Stage, things } from './stage.ts';

/** The cases that every adapter passes, by name. */
export const readModelsContract: Readonly<Record<string, Case>> = {
  ...rowCases,
  ...queryCases,
  ...batchCases,
  ...versionCases,
  ...generationCases,
};

/** Runs one case on an empty store of its own. */
export async function onStage(open: () => Promise<Stage>, run: Case): Promise<void> {
  const stage = await open();
  try {
    await run(stage);
  } finally {
    await stage.close();
  }
}
